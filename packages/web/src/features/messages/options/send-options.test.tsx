/** When and how a message goes out, chosen before it is sent, and what the server says would become of it. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { triedAnswer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { messageServer, refused, scheduled, sent } from "../testing/message-server.ts";

const sendCall = `POST /api/${userId}/send-bulk-sms`;
const tryCall = `TRY /api/${userId}/send-bulk-sms`;
const scheduleCall = `POST /api/${userId}/schedule-sms`;
const draftCall = `POST /api/${userId}/draft-message`;

beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

type Handlers = Parameters<typeof messageServer>[0];
const allowed = { body: { ...userAnswer, data: { ...userAnswer.data, maySendTransactional: true } } };

async function open(handlers: Handlers = {}): Promise<FakeRequest[]> {
  const requests = messageServer({ [sendCall]: sent, [scheduleCall]: scheduled, ...handlers });
  renderApp("/user-dashboard/ewebal/send-sms");
  await write("Hello");
  fireEvent.change(screen.getByRole("textbox", { name: "Recipients" }), {
    target: { value: "08030000001,08050000002" },
  });
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("AdaStores"));
  await option("Add an opt-out link");
  return requests;
}

const write = async (message: string): Promise<void> =>
  void fireEvent.change(await screen.findByRole("textbox", { name: "Message" }), { target: { value: message } });
const option = async (name: string): Promise<HTMLElement> => await screen.findByRole("checkbox", { name });
const bodyOf = (requests: FakeRequest[], wanted: string): unknown => requests.find(({ call }) => call === wanted)?.body;
const tried = (over: object): FakeAnswer => {
  const { body } = triedAnswer as { body: { unitDetails: object } };
  return {
    body: { ...body, ...over, unitDetails: { ...body.unitDetails, ...(over as { unitDetails?: object }).unitDetails } },
  };
};
const send = async (): Promise<void> => {
  const button = screen.getByRole("button", { name: /^(Send|Schedule) SMS$/ });
  await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
  await userEvent.click(button);
};

describe("what would become of it", () => {
  test("says when quiet hours hold it back, and that nobody gets what ends before", async () => {
    const opening = new Date(Date.now() + 9 * 3_600_000).toISOString();
    const requests = await open({ [tryCall]: tried({ unitDetails: { deferredUntil: opening } }) });
    const time = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Africa/Lagos",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(new Date(opening));
    expect(await screen.findByText(`Leaves at ${time}`, undefined, { timeout: 3_000 })).toBeVisible();
    expect(requests.find(({ call }) => call === tryCall)?.body).toEqual({
      code: "234",
      senderName: "AdaStores",
      message: "Hello",
      phoneNo: "2348030000001,2348050000002",
      dryRun: true,
    });
    // Two hours from now.
    await userEvent.click(await option("Stop trying after a time"));
    expect(await screen.findByText(/^Nobody gets it: it ends before/)).toBeVisible();
    expect(requests.some(({ call }) => call === sendCall)).toBe(false);
  });

  test("shows administrators' warnings while typing, and what the text would be refused for; all else waits for the send", async () => {
    const answers: Record<string, FakeAnswer> = {
      Hello: tried({ warnings: [{ pattern: "loan", note: "MTN often blocks loans" }] }),
      Casino: refused(550, "NOT_SENDABLE", "No gambling"),
      Other: refused(409, "SENDER_NOT_APPROVED", "Not approved"),
    };
    await open({ [tryCall]: ({ body }) => answers[(body as { message: string }).message] ?? triedAnswer });
    expect(await screen.findByText("MTN often blocks loans", undefined, { timeout: 3_000 })).toBeVisible();
    await write("Casino");
    expect(await screen.findByText("No gambling", undefined, { timeout: 3_000 })).toBeVisible();
    expect(screen.queryByText("MTN often blocks loans")).toBeNull();
    await write("Other");
    await waitFor(() => expect(screen.queryByText("No gambling")).toBeNull(), { timeout: 3_000 });
    expect(screen.queryByText("Not approved")).toBeNull();
  });
});

describe("the class", () => {
  test("is no choice of who may not choose it", async () => {
    const requests = await open();
    expect(screen.queryByRole("combobox", { name: "Kind of message" })).toBeNull();
    await send();
    await waitFor(() => expect(bodyOf(requests, sendCall)).not.toHaveProperty("class"));
  });

  test("is chosen with what becomes of do-not-disturb numbers, at that class's price", async () => {
    const rates = { data: [{ country: "Nigeria", code: "234", rate: 3, transactionalRate: 4.5 }], nextChangeAt: null };
    const requests = await open({
      [`GET /api/${userId}/view-one-user`]: allowed,
      "GET /api/rates": { body: rates },
    });
    const charge = (): HTMLElement => screen.getByRole("complementary", { name: "Preview and charge" });
    await waitFor(() => expect(charge()).toHaveTextContent("Charge6.00"));
    await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Kind of message" }), "transactional");
    await waitFor(() => expect(charge()).toHaveTextContent("Charge9.00"));
    await userEvent.click(await option("Leave out do-not-disturb numbers"));
    await send();
    await waitFor(() => expect(bodyOf(requests, sendCall)).toMatchObject({ class: "transactional", dnd: "skip" }));
  });
});

describe("links", () => {
  test("an opt-out link is in the price, the count and the preview, and a draft keeps it", async () => {
    const requests = await open({ [draftCall]: { status: 201, body: { message: "Saved", data: { _id: userId } } } });
    await write("x".repeat(150));
    expect(await screen.findByText(/1 to 2 pages each/)).toBeVisible();
    await userEvent.click(await option("Add an opt-out link"));
    const charge = screen.getByRole("complementary", { name: "Preview and charge" });
    await waitFor(() => expect(charge).toHaveTextContent("Charge12.00"));
    expect(within(charge).getByText(/STOP: https:\/\/sms\.example\/o\//)).toBeVisible();
    // A line break, "STOP: ", the address, /o/ and seven characters.
    expect(screen.getByText(/^186 of 320 characters/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Draft SMS" }));
    await waitFor(() => expect(bodyOf(requests, draftCall)).toMatchObject({ optOutLink: true }));
  });

  test("long links are shortened by one press and written out by another; only where there is one", async () => {
    const requests = await open();
    expect(screen.queryByRole("checkbox", { name: /^Shorten/ })).toBeNull();
    const link = `https://shop.example/${"a".repeat(150)}`;
    await write(`Look: ${link}.`);
    expect(await screen.findByText(/2 to 1 page each/)).toBeVisible();
    await userEvent.click(await option("Shorten the link"));
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue(`Look: {{link:${link}}}.`);
    const charge = screen.getByRole("complementary", { name: "Preview and charge" });
    await waitFor(() => expect(charge).toHaveTextContent("Charge6.00"));
    expect(within(charge).getByText(/^Look: https:\/\/sms\.example\/l\/.{7}\.$/)).toBeVisible();
    await userEvent.click(await option("Shorten the link"));
    expect(screen.getByRole("textbox", { name: "Message" })).toHaveValue(`Look: ${link}.`);
    await userEvent.click(await option("Shorten the link"));
    await send();
    await waitFor(() => expect(bodyOf(requests, sendCall)).toMatchObject({ message: `Look: {{link:${link}}}.` }));
  });

  test("a text that is too long with its link cannot be sent", async () => {
    await open();
    await write("x".repeat(1_590));
    const button = screen.getByRole("button", { name: "Send SMS" });
    await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(await option("Add an opt-out link"));
    await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "true"));
  });
});

describe("sending again and again", () => {
  test("on days, until a day, with its next times", async () => {
    const requests = await open();
    await userEvent.click(await screen.findByRole("switch", { name: "Send later" }));
    // A Wednesday.
    const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() > 4 ? 1 : 0);
    const monday = nextMonday(Date.UTC(year, 2, 1, 12));
    fireEvent.change(screen.getByLabelText("Date"), { target: { value: monday } });
    fireEvent.change(screen.getByLabelText("Time"), { target: { value: "09:00" } });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Repeat" }), "week");
    expect(screen.getByRole("checkbox", { name: "Mon" })).toBeChecked();
    await userEvent.click(screen.getByRole("checkbox", { name: "Thu" }));
    expect(
      within(screen.getByText("Next times").closest("div") ?? document.body).getAllByRole("listitem"),
    ).toHaveLength(3);
    fireEvent.change(screen.getByLabelText(/^Until/), { target: { value: monday } });
    expect(
      within(screen.getByText("Next times").closest("div") ?? document.body).getAllByRole("listitem"),
    ).toHaveLength(1);
    fireEvent.keyDown(screen.getByLabelText("Time"), { key: "Enter", ctrlKey: true });
    const review = await screen.findByRole("dialog", { name: /^Schedule for/ });
    expect(await within(review).findByText("Every week on Mon and Thu")).toBeVisible();
    await userEvent.click(within(review).getByRole("button", { name: "Proceed" }));
    await waitFor(() =>
      expect(bodyOf(requests, scheduleCall)).toMatchObject({
        sendAt: `${monday}T09:00:00+01:00`,
        timeZone: "Africa/Lagos",
        repeat: { every: "week", on: [1, 4], until: `${monday}T23:59:00+01:00` },
      }),
    );
  });
});

function nextMonday(fromMs: number): string {
  const days = (8 - new Date(fromMs).getUTCDay()) % 7;
  return new Date(fromMs + days * 86_400_000).toISOString().slice(0, 10);
}
