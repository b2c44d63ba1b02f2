import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { PopupSpinner } from "./popup-content.tsx";

afterEach(() => vi.useRealTimers());

test("the spinner turns for at most 2 s; words follow it", () => {
  vi.useFakeTimers();
  render(
    <MantineProvider>
      <PopupSpinner />
    </MantineProvider>,
  );
  const place = screen.getByRole("status", { name: "Loading" });
  act(() => void vi.advanceTimersByTime(1_999));
  expect(place).toHaveTextContent("");
  act(() => void vi.advanceTimersByTime(1));
  expect(place).toHaveTextContent("Please check your network");
});
