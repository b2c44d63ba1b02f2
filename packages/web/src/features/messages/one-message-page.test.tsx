import type { MessageAnswer, RecipientAnswer, RecipientState } from "@ewebal/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../lib/session.ts";
import { FakeEventSource } from "../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../testing/fake-server.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { messageAnswer, messageId, noCounts } from "./testing/message-answers.ts";

const address = `/user-dashboard/sms-history/${messageId}`;
const recipientsCall = `GET /api/${userId}/${messageId}/recipients`;

beforeEach(() => startUserSession(userId));

function recipient(index: number, state: RecipientState = "delivered", reason = ""): RecipientAnswer {
  return { phoneNo: String(2_348_030_000_000 + index), state, network: "MTN", reason, updatedAt: "2026-03-05T10:00:01.000Z" };
}

function open(message: { current: MessageAnswer }, handlers: Parameters<typeof fakeServer>[0] = {}, search = ""): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/${messageId}/view-one-sms`]: () => ({ body: { message: "Message", data: message.current } }),
    [recipientsCall]: { body: { data: [recipient(1), recipient(2, "failed", "The phone could not be reached in time")], next: null } },
    ...handlers,
  });
  renderApp(`${address}${search}`);
  return requests;
}

const running = messageAnswer({ state: "sending", counts: { ...noCounts, waiting: 600, delivered: 400 } });

test("a running send shows how far it is, and moves when the server says so", async () => {
  const message = { current: running };
  open(message);
  const bar = await screen.findByRole("progressbar", { name: "Done" });
  expect(bar).toHaveAttribute("aria-valuenow", "40");
  expect(bar).toHaveAttribute("aria-valuetext", "400 delivered, 600 waiting");
  expect(screen.getByText("Sending")).toBeVisible();

  message.current = { ...running, counts: { ...noCounts, waiting: 1, delivered: 999 } };
  act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: [`message:${messageId}`] }));
  await waitFor(() => expect(bar).toHaveAttribute("aria-valuenow", "99"));
});

test("when the counts move, the recipients on screen are read again", async () => {
  const message = { current: running };
  let state: RecipientState = "waiting";
  open(message, { [recipientsCall]: () => ({ body: { data: [recipient(1, state)], next: null } }) });
  expect(within(await screen.findByRole("list", { name: "Recipients" })).getByText("Waiting")).toBeVisible();
  state = "delivered";
  message.current = { ...running, counts: { ...noCounts, waiting: 599, delivered: 401 } };
  act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: [`message:${messageId}`] }));
  await waitFor(() => expect(within(screen.getByRole("list", { name: "Recipients" })).getByText("Delivered")).toBeVisible());
});

test("a done message is Successful and cannot be steered", async () => {
  open({ current: messageAnswer() });
  expect(await screen.findByText("Successful")).toBeVisible();
  expect(screen.getByText(/of 1,000 done/)).toBeVisible();
  for (const name of ["Pause", "Resume", "Cancel the rest"]) expect(screen.queryByRole("button", { name })).toBeNull();
});

test("a running send can be paused, and a paused one resumed", async () => {
  const message = { current: running };
  open(message, {
    [`POST /api/${userId}/${messageId}/pause`]: () => {
      message.current = { ...running, state: "paused" };
      return { body: { message: "Paused. What is not sent yet waits" } };
    },
    [`POST /api/${userId}/${messageId}/resume`]: () => {
      message.current = running;
      return { body: { message: "Going on" } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByText("Paused. What is not sent yet waits")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("button", { name: "Pause" })).toBeVisible();
});

test("cancelling the rest asks first and says what it means", async () => {
  const cancelCall = `POST /api/${userId}/${messageId}/cancel`;
  const requests = open({ current: running }, { [cancelCall]: { body: { message: "Cancelled. The units of what was not sent come back" } } });
  await userEvent.click(await screen.findByRole("button", { name: "Cancel the rest" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel the rest?" });
  expect(dialog).toHaveTextContent("The 600 numbers that are still waiting will get nothing, and their units come back.");
  await userEvent.click(screen.getByRole("button", { name: "Nope" }));
  expect(requests.some(({ call }) => call === cancelCall)).toBe(false);

  await userEvent.click(screen.getByRole("button", { name: "Cancel the rest" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Cancelled. The units of what was not sent come back")).toBeVisible();
});

test("a step that came too late says so in the server's words", async () => {
  open({ current: running }, { [`POST /api/${userId}/${messageId}/pause`]: { status: 409, body: { message: "This message is done already", code: "STATE_CONFLICT" } } });
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByText("This message is done already")).toBeVisible();
});

test("every recipient has number, network, state, and the reason in plain words", async () => {
  open({ current: messageAnswer() });
  const list = await screen.findByRole("list", { name: "Recipients" });
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first).toHaveTextContent("+2348030000001DeliveredMTN");
  expect(second).toHaveTextContent("The phone could not be reached in time");
});

test("the state filter lives in the address and is asked of the server", async () => {
  const requests = open({ current: messageAnswer() }, {}, "?state=failed");
  const filter = await screen.findByRole("navigation", { name: "Recipients by state" });
  expect(within(filter).getByRole("link", { name: "Failed 15" })).toHaveAttribute("aria-current", "page");
  expect(within(filter).getByRole("link", { name: "All 1,000" })).not.toHaveAttribute("aria-current");
  await waitFor(() => expect(requests.find(({ call }) => call === recipientsCall)?.query).toContain("state=failed"));

  await userEvent.click(within(filter).getByRole("link", { name: "DND 5" }));
  await waitFor(() => expect(requests.findLast(({ call }) => call === recipientsCall)?.query).toContain("state=dnd"));
});

test("a state that nobody is in can be cleared", async () => {
  open({ current: messageAnswer() }, { [recipientsCall]: ({ query }) => ({ body: { data: query.includes("state=") ? [] : [recipient(1)], next: null } }) }, "?state=unknown");
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("+2348030000001")).toBeVisible();
});

test("the next page of recipients is read by cursor when the end is near", async () => {
  const queries: string[] = [];
  open(
    { current: messageAnswer() },
    {
      [recipientsCall]: ({ query }) => {
        queries.push(query);
        return { body: query.includes("after=1") ? { data: [recipient(3)], next: null } : { data: [recipient(1), recipient(2)], next: "1" } };
      },
    },
  );
  expect(await screen.findByText("+2348030000003")).toBeVisible();
  expect(queries).toHaveLength(2);
});

test("a message that is not there says so", async () => {
  open({ current: messageAnswer() }, { [`GET /api/${userId}/${messageId}/view-one-sms`]: { status: 404, body: { message: "Not found", code: "NOT_FOUND" } } });
  expect(await screen.findByText("Not found")).toBeVisible();
  expect(screen.getAllByRole("link", { name: "SMS history" }).at(-1)).toHaveAttribute("href", "/user-dashboard/sms-history");
});
