import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const otherId = "01900000-0000-7000-8000-0000000000d1";
const messageId = "01900000-0000-7000-8000-0000000000d2";
const viewUser = `GET /api/${userId}/view-one-user`;
const own = {
  _id: userId,
  email: "owner@gmail.com",
  role: "owner",
  state: "active",
  userName: "Acme",
  fullName: "Acme Limited",
  isYou: true,
  createdAt: "2026-01-02T10:00:00.000Z",
};
const ada = { ...own, _id: otherId, email: "ada@gmail.com", role: "sender", fullName: "Ada Obi", isYou: false };
const as = (role: string) => ({
  body: {
    ...userAnswer,
    data: {
      ...userAnswer.data,
      member: { _id: otherId, role, userName: "Ada", fullName: "Ada Obi", email: ada.email },
    },
  },
});
const team = {
  [viewUser]: { body: userAnswer },
  [`GET /api/${userId}/members`]: { body: { data: [own, ada], next: null } },
  [`GET /api/${userId}/approval-limit`]: { body: { message: "", data: { recipients: null } } },
};

beforeEach(() => startUserSession(userId));

test("an owner invites, gives a role, removes and sets the limit; the account's own user is fixed", async () => {
  const member = `/api/${userId}/${otherId}/member`;
  const requests = fakeServer({
    ...team,
    [`POST /api/${userId}/members`]: { status: 201, body: { message: "bola@gmail.com is invited", data: ada } },
    [`PATCH ${member}`]: { body: { message: "The role is changed", data: ada } },
    [`DELETE ${member}`]: { body: { message: "The member is removed" } },
    [`PATCH /api/${userId}/approval-limit`]: { body: { message: "Saved so", data: { recipients: 100 } } },
  });
  renderApp("/user-dashboard/team");
  const role = await screen.findByRole("combobox", { name: "Role of Ada Obi" });
  expect(screen.queryByRole("button", { name: "Remove Acme Limited" })).toBeNull();
  await userEvent.selectOptions(role, "approver");
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The role is changed")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove Ada Obi" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("The member is removed")).toBeVisible();
  await userEvent.type(screen.getByLabelText("Email"), "bola@gmail.com{Enter}");
  expect(await screen.findByText("bola@gmail.com is invited")).toBeVisible();
  await userEvent.type(await screen.findByLabelText("Recipients without approval"), "100{Enter}");
  expect(await screen.findByText("Saved so")).toBeVisible();
  const changes = requests.filter(({ call }) => !call.startsWith("GET")).map(({ body }) => body);
  expect(changes).toEqual([
    { role: "approver" },
    undefined,
    { email: "bola@gmail.com", role: "sender" },
    { recipients: 100 },
  ]);
});

test("a member reads who is there, and changes nothing", async () => {
  // An administrator who looks at the account reads as a member does.
  const acting = { adminName: "ops", reason: "A failed message", endsAt: "2026-01-01T10:30:00.000Z" };
  for (const user of [as("sender"), { body: { ...userAnswer, data: { ...userAnswer.data, acting } } }]) {
    fakeServer({ ...team, [viewUser]: user });
    const { unmount } = renderApp("/user-dashboard/team");
    expect(await screen.findByText("ada@gmail.com")).toBeVisible();
    expect(await screen.findByText("Messages of senders go out at once.")).toBeVisible();
    expect(within(screen.getByRole("main")).queryByRole("button")).toBeNull();
    unmount();
  }
});

test("an approver sees who sent what and lets it go; a sender only waits", async () => {
  const waiting = {
    _id: messageId,
    senderName: "ACME",
    sentBy: "Ada Obi",
    message: "Sale today",
    recipients: 300,
    units: { charged: 0, reserved: 900, returned: 0 },
    createdAt: "2026-01-02T10:00:00.000Z",
  };
  const approve = `PATCH /api/${userId}/${messageId}/approve-message`;
  const list = { [`GET /api/${userId}/approvals`]: { body: { data: [waiting], next: null } } };
  const requests = fakeServer({
    ...list,
    [viewUser]: as("approver"),
    [approve]: { body: { message: "Approved. The message goes out" } },
  });
  const { unmount } = renderApp("/user-dashboard/approvals");
  expect(await screen.findByText(/Sent by Ada Obi/)).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Approve the message from ACME" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Approved. The message goes out")).toBeVisible();
  expect(requests.filter(({ call }) => call === approve)).toHaveLength(1);
  unmount();
  fakeServer({ ...list, [viewUser]: as("sender") });
  renderApp("/user-dashboard/approvals");
  expect(await screen.findByText("Sale today")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Approve the message from ACME" })).toBeNull();
});

test("units move to a sub-account and back, each press once", async () => {
  const sub = {
    _id: otherId,
    userName: "Kano",
    fullName: "Kano Branch",
    email: "kano@gmail.com",
    phoneNo: "8031234567",
    units: 40,
    capUnitsPerDay: null,
    usedToday: 0,
    blocked: false,
    createdAt: "2026-01-02T10:00:00.000Z",
  };
  const move = `POST /api/${userId}/${otherId}/move-units`;
  const requests = fakeServer({
    [viewUser]: { body: userAnswer },
    [`GET /api/${userId}/sub-accounts`]: { body: { data: [sub], next: null } },
    [move]: { body: { message: "15 units are taken back", data: { _id: messageId, units: 75, subUnits: 25 } } },
  });
  renderApp("/user-dashboard/sub-accounts");
  await userEvent.selectOptions(await screen.findByLabelText("Move"), "take");
  await userEvent.type(screen.getByLabelText("Units"), "15{Enter}");
  expect(await screen.findByText("15 units are taken back")).toBeVisible();
  const sent = requests.filter(({ call }) => call === move);
  expect(sent.map(({ body }) => body)).toEqual([{ units: -15 }]);
});
