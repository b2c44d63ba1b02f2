import { act, screen } from "@testing-library/react";
import { hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { Form, useForm } from "../../ui/forms/form.tsx";

let root: Root | undefined;

afterEach(() => {
  act(() => root?.unmount());
  document.body.replaceChildren();
});

function Example() {
  const form = useForm({
    initial: { email: "" },
    missing: ({ email }) => (email === "" ? ["email"] : []),
    send: () => Promise.resolve(),
  });
  const { error: _, ...field } = form.field("email");
  return (
    <Form form={form}>
      <input aria-label="Email" {...field} />
      <p>{form.missing.length === 0 ? "complete" : "incomplete"}</p>
    </Form>
  );
}

test("what was typed before the browser took the server's document over is in the form", async () => {
  const host = document.createElement("div");
  host.innerHTML = renderToString(<Example />);
  document.body.append(host);
  expect(host.textContent).toBe("incomplete");
  const field = screen.getByLabelText<HTMLInputElement>("Email");
  field.value = "ada@gmail.com";
  await act(async () => {
    root = hydrateRoot(host, <Example />);
    await Promise.resolve();
  });
  expect(field.value).toBe("ada@gmail.com");
  expect(host.textContent).toBe("complete");
});
