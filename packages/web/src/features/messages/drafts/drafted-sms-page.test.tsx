import type { DraftAnswer } from "@ewebal/contract";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp, type RenderedApp } from "../../../testing/render-app.tsx";
import { inlineWorker } from "../testing/inline-worker.ts";
import { dayAhead, draftAnswer, draftId, messageServer, refused, scheduled, sent } from "../testing/message-server.ts";

const listCall = `GET /api/${userId}/populate-drafts`;
const deleteCall = `DELETE /api/${userId}/${draftId}/delete-draft`;
const formAddress = `/user-dashboard/${draftId}/send-draft-sms`;

beforeEach(() => {
  startUserSession(userId);
  sessionStorage.clear();
  inlineWorker();
});

function openList(
  drafts: DraftAnswer[],
  handlers: Parameters<typeof messageServer>[0] = {},
  search = "",
): { app: RenderedApp; requests: FakeRequest[] } {
  const requests = messageServer({ [listCall]: () => ({ body: { data: drafts, next: null } }), ...handlers });
  return { app: renderApp(`/user-dashboard/drafted-sms${search}`), requests };
}

describe("the list", () => {
  test("without drafts stands the specified sentence, and what to do first", async () => {
    openList([]);
    expect(await screen.findByText("There are no current drafts...")).toBeVisible();
    expect(screen.getByRole("link", { name: "Write a message" })).toHaveAttribute(
      "href",
      "/user-dashboard/ewebal/send-sms",
    );
  });

  test("a search that finds nothing can be cleared", async () => {
    const { requests } = openList([], {}, "?search=nobody");
    await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(await screen.findByText("There are no current drafts...")).toBeVisible();
    expect(requests.find(({ call }) => call === listCall)?.query).toContain("search=nobody");
  });

  test("a draft shows text, sender name, numbers and time", async () => {
    openList([draftAnswer({ phoneNo: "08030000001, 08030000001, 12", updatedAt: "2026-04-01T10:00:00.000Z" })]);
    const row = (await screen.findByText("Kept for later")).closest("li");
    expect(row).toHaveTextContent("AdaStores");
    expect(row).toHaveTextContent("Numbers1 + 1 wrong");
    expect(row?.querySelector("time")).toHaveAttribute("datetime", "2026-04-01T10:00:00.000Z");
  });

  test("a draft that is kept elsewhere appears", async () => {
    const drafts = [draftAnswer()];
    openList(drafts);
    await screen.findByText("Kept for later");
    drafts.unshift(draftAnswer({ _id: "01900000-0000-7000-8000-0000000000d2", message: "From the other tab" }));
    act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: ["drafts"] }));
    expect(await screen.findByText("From the other tab")).toBeVisible();
  });

  test("deleting asks first; Nope keeps the draft, a failure says why", async () => {
    const { requests } = openList([draftAnswer()], { [deleteCall]: "offline" });
    await userEvent.click(await screen.findByRole("button", { name: "Delete the draft from AdaStores" }));
    await userEvent.click(await screen.findByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call === deleteCall)).toBe(false);
    await userEvent.click(screen.getByRole("button", { name: "Delete the draft from AdaStores" }));
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("No Internet Connection")).toBeVisible();
    expect(screen.getByText("Kept for later")).toBeVisible();
  });

  test("Proceed deletes, and says so for 4 seconds", async () => {
    const drafts = [draftAnswer()];
    openList(drafts, {
      [deleteCall]: () => {
        drafts.length = 0;
        return { body: { message: "Deleted Successfully" } };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Delete the draft from AdaStores" }));
    const timers = vi.spyOn(window, "setTimeout");
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
    expect(await screen.findByText("Deleted Successfully")).toBeVisible();
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(4_000);
    expect(await screen.findByText("There are no current drafts...")).toBeVisible();
  });
});

describe("the form", () => {
  test("a draft that is not there any more says so, and leads back", async () => {
    messageServer({ [`GET /api/${userId}/${draftId}/view-one-draft`]: refused(404, "NOT_FOUND") });
    renderApp(formAddress);
    expect(await screen.findByText("This draft no longer exists")).toBeVisible();
    expect(screen.getByRole("main").querySelector("a")).toHaveAttribute("href", "/user-dashboard/drafted-sms");
  });

  test("Edit carries the draft's fields over, without a question to the server", async () => {
    const { app, requests } = openList([draftAnswer({ senderName: "NotYetMine", code: "233" })]);
    await userEvent.click(await screen.findByRole("link", { name: "Edit the draft from NotYetMine" }));
    expect(await screen.findByRole("textbox", { name: "Message" })).toHaveValue("Kept for later");
    expect(app.pathname()).toBe(formAddress);
    expect(screen.getByRole("textbox", { name: "Sender name" })).toHaveValue("NotYetMine");
    expect(screen.getByRole("textbox", { name: "Recipients" })).toHaveValue("08030000001,\n08030000002");
    expect(screen.getByRole("combobox", { name: "Country" })).toHaveValue("Ghana (+233)");
    expect(requests.some(({ call }) => call.endsWith("view-one-draft"))).toBe(false);
    expect(Object.keys(JSON.parse(sessionStorage.getItem("draft-history") ?? "{}") as object)).toEqual([
      "_id",
      "senderName",
      "message",
      "phoneNo",
      "code",
    ]);
  });

  test("sending it leads to the history, and nothing of it is left", async () => {
    const call = `POST /api/${userId}/${draftId}/send-draft-sms`;
    const { app, requests } = openList([draftAnswer()], { [call]: sent });
    await userEvent.click(await screen.findByRole("link", { name: "Edit the draft from AdaStores" }));
    const send = await screen.findByRole("button", { name: "Send SMS" });
    await waitFor(() => expect(send).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(send);
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/sms-history"));
    expect(requests.find((request) => request.call === call)?.body).toEqual({
      senderName: "AdaStores",
      message: "Kept for later",
      phoneNo: "2348030000001,2348030000002",
      code: "234",
    });
    expect(sessionStorage).toHaveLength(0);
  });

  test("it can be sent later: the form asks for a time, and the schedule has it afterwards", async () => {
    const call = `POST /api/${userId}/${draftId}/schedule-draft-sms`;
    const { app, requests } = openList([draftAnswer()], { [call]: scheduled });
    await userEvent.click(await screen.findByRole("link", { name: "Edit the draft from AdaStores" }));
    await userEvent.click(await screen.findByRole("switch", { name: "Send later" }));
    fireEvent.change(screen.getByLabelText("Date"), { target: { value: dayAhead } });
    fireEvent.change(screen.getByLabelText("Time"), { target: { value: "18:00" } });
    const schedule = await screen.findByRole("button", { name: "Schedule SMS" });
    await waitFor(() => expect(schedule).toHaveAttribute("aria-disabled", "false"));
    await userEvent.click(schedule);
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/scheduled-sms"));
    expect(requests.find((request) => request.call === call)?.body).toMatchObject({
      message: "Kept for later",
      phoneNo: "2348030000001,2348030000002",
      sendAt: `${dayAhead}T18:00:00+01:00`,
      timeZone: "Africa/Lagos",
    });
    expect(sessionStorage).toHaveLength(0);
  });

  test("saving it leads to the drafts; a failure stays", async () => {
    const call = `PATCH /api/${userId}/${draftId}/edit-draft`;
    let isDown = true;
    const requests = messageServer({
      [call]: () => (isDown ? refused(500, "INTERNAL") : { body: { message: "Saved" } }),
    });
    const app = renderApp(formAddress);
    const text = await screen.findByRole("textbox", { name: "Message" });
    await userEvent.type(text, ", changed");
    await userEvent.click(screen.getByRole("button", { name: "Save draft" }));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Can't add to drafts");
    expect(alert).toHaveTextContent("This might be due to network issues");
    expect(app.pathname()).toBe(formAddress);
    isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Save draft" }));
    await waitFor(() => expect(app.pathname()).toBe("/user-dashboard/drafted-sms"));
    expect(requests.findLast((request) => request.call === call)?.body).toMatchObject({
      message: "Kept for later, changed",
    });
  });
});
