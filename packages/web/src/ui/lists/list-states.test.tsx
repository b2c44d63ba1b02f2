import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentProps } from "react";
import { expect, test, vi } from "vitest";
import { NetworkError } from "../../lib/api/api.ts";
import { ThemeProvider } from "../theme/theme-provider.tsx";
import { ListStates } from "./list-states.tsx";

const idle = { isPending: false, error: null, refetch: vi.fn() };

function show(props: Partial<ComponentProps<typeof ListStates>>): void {
  render(
    <ThemeProvider env="test">
      <ListStates
        query={idle}
        rowCount={0}
        empty={{ title: "There are no current messages...", text: "Send your first one." }}
        {...props}
      >
        <p>The rows</p>
      </ListStates>
    </ThemeProvider>,
  );
}

test("loading shows a skeleton", () => {
  show({ query: { ...idle, isPending: true } });
  expect(screen.getByRole("status", { name: "Loading" })).toBeVisible();
});

test("empty shows the specified sentence and what to do first", () => {
  show({});
  expect(screen.getByText("There are no current messages...")).toBeVisible();
  expect(screen.getByText("Send your first one.")).toBeVisible();
});

test("no match offers to clear the filters", async () => {
  const onClearFilters = vi.fn();
  show({ onClearFilters });
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(onClearFilters).toHaveBeenCalledOnce();
});

test("failed offers to try again", async () => {
  const refetch = vi.fn();
  show({ query: { ...idle, error: new NetworkError("gone"), refetch } });
  expect(screen.getByRole("alert")).toHaveTextContent("No Internet Connection");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledOnce();
});

test("rows on screen stay while a later read fails", () => {
  show({ rowCount: 3, query: { ...idle, error: new NetworkError("gone") } });
  expect(screen.getByText("The rows")).toBeVisible();
});
