import type { PublicSettings } from "@ewebal/contract";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { BrandProvider } from "../../lib/brand.ts";
import { brandAnswer } from "../../testing/fake-server.ts";
import { takeConsoleErrors } from "../../testing/setup.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { FallbackPage } from "./fallback-page.tsx";

function Broken(): never {
  throw new Error("A page broke");
}

test("a page that breaks shows the fallback, the way back in and a support contact", () => {
  render(
    <BrandProvider value={brandAnswer.data as PublicSettings}>
      <ErrorBoundary fallback={<FallbackPage />}>
        <Broken />
      </ErrorBoundary>
    </BrandProvider>,
  );
  expect(screen.getByRole("heading", { name: "500 Network Error" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Login again" })).toHaveAttribute("href", "/login");
  expect(screen.getByRole("link", { name: "support@example.com" })).toBeVisible();
  expect(takeConsoleErrors()).not.toHaveLength(0);
});
