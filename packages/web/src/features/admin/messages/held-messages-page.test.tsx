import type { HeldMessageAnswer } from "@ewebal/contract";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, adminId, refusal, signedInServer } from "../testing/admin-answers.ts";

vi.setConfig({ testTimeout: 20_000 });

const listCall = "GET /api/view-held-messages";
const held: HeldMessageAnswer = {
  _id: "01900000-0000-7000-8000-0000000000e1",
  userID: ada._id,
  userName: ada.userName,
  senderName: "AdaStores",
  message: "Market day is on Friday",
  code: "234",
  phoneNo: "2348030000001",
  recipients: 1_500,
  pages: 1,
  price: 3,
  state: "held",
  class: "promotional",
  mode: "live",
  counts: { waiting: 1_200, sent: 300, delivered: 0, failed: 0, dnd: 0, unknown: 0, cancelled: 0 },
  createdAt: new Date().toISOString(),
  reason: "held after a restore",
  heldAt: new Date().toISOString(),
  heldFrom: "sending",
};
const other: HeldMessageAnswer = {
  ...held,
  _id: "01900000-0000-7000-8000-0000000000e2",
  senderName: "BolaShop",
  heldFrom: "paused",
};
const callOf = ({ _id }: HeldMessageAnswer, verb: string): `PATCH ${string}` =>
  `PATCH /api/${adminId}/${_id}/${verb}-message`;

test("nothing is held: the page says so and offers nothing to decide", async () => {
  signedInServer({ [listCall]: { body: { data: [], next: null } } });
  renderApp("/admin-dashboard/held-messages");
  expect(await screen.findByText("There are no held messages")).toBeVisible();
  expect(screen.queryByRole("button", { name: /listed$/ })).not.toBeInTheDocument();
});

test("a message is released after a question that says what it may cost; a refusal is told", async () => {
  let data = [held];
  let answer = refusal(409, "ALREADY_DECIDED", "This was already decided");
  const requests = signedInServer({
    [listCall]: () => ({ body: { data, next: null } }),
    [callOf(held, "release")]: () => answer,
  });
  renderApp("/admin-dashboard/held-messages");
  expect(await screen.findByText("1,200 of 1,500")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Release the message from AdaStores" }));
  expect(await screen.findByText(/get the message twice/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Nope" }));
  expect(requests.some(({ call }) => call === callOf(held, "release"))).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Release the message from AdaStores" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Unable to release")).toBeVisible();
  data = [];
  answer = { body: { message: "Released. The rest of the message is sent" } };
  await userEvent.click(await screen.findByRole("button", { name: "Release the message from AdaStores" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("There are no held messages")).toBeVisible();
});

test("all that are listed are refused one after the other", async () => {
  let data = [held, other];
  const body = { message: "Refused. The rest of the message is cancelled, and its units came back" };
  const requests = signedInServer({
    [listCall]: () => ({ body: { data, next: null } }),
    [callOf(held, "refuse")]: () => ({ body }),
    [callOf(other, "refuse")]: () => {
      data = [];
      return { body };
    },
  });
  renderApp("/admin-dashboard/held-messages");
  await userEvent.click(await screen.findByRole("button", { name: "Refuse all 2 listed" }));
  expect(await screen.findByText("About to refuse 2 messages?")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("There are no held messages")).toBeVisible();
  expect(requests.filter(({ call }) => call.endsWith("refuse-message")).map(({ call }) => call)).toEqual([
    callOf(held, "refuse"),
    callOf(other, "refuse"),
  ]);
});
