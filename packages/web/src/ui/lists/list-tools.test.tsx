import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ThemeProvider } from "../theme/theme-provider.tsx";
import { ListTools } from "./list-tools.tsx";

function show(onCount: number, clear = vi.fn()): void {
  render(
    <ThemeProvider env="test">
      <ListTools filters={{ isAnyOn: onCount > 0, onCount, clear }} search={<input aria-label="Search" />}>
        <input aria-label="From" />
      </ListTools>
    </ThemeProvider>,
  );
}

test("filters are folded until their button is pressed, and fold again", async () => {
  show(0);
  const button = screen.getByRole("button", { name: "Filters" });
  const fold = document.getElementById(button.getAttribute("aria-controls") ?? "");
  expect(fold).toContainElement(screen.getByLabelText("From"));
  expect(fold).not.toContainElement(screen.getByLabelText("Search"));
  expect(fold).toHaveAttribute("data-folded", "true");
  expect(button).toHaveAttribute("aria-expanded", "false");

  await userEvent.click(button);
  expect(fold).toHaveAttribute("data-folded", "false");
  expect(button).toHaveAttribute("aria-expanded", "true");

  await userEvent.click(button);
  expect(fold).toHaveAttribute("data-folded", "true");
});

test("the button says how many are on, and one press clears all of them", async () => {
  const clear = vi.fn();
  show(2, clear);
  expect(screen.getByRole("button", { name: "Filters (2)" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(clear).toHaveBeenCalledOnce();
});

test("nothing is cleared, and nothing folded, where nothing can be on", () => {
  show(0);
  expect(screen.queryByRole("button", { name: "Clear filters" })).not.toBeInTheDocument();
});
