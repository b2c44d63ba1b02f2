import type { MessageAnswer } from "@ewebal/contract";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { previewOf } from "./scheduled-sms-page.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { dayAhead, messageServer, refused, scheduled, scheduledMessage, messageId } from "../testing/message-server.ts";

const listCall = `GET /api/${userId}/populate-scheduled-sms`;
const deleteCall = `DELETE /api/${userId}/${messageId}/delete-scheduled-sms`;

beforeEach(() => {
  startUserSession(userId);
  inlineWorker();
});

function openList(messages: MessageAnswer[], handlers: Parameters<typeof messageServer>[0] = {}): FakeRequest[] {
  const requests = messageServer({ [listCall]: () => ({ body: { data: messages, next: null } }), ...handlers });
  renderApp("/user-dashboard/scheduled-sms");
  return requests;
}

describe("the list", () => {
  test("without messages stands the specified sentence, and what to do first", async () => {
    openList([]);
    expect(await screen.findByText("There are no current messages...")).toBeVisible();
    expect(screen.getByRole("link", { name: "Schedule a message" })).toHaveAttribute(
      "href",
      "/user-dashboard/ewebal/send-sms",
    );
  });

  test("a preview is the first 50 characters, whatever they are", () => {
    expect(previewOf("a".repeat(50))).toBe("a".repeat(50));
    expect(previewOf(`${"😀".repeat(50)}!`)).toBe(`${"😀".repeat(50)}...`);
  });

  test("a message shows preview, sender name, recipients, how far away it is, and the exact time with its zone", async () => {
    const sendAt = new Date(Date.now() + 2 * 3_600_000 + 60_000).toISOString();
    openList([{ ...scheduledMessage, message: "b".repeat(60), sendAt }]);
    const row = (await screen.findByText(`${"b".repeat(50)}...`)).closest("li");
    for (const words of ["AdaStores", "Recipients2", "in 2 hours", "WAT"]) expect(row).toHaveTextContent(words);
  });

  test("a message that repeats says how, when next and until when; one that waits or ends says so", async () => {
    const sendAt = "2126-11-23T08:00:00.000Z";
    const times = [sendAt, "2126-11-27T08:00:00.000Z", "2126-11-30T08:00:00.000Z"];
    const repeat = { every: "week" as const, on: [1, 5], until: "2126-12-31T22:59:00.000Z" };
    openList([
      { ...scheduledMessage, sendAt, repeat, nextTimes: times },
      {
        ...scheduledMessage,
        _id: "01900000-0000-7000-8000-0000000000b2",
        senderName: "Night",
        deferredUntil: "2126-11-24T07:00:00.000Z",
        validUntil: "2126-11-24T10:00:00.000Z",
      },
    ]);
    const [first, second] = (await screen.findAllByText("Happy New Year")).map((cell) => cell.closest("li"));
    expect(first).toHaveTextContent("Every week on Mon and Fri");
    for (const words of ["then ", "27 Nov 2126, 09:00", "30 Nov 2126, 09:00", "until Tue"])
      expect(first).toHaveTextContent(words);
    expect(second).toHaveTextContent("Leaves at 08:00");
    expect(second).toHaveTextContent("Valid until");
    expect(second).not.toHaveTextContent("Every");
  });

  test("a message whose time has come leaves when the server says so", async () => {
    const messages = [scheduledMessage];
    openList(messages);
    await screen.findByText("Happy New Year");
    messages.length = 0;
    act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: ["scheduled"] }));
    expect(await screen.findByText("There are no current messages...")).toBeVisible();
  });

  test("deleting asks and says which units come back; Nope keeps the message", async () => {
    const requests = openList([scheduledMessage]);
    await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
    expect(await screen.findByRole("dialog", { name: "Delete this message?" })).toHaveTextContent(
      "It will not be sent, and the 6.00 units set aside for it go back to your balance.",
    );
    await userEvent.click(screen.getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call === deleteCall)).toBe(false);
  });

  test("a deletion that comes too late says so in the server's words", async () => {
    openList([scheduledMessage], { [deleteCall]: refused(409, "STATE_CONFLICT", "This message has started") });
    await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("This message has started")).toBeVisible();
  });

  test("Proceed deletes, and says that the units are back in your balance", async () => {
    const messages = [scheduledMessage];
    openList(messages, {
      [deleteCall]: () => {
        messages.length = 0;
        return { body: { message: "Deleted Successfully" } };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Deleted Successfully")).toBeVisible();
    expect(screen.getByText("6.00 units are back in your balance")).toBeVisible();
    expect(await screen.findByText("There are no current messages...")).toBeVisible();
  });
});

describe("the form", () => {
  const address = `/user-dashboard/${messageId}/edit-scheduled-sms`;
  const viewCall = `GET /api/${userId}/${messageId}/view-scheduled-sms`;

  test("a message that has gone out says so, and leads back", async () => {
    messageServer({ [viewCall]: refused(404, "NOT_FOUND") });
    renderApp(address);
    expect(await screen.findByText("This message is no longer scheduled")).toBeVisible();
  });

  test("begins with the message and its time of day in its zone", async () => {
    messageServer();
    renderApp(address);
    expect(await screen.findByRole("textbox", { name: "Message" })).toHaveValue("Happy New Year");
    expect(screen.getByRole("textbox", { name: "Recipients" })).toHaveValue("2348030000001,\n2348030000002");
    expect(await screen.findByLabelText("Date")).toHaveValue(dayAhead);
    expect(screen.getByLabelText("Time")).toHaveValue("18:00");
    expect(screen.getByRole("combobox", { name: "Time zone" })).toHaveValue("Africa/Lagos");
    expect(screen.queryByRole("switch", { name: "Send later" })).toBeNull();
    expect(screen.queryByRole("button", { name: /Draft/ })).toBeNull();
  });

  test("what it holds already pays for what it becomes", async () => {
    messageServer({
      [`GET /api/${userId}/view-one-user`]: { body: { ...userAnswer, data: { ...userAnswer.data, units: 1 } } },
    });
    renderApp(address);
    await waitFor(() =>
      expect(screen.getByRole("complementary", { name: "Preview and charge" })).toHaveTextContent("Balance after1.00"),
    );
    expect(screen.queryByText(/more units/)).toBeNull();
  });

  const editCall = `PATCH /api/${userId}/${messageId}/edit-scheduled-sms`;
  const save = async (): Promise<void> => {
    const button = screen.getByRole("button", { name: "Save changes" });
    await waitFor(() => expect(button).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(button);
  };

  test("another time alone is all that is sent, so the price stays; then the list is shown", async () => {
    const nextMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const requests = messageServer({ [editCall]: { ...scheduled, status: 200 } });
    const app = renderApp(address);
    fireEvent.change(await screen.findByLabelText("Date"), { target: { value: nextMonth } });
    await save();
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/scheduled-sms"));
    expect(requests.find(({ call }) => call === editCall)?.body).toEqual({
      sendAt: `${nextMonth}T18:00:00+01:00`,
      timeZone: "Africa/Lagos",
    });
  });

  test("what else was changed is sent too", async () => {
    const requests = messageServer({ [editCall]: { ...scheduled, status: 200 } });
    renderApp(address);
    await userEvent.type(await screen.findByRole("textbox", { name: "Message" }), "!");
    await save();
    await waitFor(() =>
      expect(requests.find(({ call }) => call === editCall)?.body).toEqual({
        message: "Happy New Year!",
        sendAt: `${dayAhead}T18:00:00+01:00`,
        timeZone: "Africa/Lagos",
      }),
    );
  });

  const bodyOf = (requests: FakeRequest[]): unknown => requests.find(({ call }) => call === editCall)?.body;

  test("recipients with values stay with the message, whatever else is changed; its end, class and repeat are shown", async () => {
    const message: MessageAnswer = {
      ...scheduledMessage,
      message: "Dear {{name}}",
      isMerged: true,
      class: "transactional",
      repeat: { every: "week", on: [1] },
      nextTimes: [],
    };
    const requests = messageServer({
      [viewCall]: { body: { message: "Scheduled", data: message } },
      [`GET /api/${userId}/${messageId}/recipient-values`]: {
        body: undefined,
        text: '["name"]\n["2348030000001","Ada",null,null]\n["2348030000002","Bola",null,null]',
      },
      [`GET /api/${userId}/view-one-user`]: {
        body: { ...userAnswer, data: { ...userAnswer.data, maySendTransactional: true } },
      },
      [editCall]: { ...scheduled, status: 200 },
    });
    renderApp(address);
    expect(await screen.findByText("Fields: Name")).toBeVisible();
    expect(await screen.findByText("Dear Ada")).toBeVisible();
    expect(await screen.findByRole("combobox", { name: "Repeat" })).toHaveValue("week");
    expect(screen.getByRole("checkbox", { name: "Mon" })).toBeChecked();
    expect(screen.getByRole("combobox", { name: "Kind of message" })).toHaveValue("transactional");
    // Each time is a message of its own.
    expect(screen.queryByRole("checkbox", { name: "Stop trying after a time" })).toBeNull();
    await userEvent.click(screen.getByRole("checkbox", { name: "Fri" }));
    expect(screen.getByText("Next times")).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Kind of message" }), "promotional");
    await save();
    await waitFor(() =>
      expect(bodyOf(requests)).toEqual({
        class: "promotional",
        repeat: { every: "week", on: [1, 5] },
        sendAt: `${dayAhead}T18:00:00+01:00`,
        timeZone: "Africa/Lagos",
      }),
    );
  });

  test("a repeat and an end are taken away; a week needs a day, and an end comes after the time", async () => {
    const validUntil = new Date(Date.parse(scheduledMessage.sendAt ?? "") + 3_600_000).toISOString();
    const requests = messageServer({
      [viewCall]: { body: { message: "Scheduled", data: { ...scheduledMessage, validUntil, optOutLink: true } } },
      [editCall]: { ...scheduled, status: 200 },
    });
    renderApp(address);
    const end = await screen.findByRole("checkbox", { name: "Stop trying after a time" });
    expect(end).toBeChecked();
    expect(screen.getByLabelText("Valid until, time")).toHaveValue("19:00");
    fireEvent.change(screen.getByLabelText("Valid until, time"), { target: { value: "17:59" } });
    expect(screen.getByText("This is before the message is sent")).toBeVisible();
    expect(screen.getByText(/a later time until which it is valid/)).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Repeat" }), "week");
    for (const day of screen
      .getAllByRole("checkbox", { checked: true })
      .filter((box) => box.closest("fieldset fieldset")))
      await userEvent.click(day);
    expect(screen.getByText(/Still needed: .*a weekday/)).toBeVisible();
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Repeat" }), "");
    await userEvent.click(screen.getByRole("checkbox", { name: "Stop trying after a time" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Add an opt-out link" }));
    await save();
    await waitFor(() =>
      expect(bodyOf(requests)).toEqual({
        optOutLink: false,
        validUntil: null,
        sendAt: `${dayAhead}T18:00:00+01:00`,
        timeZone: "Africa/Lagos",
      }),
    );
  });
});
