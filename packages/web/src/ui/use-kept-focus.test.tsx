import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useKeptFocus } from "./use-kept-focus.ts";

function Busy({ isBusy }: { isBusy: boolean }) {
  const ref = useKeptFocus(isBusy);
  return (
    <>
      <button ref={ref} disabled={isBusy}>
        Send
      </button>
      <button>Other</button>
    </>
  );
}

function press(name: string): HTMLElement {
  const button = screen.getByRole("button", { name });
  button.focus();
  return button;
}

/** What browsers do with the next frame. */
function loseFocus(): void {
  press("Other").blur();
}

test("a button that was busy has the focus again", () => {
  const { rerender } = render(<Busy isBusy={false} />);
  const send = press("Send");
  rerender(<Busy isBusy />);
  loseFocus();
  expect(document.body).toHaveFocus();
  rerender(<Busy isBusy={false} />);
  expect(send).toHaveFocus();
});

test("it takes the focus from nobody", () => {
  const { rerender } = render(<Busy isBusy={false} />);
  press("Send");
  rerender(<Busy isBusy />);
  const other = press("Other");
  rerender(<Busy isBusy={false} />);
  expect(other).toHaveFocus();
});

test("it takes no focus that it did not have", () => {
  const { rerender } = render(<Busy isBusy={false} />);
  rerender(<Busy isBusy />);
  rerender(<Busy isBusy={false} />);
  expect(document.body).toHaveFocus();
});
