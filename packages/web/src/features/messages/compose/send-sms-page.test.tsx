import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp, type RenderedApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { messageServer, refused, scheduled, sent, whitelists, messageId } from "../testing/message-server.ts";

const sendCall = `POST /api/${userId}/send-bulk-sms`;
beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

type Handlers = Parameters<typeof messageServer>[0];

function open(handlers: Handlers = {}): { app: RenderedApp; requests: FakeRequest[] } {
  const requests = messageServer(handlers);
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
  const { requests } = open({
    [`GET /api/${userId}/whitelists`]: { body: { message: "", data: { ...whitelists, senderNames: [] } } },
  });
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
  // Phones join the parts.
  expect(within(screen.getByRole("region", { name: "Preview" })).getByText("a".repeat(161))).toBeVisible();
  expect(screen.getByText("161 of 320 characters,", { exact: false })).toHaveTextContent(
    "161 of 320 characters, 2 pages",
  );
});

test("a balance that does not reach shows what is missing and where units are bought", async () => {
  open({ [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, units: 4 } } } });
  await fillIn();
  expect(await screen.findByText("You need 2.00 more units")).toBeVisible();
  expect(screen.getByRole("link", { name: "Buy SMS units" })).toHaveAttribute("href", "/user-dashboard/buy-sms");
});

