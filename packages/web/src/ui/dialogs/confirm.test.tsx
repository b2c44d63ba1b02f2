import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { confirm, ConfirmHost } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";
import { ThemeProvider } from "../theme/theme-provider.tsx";

beforeEach(() => {
  render(
    <ThemeProvider env="test">
      <ConfirmHost />
    </ThemeProvider>,
  );
});

test("the focus starts on Nope, so Enter destroys nothing", async () => {
  const answer = confirm({ title: "About to block user?", text: "User won't be able to use your service" });
  const nope = await screen.findByRole("button", { name: "Nope" });
  await waitFor(() => expect(nope).toHaveFocus());
  expect(screen.getByRole("dialog")).toHaveTextContent("User won't be able to use your service");
  await userEvent.keyboard("{Enter}");
  expect(await answer).toBe(false);
});

test("Escape means Nope", async () => {
  const answer = confirm({ title: "About to block user?" });
  await screen.findByRole("dialog");
  await userEvent.keyboard("{Escape}");
  expect(await answer).toBe(false);
});

test("Proceed means yes", async () => {
  const answer = confirm({ title: "About to block user?" });
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await answer).toBe(true);
});

test("a question that a dialog asks has Escape for itself", async () => {
  const close = vi.fn();
  render(
    <ThemeProvider env="test">
      <Dialog opened onClose={close} title="Send SMS">
        <button type="button">Send</button>
      </Dialog>
    </ThemeProvider>,
  );
  const answer = confirm({ title: "About to block user?" });
  await screen.findByRole("button", { name: "Nope" });
  await userEvent.keyboard("{Escape}");
  expect(await answer).toBe(false);
  expect(close).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Nope" })).toBeNull());
  await userEvent.keyboard("{Escape}");
  expect(close).toHaveBeenCalledOnce();
});
