import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../lib/session.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../testing/fake-server.ts";
import { renderApp, type RenderedApp } from "../../testing/render-app.tsx";
import { inlineWorker } from "./testing/inline-worker.ts";
import { messageId } from "./testing/message-answers.ts";

const sendCall = `POST /api/${userId}/send-bulk-sms`;
const whitelists = { senderNames: ["AdaStores"], addresses: [], isDashboardRestricted: false, requests: [] };
const unitDetails = { received: 2, recipients: 2, duplicates: 0, dnd: 0, pages: 1, rate: 3, charged: 6, available: 1228.5 };
const sent: FakeAnswer = { body: { message: "Message sent", data: { _id: messageId }, unitDetails } };
const sentWithDnd: FakeAnswer = { status: 503, body: { message: "Sent", data: { _id: messageId }, unitDetails: { ...unitDetails, dnd: 1 }, dnd: true } };
const refused = (status: number, code: string, message = "The server's words", fields?: Record<string, string>): FakeAnswer => ({
  status,
  body: { message, code, ...(fields !== undefined && { fields }) },
});

beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

type Handlers = Parameters<typeof fakeServer>[0];

function open(handlers: Handlers = {}): { app: RenderedApp; requests: FakeRequest[] } {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/whitelists`]: { body: { message: "Whitelists", data: whitelists } },
    [`GET /api/${userId}/populate-sms-history`]: { body: { data: [], next: null } },
    ...handlers,
  });
  return { app: renderApp("/user-dashboard/ewebal/send-sms"), requests };
}

const sendButton = (): HTMLElement => screen.getByRole("button", { name: "Send SMS" });

async function fillIn({ message = "Hello", recipients = "08030000001, 08030000002" } = {}): Promise<void> {
  fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: message } });
  fireEvent.change(screen.getByRole("textbox", { name: "Recipients" }), { target: { value: recipients } });
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores"));
  await waitFor(() => expect(screen.queryByText(/being counted/)).toBeNull());
}

const sends = (requests: FakeRequest[]): FakeRequest[] => requests.filter(({ call }) => call === sendCall);

test("the buttons are inert until all three are there, and say what is missing", async () => {
  const { requests } = open({ [`GET /api/${userId}/whitelists`]: { body: { message: "", data: { ...whitelists, senderNames: [] } } } });
  expect(await screen.findByText("Still needed: sender name, message, recipients")).toBeVisible();
  expect(sendButton()).toHaveAttribute("aria-disabled", "true");
  expect(sendButton()).toHaveAccessibleDescription("Still needed: sender name, message, recipients");
  await userEvent.click(sendButton());
  await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
  expect(requests.filter(({ call }) => call.startsWith("POST"))).toHaveLength(0);
});

test("an only approved name stands there already", async () => {
  open();
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores"));
  expect(screen.getByText("Still needed: message, recipients")).toBeVisible();
});

test("a name that is not approved says so, and leads to the whitelists", async () => {
  open();
  await userEvent.type(await screen.findByRole("textbox", { name: "Sender name" }), "2");
  const hint = await screen.findByText(/is not approved/);
  expect(hint).toHaveTextContent("AdaStores2 is not approved. Ask for it on Whitelists");
  expect(within(hint).getByRole("link", { name: "Whitelists" })).toHaveAttribute("href", "/user-dashboard/whitelists");
});

test("a sender name holds 11 characters", async () => {
  open();
  const field = await screen.findByRole("textbox", { name: "Sender name" });
  await waitFor(() => expect(field).toHaveValue("AdaStores"));
  await userEvent.clear(field);
  await userEvent.type(field, "ABCDEFGHIJKLMN");
  expect(field).toHaveValue("ABCDEFGHIJK");
});

test("the charge is shown as it is typed, with the balance after it", async () => {
  open();
  await fillIn({ message: "a".repeat(161) });
  const aside = screen.getByRole("complementary", { name: "Preview and charge" });
  for (const text of ["× 2", "× 3.00", "12.00", "1,222.50"]) expect(within(aside).getByText(text)).toBeVisible();
  expect(screen.getByText(/The cost per page depends on the country: 3.00 units in Nigeria/)).toBeVisible();
  expect(within(screen.getByRole("region", { name: "Preview" })).getByText("page 2")).toBeVisible();
});

test("a balance that does not reach shows what is missing and where units are bought", async () => {
  open({ [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, units: 4 } } } });
  await fillIn();
  expect(await screen.findByText("2.00 units are missing")).toBeVisible();
  expect(screen.getByRole("link", { name: "Buy SMS units" })).toHaveAttribute("href", "/user-dashboard/buy-sms");
});

test("characters that force Unicode are named and can be replaced", async () => {
  open();
  await fillIn({ message: "Pay ₦500, don’t wait" });
  expect(screen.getByText("Unicode, 1 carrier part")).toBeVisible();
  expect(screen.getByText("₦")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Use plain characters" }));
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Pay N500, don't wait");
  expect(screen.getByText("GSM-7, 1 carrier part")).toBeVisible();
});

test("wrong numbers are listed with the reason and hold the send back until they are left out", async () => {
  const { requests } = open({ [sendCall]: sent });
  await fillIn({ recipients: "08030000001, 08030000001, 44791, hello" });
  expect(screen.getByText("1 recipient", { selector: "strong" })).toBeVisible();
  expect(screen.getByText(/1 repeated number counts once/)).toBeVisible();
  const wrong = screen.getByRole("region", { name: "Wrong numbers" });
  expect(within(wrong).getByText("44791").closest("li")).toHaveTextContent("Too short");
  expect(within(wrong).getByText("hello").closest("li")).toHaveTextContent("Not a phone number");
  expect(screen.getByText("Still needed: a look at 2 wrong numbers")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Leave them out" }));
  expect(screen.getByText("2 wrong numbers left out")).toBeVisible();
  await userEvent.click(sendButton());
  await waitFor(() => expect(sends(requests)).toHaveLength(1));
  expect(sends(requests)[0]?.body).toEqual({ senderName: "AdaStores", message: "Hello", phoneNo: "2348030000001", code: "234" });
});

test("a long paste becomes a card that can be removed", async () => {
  open();
  const text = Array.from({ length: 2_000 }, (_, index) => `0803000${String(index).padStart(4, "0")}`).join("\n");
  const field = await screen.findByRole("textbox", { name: "Recipients" });
  field.focus();
  await userEvent.paste(text);
  expect(await screen.findByText("2,000 numbers pasted")).toBeVisible();
  expect(field).toHaveValue("");
  expect(screen.getByText("and 1,992 more")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(screen.queryByText("2,000 numbers pasted")).toBeNull();
});

describe("outcomes", () => {
  test.each<{ answer: FakeAnswer; title: string; text?: string; goesTo?: string }>([
    { answer: sent, title: "Message sent", text: "2 recipients, 6.00 units charged, 1,228.50 left", goesTo: "/user-dashboard/sms-history" },
    { answer: sentWithDnd, title: "Message Sent", text: "DND Phone numbers Detected...", goesTo: "/user-dashboard/sms-history" },
    { answer: refused(403, "ADDRESS_NOT_APPROVED"), title: "The server's words", text: "Send your IP Address for whitelisting", goesTo: "/user-dashboard/whitelists" },
    { answer: refused(409, "SENDER_NOT_APPROVED"), title: "The server's words", text: "Send the Id for whitelisting", goesTo: "/user-dashboard/whitelists" },
    { answer: refused(401, "UNITS_REQUIRED"), title: "The server's words", text: "You need to buy SMS Units", goesTo: "/user-dashboard/buy-sms" },
    { answer: refused(400, "WRONG_COUNTRY_CODE"), title: "The server's words", text: "You are passing the wrong country code" },
    { answer: refused(402, "LIMIT_REACHED"), title: "The server's words" },
    { answer: refused(550, "NO_ROUTE"), title: "The server's words" },
    { answer: refused(503, "UNAVAILABLE"), title: "The server's words" },
    { answer: refused(422, "IDEMPOTENCY_CONFLICT"), title: "The server's words" },
    { answer: refused(400, "VALIDATION", "Some fields are not right", { message: "is too long" }), title: "Some fields are not right", text: "Message is too long" },
  ])("$answer.status $answer.body.code: $title / $text, goes to $goesTo", async ({ answer, title, text, goesTo }) => {
    const { app } = open({ [sendCall]: answer });
    await fillIn();
    await userEvent.click(sendButton());
    expect(await screen.findByText(title)).toBeVisible();
    if (text !== undefined) expect(screen.getByText(text)).toBeVisible();
    await waitFor(() => expect(app.pathname()).toBe(goesTo ?? "/user-dashboard/ewebal/send-sms"));
    if (goesTo === undefined) expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Hello");
  });

  test("401 without a session leads to the login", async () => {
    const { app } = open({ [sendCall]: refused(401, "AUTH_REQUIRED", "Please sign in") });
    await fillIn();
    await userEvent.click(sendButton());
    await waitFor(() => expect(app.pathname()).toBe("/login"));
  });

  test("a refusal that leads to the whitelists loses nothing of what was composed", async () => {
    open({ [sendCall]: refused(409, "SENDER_NOT_APPROVED") });
    await fillIn({ message: "Still here" });
    await userEvent.click(sendButton());
    await screen.findByRole("heading", { name: "Whitelists" });
    await userEvent.click(screen.getByRole("link", { name: "Send SMS" }));
    expect(await screen.findByRole("textbox", { name: "Message" })).toHaveValue("Still here");
    expect(screen.getByRole("textbox", { name: "Recipients" })).toHaveValue("08030000001, 08030000002");
  });
});

describe("sending once", () => {
  test("a lost network says so; the retry carries the same key, and the message after it another", async () => {
    const answers: Array<FakeAnswer | "offline"> = ["offline", sent, sent];
    const { requests, app } = open({
      [sendCall]: () => {
        const answer = answers.shift() ?? sent;
        if (answer === "offline") throw new TypeError("Failed to fetch");
        return answer;
      },
    });
    await fillIn();
    await userEvent.click(sendButton());
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("No Internet Connection");
    expect(alert).toHaveTextContent("Please check your network");
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Hello");

    await userEvent.click(sendButton());
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    const [menuLink] = screen.getAllByRole("link", { name: "Send SMS" });
    if (menuLink !== undefined) await userEvent.click(menuLink);
    await fillIn();
    await userEvent.click(sendButton());
    await waitFor(() => expect(sends(requests)).toHaveLength(3));
    const [first, retry, next] = sends(requests).map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(retry).toBe(first);
    expect(next).not.toBe(first);
  });

  test("a double click sends once", async () => {
    const answer = Promise.withResolvers<FakeAnswer>();
    const { requests, app } = open({ [sendCall]: () => answer.promise });
    await fillIn();
    // Both before the page has drawn its busy button.
    act(() => {
      sendButton().click();
      sendButton().click();
    });
    await waitFor(() => expect(sends(requests)).toHaveLength(1));
    answer.resolve(sent);
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    expect(sends(requests)).toHaveLength(1);
  });

  test("Ctrl+Enter asks first: Nope sends nothing, Proceed sends", async () => {
    const { requests, app } = open({ [sendCall]: sent });
    await fillIn();
    screen.getByRole("textbox", { name: "Message" }).focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Send to 2 recipients?" });
    expect(dialog).toHaveTextContent("2 × 1 page × 3.00 = 6.00 units");
    await userEvent.click(screen.getByRole("button", { name: "Nope" }));
    expect(sends(requests)).toHaveLength(0);

    screen.getByRole("textbox", { name: "Message" }).focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    expect(sends(requests)).toHaveLength(1);
  });
});

describe("drafts", () => {
  const draftCall = `POST /api/${userId}/draft-message`;

  test("a draft keeps the numbers as they were given, wrong ones too", async () => {
    const { requests } = open({ [draftCall]: { status: 201, body: { message: "Saved as a draft", data: { _id: messageId } } } });
    await fillIn({ recipients: "0803 000 0001, wrong" });
    await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
    expect(await screen.findByText("Saved as a draft")).toBeVisible();
    expect(requests.find(({ call }) => call === draftCall)?.body).toEqual({
      senderName: "AdaStores",
      message: "Hello",
      phoneNo: "0803 000 0001, wrong",
      code: "234",
    });
  });

  test("a draft that fails says so and leaves everything", async () => {
    open({ [draftCall]: refused(500, "INTERNAL") });
    await fillIn();
    await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Can't add to drafts");
    expect(alert).toHaveTextContent("This might be due to network issues");
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Hello");
  });
});
