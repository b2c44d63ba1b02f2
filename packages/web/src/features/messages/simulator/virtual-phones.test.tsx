import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { brandAnswer, fakeServer } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const simulated = { "GET /api/brand": { body: { ...brandAnswer, data: { ...brandAnswer.data, isSimulated: true } } } };
const receivedAt = "2026-03-05T10:00:01.000Z";

test("the list shows each number with its newest message, and says that this is the simulator", async () => {
  fakeServer({
    ...simulated,
    "GET /api/virtual-phones": {
      body: {
        data: [
          {
            phoneNo: "2348030000001",
            messageCount: 2,
            lastMessage: "Your order is ready",
            lastSenderName: "AdaStores",
            receivedAt,
          },
        ],
        next: null,
      },
    },
  });
  renderApp("/virtual-phones");
  const phone = await screen.findByRole("link", { name: /\+2348030000001/ });
  expect(phone).toHaveTextContent("AdaStores Your order is ready");
  expect(phone).toHaveTextContent("2 messages");
  expect(phone).toHaveAttribute("href", "/virtual-phones/2348030000001");
  expect(await screen.findByText("Simulator: no real SMS leaves this machine")).toBeVisible();
});

test("before anything was sent the list says what to do", async () => {
  fakeServer({ ...simulated, "GET /api/virtual-phones": { body: { data: [], next: null } } });
  renderApp("/virtual-phones");
  expect(await screen.findByText("Nothing has arrived yet")).toBeVisible();
});

test("with a real carrier there are none", async () => {
  fakeServer({ "GET /api/virtual-phones": { status: 404, body: { message: "Not found", code: "NOT_FOUND" } } });
  renderApp("/virtual-phones");
  expect(await screen.findByText("There are no virtual phones here")).toBeVisible();
});

test("a phone shows what came, by sender, the newest at the bottom", async () => {
  const message = (senderName: string, text: string, partCount = 1) => ({
    senderName,
    message: text,
    partCount,
    receivedAt,
  });
  fakeServer({
    ...simulated,
    "GET /api/virtual-phones/2348030000001": {
      body: {
        data: [
          message("AdaStores", "Second", 2),
          message("GreenSchool", "School resumes"),
          message("AdaStores", "First"),
        ],
      },
    },
  });
  renderApp("/virtual-phones/2348030000001");
  const conversation = await screen.findByRole("region", { name: "Messages from AdaStores" });
  expect(conversation).toHaveTextContent(/First.*Second.*joined from 2 parts/);
  expect(
    within(screen.getByRole("region", { name: "Messages from GreenSchool" })).getByText("School resumes"),
  ).toBeVisible();
});

test("a phone that got nothing says so", async () => {
  fakeServer({
    ...simulated,
    "GET /api/virtual-phones/2348030000009": { status: 404, body: { message: "Not found", code: "NOT_FOUND" } },
  });
  renderApp("/virtual-phones/2348030000009");
  expect(await screen.findByText("Nothing has arrived at this number")).toBeVisible();
});
