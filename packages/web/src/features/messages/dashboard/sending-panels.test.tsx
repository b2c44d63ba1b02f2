import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { MessageDayAnswer } from "@ewebal/contract";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { messageAnswer, messageId, noCounts } from "../testing/message-server.ts";

vi.setConfig({ testTimeout: 60_000 });
const late = { timeout: 40_000 };

const daysCall = `GET /api/${userId}/view-sms-days`;
const listCall = `GET /api/${userId}/populate-sms-history`;
const messageCall = `GET /api/${userId}/${messageId}/view-one-sms`;

/** Thirty days of which the last two had messages. */
function daysWith(today: Partial<MessageDayAnswer["counts"]>): MessageDayAnswer[] {
  return Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 2, 2 + index)).toISOString().slice(0, 10),
    messages: index > 27 ? 1 : 0,
    counts:
      index === 28 ? { ...noCounts, delivered: 90, failed: 6, dnd: 4 } : { ...noCounts, ...(index === 29 && today) },
  }));
}

function open(handlers: Record<string, FakeAnswer | ((request: FakeRequest) => FakeAnswer)> = {}): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [daysCall]: {
      body: { message: "Your last days", data: daysWith({ sent: 2, unknown: 1, waiting: 7, cancelled: 5 }) },
    },
    [listCall]: { body: { data: [messageAnswer()], next: null } },
    [messageCall]: { body: { message: "Message", data: messageAnswer() } },
    ...handlers,
  });
  renderApp("/user-dashboard");
  return requests;
}

beforeEach(() => startUserSession(userId));

test("a newcomer is told what will stand here, and how to begin; nothing is drawn and no message read", async () => {
  const data = { ...userAnswer.data, counts: { ...userAnswer.data.counts, sms: 0 } };
  const requests = open({
    [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data } },
    [daysCall]: { body: { message: "Your last days", data: [] } },
  });
  expect(await screen.findByRole("link", { name: "Send your first SMS" }, late)).toBeVisible();
  expect(screen.queryByRole("heading", { name: "Last messages" })).not.toBeInTheDocument();
  expect(screen.queryByRole("img", { name: /recipient/ })).not.toBeInTheDocument();
  expect(requests.some(({ call }) => call === listCall)).toBe(false);
});

test("the last 30 days stand as a picture, as figures and as a table; what was cancelled is nobody's result", async () => {
  open();
  expect(
    await screen.findByRole(
      "img",
      { name: "Recipients by the day of their message: 110 recipients, 90 delivered." },
      late,
    ),
  ).toBeInTheDocument();
  for (const [name, value] of [
    ["Delivery rate", "90 %"],
    ["Recipients", "110"],
    ["Failed", "6"],
    ["DND", "4"],
  ] as const) {
    expect(screen.getByText(name, { selector: "dt" }).nextElementSibling).toHaveTextContent(value);
  }
  expect(screen.getByRole("link", { name: /^Total SMS/ })).toHaveTextContent("12110 recipients in 30 days");
  await userEvent.click(screen.getByRole("button", { name: "Show data: Last 30 days" }));
  const rows = within(screen.getByRole("table", { name: "Last 30 days" })).getAllByRole("row");
  expect(rows).toHaveLength(31);
  const cells = rows.slice(-2).map((row) =>
    within(row)
      .getAllByRole("cell")
      .map(({ textContent }) => textContent),
  );
  expect(cells).toEqual([
    ["30 Mar", "1", "90", "0", "6", "4"],
    ["31 Mar", "1", "0", "10", "0", "0"],
  ]);
});

test("days without a message say so, and no rate is made up", async () => {
  const data = daysWith({}).map((day) => ({ ...day, messages: 0, counts: noCounts }));
  open({ [daysCall]: { body: { message: "Your last days", data } } });
  expect(await screen.findByText("No messages were sent in the last 30 days.", undefined, late)).toBeVisible();
  expect(screen.getByText("Delivery rate").nextElementSibling).toHaveTextContent("–");
  expect(screen.queryByRole("img", { name: /recipient/ })).not.toBeInTheDocument();
});

test("a month that cannot be read can be tried again, and the rest of the page stands", async () => {
  let answer: FakeAnswer = { status: 403, body: { message: "Not yours", code: "FORBIDDEN" } };
  open({ [daysCall]: () => answer });
  const again = await screen.findByRole("button", { name: "Try again" }, late);
  expect(screen.getByText("– recipients in 30 days")).toBeVisible();
  expect(screen.getByText("Your order is ready")).toBeVisible();
  answer = { body: { message: "Your last days", data: daysWith({}) } };
  await userEvent.click(again);
  expect(await screen.findByText("100 recipients in 30 days")).toBeVisible();
});

test("the newest three messages are listed without actions, and their bars follow their recipients", async () => {
  let counts = { ...noCounts, waiting: 1_000 };
  const requests = open({
    [listCall]: () => ({ body: { data: [messageAnswer({ state: "sending", counts })], next: null } }),
    [messageCall]: () => ({ body: { message: "Message", data: messageAnswer({ state: "sending", counts }) } }),
  });
  const list = await screen.findByRole("list", { name: "Sent messages" }, late);
  expect(requests.find(({ call }) => call === listCall)?.query).toBe("limit=3");
  expect(within(list).getByText("1,000 waiting")).toBeVisible();
  expect(within(list).queryByRole("button")).not.toBeInTheDocument();
  expect(within(list).getByRole("link", { name: "Your order is ready" })).toHaveAttribute(
    "href",
    `/user-dashboard/sms-history/${messageId}`,
  );
  counts = { ...noCounts, waiting: 400, delivered: 600 };
  act(() => FakeEventSource.opened[0]?.say("change", { topics: [`message:${messageId}`] }));
  expect(await within(list).findByText("600 delivered")).toBeVisible();
});

test("a new message is at once in the list; the days follow within seconds, read once however many hints there are", async () => {
  const requests = open();
  await screen.findByRole("list", { name: "Sent messages" }, late);
  const userCall = `GET /api/${userId}/view-one-user`;
  const asked = (call: string): number => requests.filter((request) => request.call === call).length;
  const [days, lists, users] = [asked(daysCall), asked(listCall), asked(userCall)];
  for (let hint = 1; hint <= 3; hint += 1) {
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["messages", "user"] }));
    await waitFor(() => expect([asked(listCall), asked(userCall)]).toEqual([lists + hint, users + hint]));
  }
  expect(asked(daysCall)).toBe(days);
  await waitFor(() => expect(asked(daysCall)).toBe(days + 1), { timeout: 15_000 });
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect(asked(daysCall)).toBe(days + 1);
});
