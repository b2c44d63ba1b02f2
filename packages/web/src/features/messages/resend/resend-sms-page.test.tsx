import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearSession, startUserSession } from "../../../lib/session/session.ts";
import { userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { messageServer, refused, sent, messageAnswer, messageId } from "../testing/message-server.ts";

const address = `/user-dashboard/${messageId}/resend-sms`;
const viewCall = `GET /api/${userId}/${messageId}/view-one-sms`;
const valuesCall = `GET /api/${userId}/${messageId}/recipient-values`;
const sendCall = `POST /api/${userId}/send-bulk-sms`;

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
  messageServer({ [viewCall]: { body: { message: "Message", data: messageAnswer() } }, [valuesCall]: "offline" });
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

const rich = { body: { ...userAnswer, data: { ...userAnswer.data, units: 10_000 } } };

async function sendAsItIs(requests: FakeRequest[]): Promise<unknown> {
  const send = screen.getByRole("button", { name: "Send SMS" });
  await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
  await userEvent.click(send);
  await waitFor(() => expect(requests.some(({ call }) => call === sendCall)).toBe(true));
  return requests.find(({ call }) => call === sendCall)?.body;
}

test("of a long list all numbers are carried over, not the first 100", async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `["234803000${String(index).padStart(4, "0")}"]`);
  const requests = messageServer({
    [viewCall]: { body: { message: "Message", data: messageAnswer({ recipients: 2_000 }) } },
    [valuesCall]: { body: undefined, text: ["[]", ...rows].join("\n") },
    [`GET /api/${userId}/view-one-user`]: rich,
    [sendCall]: sent,
  });
  renderApp(address);
  expect(await screen.findByText("2,000 numbers carried over")).toBeVisible();
  const send = screen.getByRole("button", { name: "Send SMS" });
  await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
  await userEvent.click(send);
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  await waitFor(() => expect(requests.some(({ call }) => call === sendCall)).toBe(true));
  const body = requests.find(({ call }) => call === sendCall)?.body as { phoneNo: string };
  expect(body.phoneNo.split(",")).toHaveLength(2_000);
});

test("what is known of each recipient is carried over, with class and opt-out link", async () => {
  const merged = messageAnswer({
    message: "Dear {{first_name}}",
    recipients: 2,
    isMerged: true,
    class: "transactional",
    dnd: "skip",
    optOutLink: true,
  });
  const requests = messageServer({
    [viewCall]: { body: { message: "Message", data: merged } },
    [`GET /api/${userId}/populate-sms-history`]: { body: { data: [merged], next: null } },
    [valuesCall]: {
      body: undefined,
      text: '["first_name"]\n["2348030000001","Ada",null,null]\n["2348030000002","Bola",null,"row 2"]',
    },
    [`GET /api/${userId}/view-one-user`]: rich,
    [sendCall]: sent,
  });
  // By the list, which carries what is no more than five fields by itself.
  renderApp("/user-dashboard/sms-history");
  await userEvent.click(await screen.findByRole("link", { name: "Resend the message from AdaStores" }));
  expect(await screen.findByText("Fields: First name")).toBeVisible();
  const preview = await screen.findByRole("region", { name: "Preview" });
  expect(await within(preview).findByText(/^Dear Ada\s+STOP: https:\/\/sms\.example\/o\//)).toBeVisible();
  expect(await sendAsItIs(requests)).toEqual({
    code: "234",
    senderName: "AdaStores",
    message: "Dear {{first_name}}",
    class: "transactional",
    dnd: "skip",
    optOutLink: true,
    recipients: [
      { to: "2348030000001", fields: { first_name: "Ada" } },
      { to: "2348030000002", fields: { first_name: "Bola" }, reference: "row 2" },
    ],
  });
});
