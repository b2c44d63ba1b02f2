import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { OverviewCharts } from "@ewebal/contract";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { emptyCharts, signedInServer } from "../testing/admin-answers.ts";
import { deliveryRate, formatDay, formatPercent } from "../../../shared/traffic/outcomes.ts";

// The charts are fetched when they are needed, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const late = { timeout: 40_000 };

const call = "GET /api/view-overview-charts";
const outcomes = { sent: 1, delivered: 90, failed: 6, dnd: 4, unknown: 0 };
const charts: OverviewCharts = {
  days: [
    {
      day: "2026-11-19",
      outcomes: { sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0 },
      unitsSold: 0,
      unitsUsed: 0,
    },
    { day: "2026-11-20", outcomes, unitsSold: 5_000, unitsUsed: 300.5 },
  ],
  networks: [{ network: "MTN", outcomes }],
  topCustomers: [
    { _id: "01900000-0000-7000-8000-000000000001", userName: "ada", email: "ada@gmail.com", unitsUsed: 300.5 },
  ],
  asOf: new Date(Date.now() - 60_000).toISOString(),
};

test("rates are of those whose fate is known; days are read without a time zone", () => {
  expect(formatPercent(deliveryRate(outcomes))).toBe("90 %");
  expect(formatPercent(deliveryRate({ ...outcomes, delivered: 0, failed: 0, dnd: 0 }))).toBe("No reports yet");
  expect([99.96, 100, 2.3, 0].map(formatPercent)).toEqual(["99.9 %", "100 %", "2.3 %", "0 %"]);
  expect(formatDay("2026-11-20")).toBe("20 Nov");
});

test("each chart has its figures as a table, under Show data", async () => {
  signedInServer({ [call]: { body: { message: "Overview", data: charts } } });
  renderApp("/admin-dashboard");
  expect(
    await screen.findByRole("img", { name: "Messages per day. 101 recipients in 2 days." }, late),
  ).toBeInTheDocument();
  expect(
    screen.getByRole("img", { name: "Units sold and used. 5,000.00 units sold and 300.50 used in 2 days." }),
  ).toBeInTheDocument();
  expect(screen.getByText("Updated", { exact: false })).toHaveTextContent("Updated 1 minute ago");
  expect(screen.getByRole("link", { name: "ada" })).toHaveAttribute(
    "href",
    "/admin-dashboard/manage-all-users/more-details-about-user/01900000-0000-7000-8000-000000000001",
  );
  for (const [title, cells] of [
    ["Messages per day", ["20 Nov", "90", "1", "6", "4", "0"]],
    ["Units sold and used", ["20 Nov", "5,000.00", "300.50"]],
    ["Delivery rate by network", ["MTN", "90", "1", "6", "4", "0", "90 %"]],
    ["Top customers", ["ada", "ada@gmail.com", "300.50"]],
  ] as const) {
    await userEvent.click(screen.getByRole("button", { name: `Show data: ${title}` }));
    const rows = within(screen.getByRole("table", { name: title })).getAllByRole("row");
    expect(
      within(rows.at(-1) as HTMLElement)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    ).toEqual(cells);
    await userEvent.click(screen.getByRole("button", { name: `Hide data: ${title}` }));
    expect(screen.queryByRole("table", { name: title })).not.toBeInTheDocument();
  }
});

test("the range stands in the address, and another one is another question", async () => {
  const requests = signedInServer();
  renderApp("/admin-dashboard?days=7");
  expect(await screen.findByRole("radio", { name: "7 days" }, late)).toBeChecked();
  await userEvent.click(screen.getByText("90 days"));
  await waitFor(() =>
    expect(requests.filter((request) => request.call === call).map(({ query }) => query)).toEqual([
      "days=7",
      "days=90",
    ]),
  );
});

test("charts without anything to show say so, and follow the topic of their own", async () => {
  let data = emptyCharts;
  const requests = signedInServer({ [call]: () => ({ body: { message: "Overview", data } }) });
  renderApp("/admin-dashboard");
  expect(await screen.findByText("No units were used in this period.", undefined, late)).toBeVisible();
  expect(screen.getAllByText("No messages were sent in this period.")).toHaveLength(2);
  const asked = requests.filter((request) => request.call === call).length;
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["admin"] }));
  data = charts;
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["overview"] }));
  expect(await screen.findByText("MTN")).toBeVisible();
  expect(requests.filter((request) => request.call === call)).toHaveLength(asked + 1);
});
