import type { RecipientAnswer } from "@ewebal/contract";
import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { messageAnswer, messageId, messageServer, noCounts } from "../testing/message-server.ts";

beforeEach(() => startUserSession(userId));

test("where texts differ, each person's text stands with its pages, and how many have how many", async () => {
  const data = messageAnswer({ message: "Dear {{name}}", pages: 2, price: 6, pageCounts: { "1": 900, "2": 100 } });
  const row = (phoneNo: string, text: string, pages: number): RecipientAnswer => ({
    phoneNo,
    text,
    pages,
    state: "delivered",
    network: "MTN",
    reason: "",
    updatedAt: "2026-03-05T10:00:01.000Z",
  });
  const rows = [row("2348030000001", "Dear Ada", 1), row("2348030000002", "Dear Bola", 2)];
  messageServer({
    [`GET /api/${userId}/${messageId}/view-one-sms`]: { body: { message: "Message", data } },
    [`GET /api/${userId}/${messageId}/recipients`]: { body: { data: rows, next: null } },
  });
  renderApp(`/user-dashboard/sms-history/${messageId}`);
  expect(await screen.findByText(/^Dear Ada/)).toHaveTextContent("Dear Ada 1 page");
  expect(screen.getByText(/^Dear Bola/)).toHaveTextContent("Dear Bola 2 pages");
  expect(screen.getByText("Recipients with 2 pages").nextSibling).toHaveTextContent("100");
  expect(screen.getByText("Units per page").nextSibling).toHaveTextContent("3");
});

test("a message that waits for quiet hours says until when, and can be paused and cancelled, not resumed", async () => {
  const deferredUntil = "2026-03-06T07:00:00.000Z";
  const counts = { ...noCounts, waiting: 6 };
  const data = messageAnswer({ state: "deferred", deferredUntil, recipients: 6, counts });
  messageServer({
    [`GET /api/${userId}/${messageId}/view-one-sms`]: { body: { message: "Message", data } },
    [`GET /api/${userId}/${messageId}/recipients`]: { body: { data: [], next: null } },
  });
  renderApp(`/user-dashboard/sms-history/${messageId}`);
  const time = new Date(deferredUntil).toTimeString().slice(0, 5);
  expect(await screen.findByText(`Waits until ${time}`)).toBeVisible();
  expect(screen.getByRole("button", { name: "Pause" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Cancel the rest" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
});
