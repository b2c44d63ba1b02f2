import type { ConversationAnswer, InboundAnswer, InboxReplyAnswer, OptOutAnswer } from "@ewebal/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { sent } from "../testing/message-server.ts";

vi.setConfig({ testTimeout: 20_000 });

const person = "2348030000001";
const at = (minute: number): string => `2026-11-23T10:0${minute}:00.000Z`;
const asked: InboundAnswer = {
  _id: "01900000-0000-7000-8000-0000000000f1",
  from: person,
  to: "2347000000001",
  text: "When do you open?",
  createdAt: at(1),
};
const talk: ConversationAnswer = { from: person, to: asked.to, text: asked.text, messages: 1, createdAt: at(1) };
const listOf = (...data: object[]): FakeAnswer => ({ body: { data, next: null } });

function signedInServer(answers: Record<string, (request: FakeRequest) => FakeAnswer>): FakeRequest[] {
  startUserSession(userId);
  return fakeServer({ [`GET /api/${userId}/view-one-user`]: () => ({ body: userAnswer }), ...answers });
}

test("the inbox lists everybody with their last message, and says when there is nobody", async () => {
  let answer = listOf();
  signedInServer({ [`GET /api/${userId}/conversations`]: () => answer });
  const { unmount } = renderApp("/user-dashboard/inbox");
  expect(await screen.findByText("Nobody has written yet")).toBeVisible();
  unmount();
  answer = listOf(talk);
  renderApp("/user-dashboard/inbox");
  const link = await screen.findByRole("link", { name: `+${person}` });
  expect(link).toHaveAttribute("href", `/user-dashboard/inbox/${person}`);
  expect(screen.getByText("When do you open?")).toBeVisible();
});

test("a conversation is in order, and a reply answers the last message", async () => {
  const replied: InboxReplyAnswer = {
    _id: "01900000-0000-7000-8000-0000000000f2",
    inboxId: asked._id,
    from: asked.to,
    to: person,
    text: "At eight.",
    state: "delivered",
    createdAt: at(2),
  };
  let replies = listOf();
  const replyCall = `POST /api/${userId}/${asked._id}/reply`;
  const requests = signedInServer({
    [`GET /api/${userId}/inbox`]: () => listOf(asked),
    [`GET /api/${userId}/inbox-replies`]: () => replies,
    [replyCall]: () => sent,
  });
  renderApp(`/user-dashboard/inbox/${person}`);
  const button = await screen.findByRole("button", { name: "Send reply" });
  expect(button).toHaveAccessibleDescription("Still needed: a message");
  await userEvent.type(screen.getByLabelText("Message"), "At eight.");
  replies = listOf(replied);
  await userEvent.click(button);
  expect(await screen.findByText("You: delivered")).toBeVisible();
  const texts = within(screen.getByRole("list", { name: "Messages, the newest last" }))
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
  expect(texts[0]).toContain("When do you open?");
  expect(texts[1]).toContain("At eight.");
  expect(requests.find(({ call }) => call === replyCall)?.body).toEqual({ message: "At eight." });
  expect(screen.getByLabelText("Message")).toHaveValue("");
});

test("opt-outs are added, say how they came, and are taken off after a question", async () => {
  const byWord: OptOutAnswer = { phoneNo: person, source: "sms", createdAt: at(1) };
  let data = [byWord];
  const url = `/api/${userId}/opt-outs`;
  const requests = signedInServer({
    [`GET ${url}`]: () => listOf(...data),
    [`POST ${url}`]: () => ({ status: 201, body: { message: "1 added to the list", data: { added: 1, existing: 1 } } }),
    [`DELETE ${url}`]: () => ({ body: { message: "1 taken off the list", data: { removed: 1 } } }),
  });
  renderApp("/user-dashboard/opt-outs");
  expect(await screen.findByText("Wrote STOP")).toBeVisible();
  expect(screen.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", `${url}?format=csv`);
  await userEvent.type(screen.getByLabelText("Numbers"), "08030000002");
  await userEvent.click(screen.getByRole("button", { name: "Add to the list" }));
  expect(await screen.findByText("1 added to the list")).toBeVisible();
  expect(requests.find(({ call }) => call === `POST ${url}`)?.body).toEqual({ phoneNo: "08030000002" });
  data = [];
  await userEvent.click(screen.getByRole("button", { name: `Remove +${person}` }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Nobody has opted out")).toBeVisible();
  expect(requests.find(({ call }) => call === `DELETE ${url}`)?.body).toEqual({ phoneNo: person });
});
