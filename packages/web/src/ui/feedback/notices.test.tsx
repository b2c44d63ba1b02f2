import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ThemeProvider } from "../theme/theme-provider.tsx";
import { Notices, showNotice } from "./notices.tsx";

beforeEach(() => {
  vi.useFakeTimers();
  render(
    <ThemeProvider env="test">
      <Notices />
    </ThemeProvider>,
  );
});

afterEach(() => vi.useRealTimers());

test("a notice lasts as long as specified", () => {
  act(() => showNotice({ title: "Logged Out...!", durationMs: 3_000 }));
  act(() => void vi.advanceTimersByTime(2_999));
  expect(screen.getByText("Logged Out...!")).toBeVisible();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.queryByText("Logged Out...!")).not.toBeInTheDocument();
});

test("the same words do not pile up, and no more than four notices stand at once", () => {
  act(() => {
    for (const title of ["1", "1", "2", "3", "4", "5"]) showNotice({ title });
  });
  expect(screen.getAllByRole("button", { name: "Close notice" })).toHaveLength(4);
  expect(screen.queryByText("1")).not.toBeInTheDocument();
});

test("a notice can be closed", () => {
  act(() => showNotice({ title: "Deleted Successfully" }));
  act(() => screen.getByRole("button", { name: "Close notice" }).click());
  expect(screen.queryByText("Deleted Successfully")).not.toBeInTheDocument();
});
