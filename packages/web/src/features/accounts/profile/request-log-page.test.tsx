import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const key = {
  _id: "01900000-0000-7000-8000-0000000000c1",
  name: "Till",
  kind: "api",
  mode: "test",
  scopes: ["messages:send"],
  addresses: [],
  createdAt: "2026-01-02T10:00:00.000Z",
  expiresAt: null,
};
const call = {
  _id: "01900000-0000-7000-8000-0000000000d1",
  keyID: key._id,
  method: "POST",
  path: "/api/v1/messages",
  status: 402,
  code: "LIMIT_REACHED",
  ms: 12,
  createdAt: "2026-01-02T10:00:00.000Z",
};
const viewUser = { [`GET /api/${userId}/view-one-user`]: { body: userAnswer } };
const keys = { [`GET /api/${userId}/api-keys`]: { body: { data: [key], next: null } } };
const log = `GET /api/${userId}/request-log`;
const usage = `GET /api/${userId}/usage`;

beforeEach(() => startUserSession(userId));

test("before the first call it says so, and where to get a key", async () => {
  fakeServer({
    ...viewUser,
    ...keys,
    [log]: { body: { data: [], next: null } },
    [usage]: { body: { message: "", data: [] } },
  });
  renderApp("/user-dashboard/api-usage");
  await waitFor(() => expect(screen.getAllByText("No program has called yet")).toHaveLength(2));
});

test("calls show their key and refusal, days their sums, and a filter asks the server", async () => {
  const requests = fakeServer({
    ...viewUser,
    ...keys,
    [log]: { body: { data: [call], next: null } },
    [usage]: { body: { message: "", data: [{ day: "2026-01-02", keyID: key._id, calls: 1200, errors: 7 }] } },
  });
  renderApp("/user-dashboard/api-usage");
  const calls = await screen.findByRole("list", { name: "Calls of programs" });
  expect(within(calls).getByText("POST /api/v1/messages")).toBeVisible();
  expect(within(calls).getByText("402 LIMIT_REACHED")).toBeVisible();
  expect(await within(calls).findByText("Till (test)")).toBeVisible();
  expect(within(await screen.findByRole("list", { name: "Calls by day" })).getByText("1,200")).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "4xx");
  await expect.poll(() => requests.some(({ query }) => query.includes("status=4xx"))).toBe(true);
});
