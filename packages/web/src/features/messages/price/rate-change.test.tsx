import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { messageServer } from "../testing/message-server.ts";

beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

test("a rate that an administrator changes is in the price at once", async () => {
  let rate = 3;
  messageServer({
    "GET /api/rates": () => ({ body: { data: [{ country: "Nigeria", code: "234", rate }], nextChangeAt: null } }),
  });
  renderApp("/user-dashboard/ewebal/send-sms");
  fireEvent.change(await screen.findByRole("textbox", { name: "Recipients" }), {
    target: { value: "08030000001, 08030000002" },
  });
  expect(await screen.findByText("× 3.00")).toBeVisible();
  rate = 4.5;
  act(() => FakeEventSource.opened[0]?.say("change", { topics: ["rates"] }));
  expect(await screen.findByText("× 4.50")).toBeVisible();
});
