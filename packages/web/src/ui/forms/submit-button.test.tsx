import { render, screen } from "@testing-library/react";
import { useLayoutEffect, type ReactNode } from "react";
import { expect, test } from "vitest";
import { missingInWords, useKeptFocus } from "./submit-button.tsx";

function Busy({ isBusy, children }: { isBusy: boolean; children?: ReactNode }) {
  const ref = useKeptFocus(isBusy);
  return (
    <>
      <button ref={ref} disabled={isBusy}>
        Send
      </button>
      <button>Other</button>
      {children}
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

/** Runs before the layout effects of what it stands in. */
function LoseFocusAtOnce({ isBusy }: { isBusy: boolean }) {
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!isBusy || !(activeElement instanceof HTMLButtonElement)) return;
    // jsdom takes the focus from nobody who is disabled.
    activeElement.disabled = false;
    activeElement.blur();
    activeElement.disabled = true;
  }, [isBusy]);
  return null;
}

test("also where the browser takes it in the moment in which the button is disabled", () => {
  const draw = (isBusy: boolean) => (
    <Busy isBusy={isBusy}>
      <LoseFocusAtOnce isBusy={isBusy} />
    </Busy>
  );
  const { rerender } = render(draw(false));
  const send = press("Send");
  rerender(draw(true));
  expect(document.body).toHaveFocus();
  rerender(draw(false));
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

test("what is missing reads as one text", () => {
  expect(missingInWords(["sender name", "message"])).toBe("Still needed: sender name, message");
  const wrong = "1 number can't be used. Fix it or leave it out.";
  expect(missingInWords([wrong])).toBe(wrong);
  expect(missingInWords(["message", wrong])).toBe(`Still needed: message. ${wrong}`);
});
