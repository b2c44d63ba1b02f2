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
    expect(screen.getByLabelText("Date")).toHaveValue(dayAhead);
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
});
