import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const viewUser = { [`GET /api/${userId}/view-one-user`]: { body: userAnswer } };
const list = `GET /api/${userId}/webhooks`;
const make = `POST /api/${userId}/webhooks`;
const shop = {
  _id: "01900000-0000-7000-8000-0000000000e1",
  url: "https://shop.example/ewebal",
  events: ["message.finished"],
  state: "on",
  createdAt: "2026-01-02T10:00:00.000Z",
};
const failed = {
  _id: "01900000-0000-7000-8000-0000000000f1",
  eventId: "01900000-0000-7000-8000-0000000000f2",
  type: "message.finished",
  at: "2026-01-02T10:00:00.000Z",
  status: 503,
  ms: 1234,
  answer: "The shop is closed",
  state: "failed",
};
const attempts = `GET /api/${userId}/${shop._id}/attempts`;
const replay = `POST /api/${userId}/${shop._id}/replay`;
const edit = `PATCH /api/${userId}/${shop._id}/edit-webhook`;
const rotate = `POST /api/${userId}/${shop._id}/rotate-webhook-secret`;
const withShop = (webhook: object = shop) => ({
  ...viewUser,
  [list]: { body: { data: [webhook], next: null } },
  [attempts]: { body: { data: [failed], next: null } },
});

beforeEach(() => startUserSession(userId));

test("a refused address stays at its field; then the secret is shown once", async () => {
  const refusal = {
    status: 400,
    body: { message: "Check the fields", code: "VALIDATION", fields: { url: "is a private address" } },
  };
  fakeServer({ ...viewUser, [list]: { body: { data: [], next: null } }, [make]: refusal });
  const { unmount } = renderApp("/user-dashboard/webhooks");
  await userEvent.click(await screen.findByRole("button", { name: "Create your first webhook" }));
  const create = await screen.findByRole("button", { name: "Create webhook" });
  expect(create).toHaveAccessibleDescription("Still needed: address");
  await userEvent.type(screen.getByLabelText("Address"), "http://10.0.0.1/");
  await userEvent.click(create);
  expect(await screen.findByText("is a private address")).toBeVisible();
  unmount();

  const requests = fakeServer({
    ...viewUser,
    [list]: { body: { data: [], next: null } },
    [make]: { status: 201, body: { message: "", data: { ...shop, secret: "whsec_once" } } },
  });
  renderApp("/user-dashboard/webhooks");
  await userEvent.click(await screen.findByRole("button", { name: "New webhook" }));
  await userEvent.click(await screen.findByLabelText("The balance is low"));
  await userEvent.type(screen.getByLabelText("Address"), `${shop.url} {Enter}`);
  expect(await screen.findByText("whsec_once")).toBeVisible();
  const sent = requests.find(({ call }) => call === make)?.body as { url: string; events: string[] };
  expect(sent.url).toBe(shop.url);
  expect(sent.events).toHaveLength(7);
  expect(sent.events).not.toContain("balance.low");
  await userEvent.click(screen.getByRole("button", { name: "I have saved it" }));
  await waitFor(() => expect(screen.queryByText("whsec_once")).not.toBeInTheDocument());
});

test("attempts show what was answered; one event, all that failed, or a time is replayed", async () => {
  const requests = fakeServer({
    ...withShop(),
    [replay]: { status: 202, body: { message: "On the way", data: { queued: 2 } } },
  });
  const bodies = (): unknown[] => requests.filter(({ call }) => call === replay).map(({ body }) => body);
  renderApp("/user-dashboard/webhooks");
  const row = await screen.findByRole("list", { name: "Attempts" });
  for (const text of ["message.finished", "Failed", "503", "1,234 ms", "The shop is closed"])
    expect(within(row).getByText(text)).toBeVisible();
  await userEvent.click(within(row).getByRole("button", { name: /^Replay message.finished/ }));
  await userEvent.click(screen.getByRole("button", { name: "Replay all failed" }));
  expect((await screen.findAllByText("2 events on the way"))[0]).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Replay a time range" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText("From"), "2026-01-02T10:00");
  await userEvent.type(within(dialog).getByLabelText("To"), "2026-01-02T11:00");
  await userEvent.click(within(dialog).getByRole("button", { name: "Replay" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  const range = { from: new Date("2026-01-02T10:00").toISOString(), to: new Date("2026-01-02T11:00").toISOString() };
  expect(bodies()).toEqual([{ eventId: failed.eventId }, { failed: true }, range]);
  await userEvent.selectOptions(screen.getByLabelText("State"), "delivered");
  await expect.poll(() => requests.some(({ query }) => query.includes("state=delivered"))).toBe(true);
});

test("one that was switched off says why, replays nothing, and is switched on again; a new secret asks first", async () => {
  const requests = fakeServer({
    ...withShop({ ...shop, state: "off", offReason: "It answered nothing for 72 hours" }),
    [edit]: { body: { message: "The webhook is changed", data: shop } },
    [rotate]: { body: { message: "", data: { secret: "whsec_new" } } },
  });
  renderApp("/user-dashboard/webhooks");
  expect(await screen.findByText("It answered nothing for 72 hours")).toBeVisible();
  expect(screen.getByRole("button", { name: "Replay all failed" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: `Switch on: ${shop.url}` }));
  expect(await screen.findByText("The webhook is on")).toBeVisible();
  expect(requests.find(({ call }) => call === edit)?.body).toEqual({ state: "on" });
  const press = async (answer: string): Promise<void> => {
    await userEvent.click(screen.getByRole("button", { name: `New secret: ${shop.url}` }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: answer }));
  };
  await press("Nope");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(requests.map(({ call }) => call)).not.toContain(rotate);
  await press("Proceed");
  expect(await screen.findByText("whsec_new")).toBeVisible();
});
