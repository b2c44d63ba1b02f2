import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { Dialog } from "./dialog.tsx";
import { ThemeProvider } from "../theme/theme-provider.tsx";

/** With its transitions, as in a browser: for a while a dialog is on the page and not open yet, or not open any more. */
function Page() {
  const [opened, setOpened] = useState(false);
  return (
    <ThemeProvider>
      <button type="button" onClick={() => setOpened(true)}>
        Delete
      </button>
      <button type="button">Other</button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="About to delete?">
        <button type="button">Nope</button>
      </Dialog>
    </ThemeProvider>
  );
}

/** @returns in the moment in which the dialog stands on the page, before any timer of its own. */
async function openDialog(): Promise<HTMLElement> {
  render(<Page />);
  const opener = screen.getByRole("button", { name: "Delete" });
  opener.focus();
  const appeared = new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (screen.queryByRole("dialog") === null) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  fireEvent.click(opener);
  await appeared;
  return opener;
}

async function expectFocusInDialog(): Promise<void> {
  await waitFor(() => expect(screen.getByRole("dialog")).toContainElement(document.activeElement as HTMLElement));
}

function pressEscape(): void {
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: "Escape" });
}

async function expectGone(): Promise<void> {
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
}

test("closed again, it gives the focus back to what opened it", async () => {
  const opener = await openDialog();
  await expectFocusInDialog();
  pressEscape();
  await expectGone();
  expect(opener).toHaveFocus();
});

test("also when the key comes before the focus has moved into it", async () => {
  const opener = await openDialog();
  expect(opener).toHaveFocus();
  pressEscape();
  await expectGone();
  expect(opener).toHaveFocus();
});

test("it stands still while it fades in, so that a quick press meets what it aimed at", async () => {
  await openDialog();
  const dialog = screen.getByRole("dialog");
  expect(dialog.style.opacity).toBe("0");
  expect(dialog.style.transform).toBe("");
  await waitFor(() => expect(dialog.style.opacity).not.toBe("0"));
  expect(dialog.style.transform).toBe("");
});

test("what has taken the focus meanwhile keeps it", async () => {
  await openDialog();
  await expectFocusInDialog();
  const other = screen.getByText("Other");
  pressEscape();
  other.focus();
  await expectGone();
  expect(other).toHaveFocus();
});
