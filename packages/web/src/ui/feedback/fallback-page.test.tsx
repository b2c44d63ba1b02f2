import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { createQueryClient } from "../../lib/api/query.ts";
import { fakeServer } from "../../testing/fake-server.ts";
import { takeConsoleErrors } from "../../testing/setup.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { FallbackPage } from "./fallback-page.tsx";

function Broken(): never {
  throw new Error("A page broke");
}

test("a page that breaks shows the fallback, the way back in and a support contact", async () => {
  fakeServer({});
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ErrorBoundary fallback={<FallbackPage />}>
        <Broken />
      </ErrorBoundary>
    </QueryClientProvider>,
  );
  expect(screen.getByRole("heading", { name: "500 Network Error" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Login again" })).toHaveAttribute("href", "/login");
  expect(await screen.findByRole("link", { name: "support@example.com" })).toBeVisible();
  expect(takeConsoleErrors()).not.toHaveLength(0);
});
