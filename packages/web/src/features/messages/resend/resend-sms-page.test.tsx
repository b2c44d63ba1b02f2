import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearSession, startUserSession } from "../../../lib/session/session.ts";
import { userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { readFirstColumn } from "./resend-sms-page.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { messageServer, refused, sent, messageAnswer, messageId } from "../testing/message-server.ts";

const address = `/user-dashboard/${messageId}/resend-sms`;
const viewCall = `GET /api/${userId}/${messageId}/view-one-sms`;
const recipientsCall = `GET /api/${userId}/${messageId}/recipients`;

beforeEach(() => {
  startUserSession(userId);
  sessionStorage.clear();
  inlineWorker();
});

test("a message that was deleted says so, and leads back", async () => {
  messageServer({ [viewCall]: refused(404, "NOT_FOUND") });
  renderApp(address);
  expect(await screen.findByText("This message is no longer in your history")).toBeVisible();
});

test("numbers that cannot be read leave the form closed, with the way to try again", async () => {
  messageServer({ [viewCall]: { body: { message: "Message", data: messageAnswer() } }, [recipientsCall]: "offline" });
  renderApp(address);
  expect(await screen.findByText("No Internet Connection")).toBeVisible();
  expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
});

test("Resend carries message, sender name, numbers and code over; sign-out leaves nothing of them", async () => {
  messageServer();
  const app = renderApp("/user-dashboard/sms-history");
  await userEvent.click(await screen.findByRole("link", { name: "Resend the message from AdaStores" }));
  expect(await screen.findByRole("textbox", { name: "Message" })).toHaveValue("Your order is ready");
  expect(app.pathname()).toBe(address);
  expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores");
  expect(screen.getByRole("textbox", { name: "Recipients" })).toHaveValue("2348030000001,\n2348030000002");
  expect(JSON.parse(sessionStorage.getItem("sms-history") ?? "{}")).toMatchObject({ _id: messageId, code: "234" });
  clearSession("asked");
  expect(sessionStorage).toHaveLength(0);
});

test("of a long list all numbers are carried over, not the first 100", async () => {
  const rows = Array.from(
    { length: 2_000 },
    (_, index) => `"234 803 000 ${String(index).padStart(4, "0")}","MTN","delivered","","2026-03-05T10:00:01.000Z"`,
  );
  const requests = messageServer({
    [viewCall]: { body: { message: "Message", data: messageAnswer({ recipients: 2_000 }) } },
    [recipientsCall]: {
      body: undefined,
      text: ['"Number","Network","State","Reason","Updated"', ...rows, ""].join("\r\n"),
    },
    [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, units: 10_000 } } },
    [`POST /api/${userId}/send-bulk-sms`]: sent,
  });
  renderApp(address);
  expect(await screen.findByText("2,000 numbers carried over")).toBeVisible();
  expect(requests.find(({ call }) => call === recipientsCall)?.query).toBe("format=csv");
  const send = screen.getByRole("button", { name: "Send SMS" });
  await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
  await userEvent.click(send);
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  await waitFor(() => expect(requests.some(({ call }) => call.startsWith("POST"))).toBe(true));
  const body = requests.find(({ call }) => call.startsWith("POST"))?.body as { phoneNo: string };
  expect(body.phoneNo.split(",")).toHaveLength(2_000);
});

test("a file's numbers are its first column without the header", () => {
  expect(readFirstColumn('\uFEFFNumber,State\r\n+2348030000001,sent\r\n"2348030000002",failed\r\n')).toBe(
    "2348030000001\n2348030000002",
  );
  expect(readFirstColumn("Number,State\r\n")).toBe("");
});