test("characters that force Unicode are named and can be replaced", async () => {
  open();
  await fillIn({ message: "Pay ₦500, don’t wait" });
  expect(screen.getByText("Sent as 1 SMS part (special characters)")).toBeVisible();
  expect(screen.getByText("₦")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Use plain characters" }));
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue("Pay N500, don't wait");
  expect(screen.getByText("Sent as 1 SMS part")).toBeVisible();
});

test("wrong numbers are listed with the reason and hold the send back until they are left out", async () => {
  const { requests } = open({ [sendCall]: sent });
  await fillIn({ recipients: "08030000001, 08030000001, 44791, 12345" });
  expect(screen.getByText("1 recipient", { selector: "strong" })).toBeVisible();
  expect(screen.getByText(/1 repeated number counts once/)).toBeVisible();
  const wrong = screen.getByRole("region", { name: "Wrong numbers" });
  expect(within(wrong).getByText("44791").closest("li")).toHaveTextContent("Too short");
  expect(within(wrong).getByText("12345").closest("li")).toHaveTextContent("Too short");
  expect(screen.getByText("2 numbers can't be used. Fix them or leave them out.")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Leave them out" }));
  expect(screen.getByText("2 wrong numbers left out")).toBeVisible();
  await userEvent.click(sendButton());
  await waitFor(() => expect(sends(requests)).toHaveLength(1));
  expect(sends(requests)[0]?.body).toEqual({
    senderName: "AdaStores",
    message: "Hello",
    phoneNo: "2348030000001",
    code: "234",
  });
});

test("recipients keep digits and commas, a number on each line, and a line's end can be deleted", async () => {
  open();
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Recipients" });
  await userEvent.type(field, "0803x1y2z3-4567,+2348050000002 ");
  expect(field).toHaveValue("08031234567,\n2348050000002,\n");
  await userEvent.type(field, "{Backspace}");
  expect(field).toHaveValue("08031234567,\n2348050000002");
  await userEvent.tab();
  expect(field).toHaveValue("08031234567,\n2348050000002,\n");
  // Between two numbers, too: they stand together then, as in any text.
  await userEvent.type(field, "{Backspace}", { initialSelectionStart: 13, initialSelectionEnd: 13 });
  expect(field).toHaveValue("080312345672348050000002,\n");
  expect(field.selectionStart).toBe(11);
});

test("a list that is inserted as text, and not pasted, becomes a card before the browser writes it", async () => {
  open();
  const field = await screen.findByRole("textbox", { name: "Recipients" });
  const data = Array.from({ length: 2_000 }, (_, index) => `0803000${String(index).padStart(4, "0")}`).join("\n");
  const isWritten = fireEvent(
    field,
    new InputEvent("beforeinput", { inputType: "insertText", data, bubbles: true, cancelable: true }),
  );
  expect(isWritten).toBe(false);
  expect(await screen.findByText("2,000 numbers pasted")).toBeVisible();
});

describe("recipients from elsewhere", () => {
  const catalog = {
    _id: messageId,
    userID: userId,
    catalogName: "Regulars",
    code: "234",
    contacts: [],
    columns: [],
    count: 2,
    etag: "1",
    createdAt: "2026-01-02T10:00:00.000Z",
  };
  const ghana = { ...catalog, _id: userId, catalogName: "Accra", code: "233" };

  test("several catalogs are added, numbers in both once; one of another country cannot be chosen", async () => {
    const second = { ...catalog, _id: messageId.replace(/.$/, "9"), catalogName: "Wholesale", count: 1 };
    open({
      [`GET /api/${userId}/populate-catalogs`]: { body: { message: "", data: [catalog, second, ghana], next: null } },
      [`GET /api/${userId}/${catalog._id}/export-contacts`]: {
        body: undefined,
        text: '"phoneNo"\r\n"234 803 000 0001"\r\n"234 803 000 0002"\r\n',
      },
      [`GET /api/${userId}/${second._id}/export-contacts`]: {
        body: undefined,
        text: '"phoneNo"\r\n"234 803 000 0002"\r\n',
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "From phonebook" }));
    expect(await screen.findByRole("checkbox", { name: "Accra" })).toBeDisabled();
    expect(screen.getByText("2 contacts in Ghana (+233). Choose that country first.")).toBeVisible();
    const add = screen.getByRole("button", { name: "Add contacts" });
    expect(add).toHaveAttribute("aria-disabled", "true");
    await userEvent.click(screen.getByRole("checkbox", { name: "Regulars" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Wholesale" }));
    await userEvent.click(screen.getByRole("button", { name: "Add 3 contacts" }));
    expect(await screen.findByText("2 numbers from Regulars")).toBeVisible();
    expect(await screen.findByText("1 number from Wholesale")).toBeVisible();
    expect(await screen.findByText("2 recipients", { selector: "strong" })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("contacts that cannot be read leave the dialog open and the recipients as they were", async () => {
    open({
      [`GET /api/${userId}/populate-catalogs`]: { body: { message: "", data: [catalog], next: null } },
      [`GET /api/${userId}/${catalog._id}/export-contacts`]: refused(500, "INTERNAL"),
    });
    await userEvent.click(await screen.findByRole("button", { name: "From phonebook" }));
    await userEvent.click(await screen.findByRole("checkbox", { name: "Regulars" }));
    await userEvent.click(screen.getByRole("button", { name: "Add 2 contacts" }));
    expect(await screen.findByText("The contacts could not be read")).toBeVisible();
    expect(screen.queryByText(/numbers from/)).toBeNull();
  });

  test.each([
    ["list.pdf", "x", "CSV, Excel (.xlsx) and contact card (.vcf) files only."],
    ["list.csv", "", "The file is empty."],
    ["list.csv", "phone\nAda\n", "list.csv holds no valid number of this country"],
    ["list.csv", 'name,phone\n"Ada,08030000001\n', "Line 2 has an opening quotation mark but no closing one"],
  ])("a file %s with %j is refused: %s", async (name, text, reason) => {
    open();
    await screen.findByRole("button", { name: "From file" });
    await userEvent.upload(screen.getByLabelText("File with recipients"), new File([text], name), {
      applyAccept: false,
    });
    expect(await screen.findByText(reason)).toBeVisible();
  });

  test("a file's numbers become a list, and what is none is counted", async () => {
    open();
    await screen.findByRole("button", { name: "From file" });
    const text = "phone\n08030000001\n0803 000 0002\n12345\n";
    await userEvent.upload(screen.getByLabelText("File with recipients"), new File([text], "friends.csv"));
    expect(await screen.findByText("2 numbers from friends.csv")).toBeVisible();
    expect(screen.getByText("1 line of friends.csv left out")).toBeVisible();
    expect(await screen.findByText("2 recipients", { selector: "strong" })).toBeVisible();
  });
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

test("a refusal that leads to the whitelists loses nothing of what was composed", async () => {
  open({ [sendCall]: refused(409, "SENDER_NOT_APPROVED") });
  await fillIn({ message: "Still here" });
  await userEvent.click(sendButton());
  await screen.findByRole("heading", { name: "Whitelists" });
  await userEvent.click(screen.getByRole("link", { name: "Send SMS" }));
  expect(await screen.findByRole("textbox", { name: "Message" })).toHaveValue("Still here");
  expect(screen.getByRole("textbox", { name: "Recipients" })).toHaveValue("08030000001,\n08030000002");
});

describe("sending later", () => {
  const scheduleCall = `POST /api/${userId}/schedule-sms`;
  const later = async (): Promise<void> => await userEvent.click(screen.getByRole("switch", { name: "Send later" }));
  const setTime = (date: string, time: string): void => {
    fireEvent.change(screen.getByLabelText("Date"), { target: { value: date } });
    fireEvent.change(screen.getByLabelText("Time"), { target: { value: time } });
  };

  test("without a date, or with one that has passed, the button is inert and says why", async () => {
    const { requests } = open();
    await fillIn();
    await later();
    setTime("", "");
    expect(screen.getByText("Still needed: date, time")).toBeVisible();
    setTime("2020-01-01", "09:00");
    expect(screen.getByText("Still needed: a time that is still to come")).toBeVisible();
    expect(screen.getByText("This time has passed")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Schedule SMS" }));
    expect(requests.filter(({ call }) => call === scheduleCall)).toHaveLength(0);
  });

  test("the time is Lagos time unless another zone is chosen, and the units are set aside", async () => {
    const { app, requests } = open({ [scheduleCall]: scheduled });
    await fillIn();
    await later();
    expect(screen.getByRole("combobox", { name: "Time zone" })).toHaveValue("Africa/Lagos");
    expect(screen.getByText(/^Reserved now, and returned if you delete/)).toBeVisible();
    const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    setTime(inAMonth, "18:30");
    await userEvent.click(screen.getByRole("button", { name: "Schedule SMS" }));
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/scheduled-sms"));
    expect(requests.find(({ call }) => call === scheduleCall)?.body).toEqual({
      senderName: "AdaStores",
      message: "Hello",
      phoneNo: "2348030000001,2348030000002",
      code: "234",
      sendAt: `${inAMonth}T18:30:00+01:00`,
      timeZone: "Africa/Lagos",
    });
  });

  test("a zone is found by any part of its name", async () => {
    open();
    await fillIn();
    await later();
    const zone = screen.getByRole("combobox", { name: "Time zone" });
    await userEvent.click(zone);
    await userEvent.type(zone, "new york");
    await userEvent.click(await screen.findByRole("option", { name: "America/New York" }));
    expect(zone).toHaveValue("America/New York");
  });

  test("Ctrl+Enter asks, and names the time", async () => {
    open();
    await fillIn();
    await later();
    screen.getByRole("textbox", { name: "Message" }).focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    const dialog = await screen.findByRole("dialog", { name: "Schedule for 2 recipients?" });
    expect(dialog).toHaveTextContent(/:00 WAT, in .*Reserved6\.00Balance after1,228\.50/);
  });

  test("switched off again, it is sent now", async () => {
    const { app, requests } = open({ [sendCall]: sent });
    await fillIn();
    await later();
    await later();
    await userEvent.click(sendButton());
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    expect(sends(requests)[0]?.body).not.toHaveProperty("sendAt");
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
    expect(dialog).toHaveTextContent("Recipients2Pages× 1Units per page× 3.00Charge6.00Balance after1,228.50");
    await userEvent.click(screen.getByRole("button", { name: "Nope" }));
    expect(sends(requests)).toHaveLength(0);

    screen.getByRole("textbox", { name: "Message" }).focus();
    await userEvent.keyboard("{Control>}{Enter}{/Control}");
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    expect(sends(requests)).toHaveLength(1);
  });
});

describe("the review", () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => `080300${10_000 + index}`).join("\n");

  test("100 recipients within a tenth of the balance are sent at once; the 101st is reviewed", async () => {
    const { requests, app } = open({
      [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, units: 3_000 } } },
      [sendCall]: sent,
    });
    await fillIn({ recipients: many(101) });
    await userEvent.click(sendButton());
    await screen.findByRole("dialog", { name: "Send to 101 recipients?" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sends(requests)).toHaveLength(0);
    await fillIn({ recipients: many(100) });
    expect((await screen.findAllByText("100 recipients"))[0]).toBeVisible();
    await userEvent.click(sendButton());
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
  });

  test("it names repeated and wrong numbers, and a second Enter on Send SMS sends nothing", async () => {
    const { requests } = open({ [sendCall]: sent });
    await fillIn({ recipients: `${many(120)}\n08030010000\n12345` });
    await userEvent.click(await screen.findByRole("button", { name: "Leave it out" }));
    sendButton().focus();
    await userEvent.keyboard("{Enter}");
    const review = await screen.findByRole("dialog", { name: "Send to 120 recipients?" });
    expect(review).toHaveTextContent("Repeated numbers, sent to once1Wrong numbers, left out1Recipients120");
    await waitFor(() => expect(screen.getByRole("button", { name: "Nope" })).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sends(requests)).toHaveLength(0);
  });
});

describe("drafts", () => {
  const draftCall = `POST /api/${userId}/draft-message`;

  test("a draft keeps the numbers as they were given, wrong ones too, and leads to the drafts", async () => {
    const { app, requests } = open({
      [draftCall]: { status: 201, body: { message: "Saved as a draft", data: { _id: messageId } } },
    });
    await fillIn({ recipients: "0803 000 0001, 12345 " });
    await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
    expect(await screen.findByText("Saved as a draft")).toBeVisible();
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/drafted-sms"));
    expect(requests.find(({ call }) => call === draftCall)?.body).toEqual({
      senderName: "AdaStores",
      message: "Hello",
      phoneNo: "08030000001,12345",
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
