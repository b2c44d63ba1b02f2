import type { CarrierCostAnswer, MarginRowAnswer } from "@ewebal/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const carrierId = "01900000-0000-7000-8000-0000000000e1";
const row: MarginRowAnswer = {
  key: "234",
  name: "Nigeria",
  messages: 4,
  parts: 6,
  revenue: 12,
  cost: 15.25,
  margin: -3.25,
  uncosted: 1,
  flag: "negative",
};
const setCall = `PATCH /api/${adminId}/${carrierId}/set-carrier-cost`;

test("a negative margin and a missing cost are flagged; costs are set and removed", async () => {
  let costs: CarrierCostAnswer[] = [];
  const rowsOf = ({ query }: FakeRequest): MarginRowAnswer[] => {
    const by = new URLSearchParams(query).get("by");
    if (by === "day") return [{ ...row, key: "2026-11-25", name: "2026-11-25" }];
    if (by === "carrier") return [{ ...row, key: "3", name: "mtn", margin: 3, flag: "no-cost" }];
    const shared = { ...row, key: "44", name: "Guernsey, Isle of Man, Jersey, United Kingdom" };
    return by === "country" ? [row, shared] : [];
  };
  const requests = signedInServer({
    "GET /api/view-margin": (request) => ({ body: { message: "Margin", data: rowsOf(request) } }),
    "GET /api/view-carriers": { body: { message: "Carriers", data: [{ _id: carrierId, name: "mtn" }] } },
    "GET /api/view-carrier-costs": () => ({ body: { message: "Costs", data: costs } }),
    [setCall]: ({ body }) => {
      const { prefix, cost } = body as { prefix: string; cost: number | null };
      costs = cost === null ? [] : [{ carrier: "mtn", prefix, cost }];
      return { body: { message: "The cost is changed", data: costs } };
    },
  });
  renderApp("/admin-dashboard/margin");
  expect((await screen.findAllByText("Negative"))[0]).toBeVisible();
  expect(await screen.findByText("1 without cost")).toBeVisible();
  expect(await screen.findByText("Nigeria (+234)")).toBeVisible();
  expect(screen.getByText("United Kingdom (+44)")).toBeVisible();
  expect(await screen.findByText("No messages in these days")).toBeVisible();
  const save = await screen.findByRole("button", { name: "Save the cost" });
  expect(save).toHaveAccessibleDescription("Still needed: naira a part with at most three decimals");
  await userEvent.type(screen.getByLabelText("Naira a part"), "1.125");
  await userEvent.click(save);
  await userEvent.click(await screen.findByRole("button", { name: "Remove the cost of mtn for +234" }));
  expect(await screen.findByText("No costs are known")).toBeVisible();
  expect(requests.filter(({ call }) => call === setCall).map(({ body }) => body)).toEqual([
    { prefix: "234", cost: 1.125 },
    { prefix: "234", cost: null },
  ]);
  await userEvent.click(within(screen.getByRole("radiogroup", { name: "Days" })).getByText("7 days"));
  expect(await screen.findByText("By country")).toBeVisible();
});

test("a refusal can be tried again", async () => {
  signedInServer({
    "GET /api/view-margin": refusal(403, "FORBIDDEN", "You don't have access to this"),
    "GET /api/view-carriers": { body: { message: "Carriers", data: [] } },
    "GET /api/view-carrier-costs": { body: { message: "Costs", data: [] } },
  });
  renderApp("/admin-dashboard/margin");
  expect((await screen.findAllByText("You don't have access to this")).length).toBeGreaterThan(0);
});
