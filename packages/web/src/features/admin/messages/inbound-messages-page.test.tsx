import type { InboundAnswer } from "@ewebal/contract";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const listCall = "GET /api/view-unassigned-inbound";
const path = "/admin-dashboard/inbound-messages";

test("says that nothing came in", async () => {
  signedInServer({ [listCall]: () => ({ body: { data: [], next: null } }) });
  renderApp(path);
  expect(await screen.findByText("There are no inbound messages")).toBeVisible();
});

test("shows who wrote what to which number; a short code gets no plus", async () => {
  const createdAt = new Date().toISOString();
  const stop: InboundAnswer = {
    _id: "01900000-0000-7000-8000-0000000000f1",
    from: "2348030000001",
    to: "32811",
    text: "STOP",
    createdAt,
  };
  const other: InboundAnswer = {
    ...stop,
    _id: "01900000-0000-7000-8000-0000000000f2",
    from: "Acme",
    to: "2348090000000",
    text: "First\nSecond",
  };
  signedInServer({ [listCall]: () => ({ body: { data: [other, stop], next: null } }) });
  renderApp(path);
  for (const text of ["STOP", "+2348030000001", "32811", /^First\s+Second$/, "Acme", "+2348090000000"])
    expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("link", { name: "Inbound messages" })).toHaveAttribute("href", path);
});
