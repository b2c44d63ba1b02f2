import { act, configure, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { MessageAnswer } from "@ewebal/contract";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { ada, bola, refusal, signedInServer } from "../testing/admin-answers.ts";
import { previewOf } from "./sms-table.tsx";

vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const messageId = "01900000-0000-7000-8000-0000000000d1";
const message: MessageAnswer = {
  _id: messageId,
  userID: ada._id,
  userName: "ada",
  senderName: "AdaStores",
  message: "x".repeat(150),
  code: "234",
  phoneNo: "2348030000001,2348030000002",
  recipients: 1_002,
  pages: 1,
  price: 3,
  state: "done",
  class: "promotional",
  mode: "live",
  counts: { waiting: 0, sent: 2, delivered: 1_000, failed: 0, dnd: 0, unknown: 0, cancelled: 0 },
  createdAt: "2026-01-05T10:00:00.000Z",
  sendAt: "2026-02-06T10:00:00.000Z",
};
const draft = {
  _id: messageId,
  userID: ada._id,
  userName: "ada",
  senderName: "Shop",
  message: "Draft text",
  code: "234",
  phoneNo: "0803",
  createdAt: message.createdAt,
  updatedAt: message.sendAt,
};
const viewAda = { [`GET /api/${ada._id}/view-one-user`]: { body: { message: "User", data: ada } } };

test("the preview is the first 100 characters and dots, and never half an emoji", () => {
  expect(previewOf("x".repeat(100))).toBe("x".repeat(100));
  expect(previewOf("x".repeat(101))).toBe(`${"x".repeat(100)}...`);
  expect(previewOf("😀".repeat(101))).toBe(`${"😀".repeat(100)}...`);
});

describe.each([
  {
    page: `/admin-dashboard/manage-all-users/user-messages/${ada._id}`,
    call: `GET /api/${ada._id}/populate-sms-history`,
    row: message,
    details: `/admin-dashboard/manage-all-users/user-messages/${ada._id}/more-about-sms/${messageId}`,
  },
  {
    page: "/admin-dashboard/manage-all-sms",
    call: "GET /api/view-all-sms-messages",
    row: message,
    details: `/admin-dashboard/manage-all-sms/more-about-sms/${messageId}`,
  },
  {
    page: "/admin-dashboard/manage-all-drafts",
    call: "GET /api/view-all-drafts",
    row: draft,
    details: `/admin-dashboard/manage-all-drafts/more-about-drafts/${messageId}`,
  },
])("$page", ({ page, call, row, details }) => {
  test("lists what there is, leads to all of it, and follows a push", async () => {
    let data: object[] = [];
    signedInServer({ ...viewAda, [call]: () => ({ body: { data, next: null } }) });
    renderApp(page);
    expect(await screen.findByText("There are no sms messages.")).toBeVisible();
    data = [row];
    act(() => FakeEventSource.opened[0]?.say("change", { topics: ["admin"] }));
    expect(await screen.findByText(previewOf(row.message))).toBeVisible();
    expect(document.querySelector("main time")).toHaveAttribute("datetime", message.sendAt);
    expect(screen.getByRole("link", { name: `Details of the message from ${row.senderName}` })).toHaveAttribute(
      "href",
      details,
    );
  });

  test("is searched by the server, from the address", async () => {
    const requests = signedInServer({ ...viewAda, [call]: { body: { data: [], next: null } } });
    renderApp(`${page}?search=rent`);
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    expect(requests.find((request) => request.call === call)?.query).toBe("search=rent");
    const [clear] = screen.getAllByRole("button", { name: "Clear filters" });
    await userEvent.click(clear ?? document.body);
    expect(await screen.findByText("There are no sms messages.")).toBeVisible();
  });
});

describe("all messages", () => {
  const page = "/admin-dashboard/manage-all-sms";
  const call = "GET /api/view-all-sms-messages";
  const units = { charged: 2_700, reserved: 0, returned: 300 };

  test("name the user, the recipients, the state with what failed of them, and the charge", async () => {
    const failing = { ...message.counts, sent: 0, delivered: 900, failed: 90, dnd: 12 };
    const data: MessageAnswer[] = [
      { ...message, counts: failing, units },
      { ...message, _id: `${messageId.slice(0, -1)}2`, state: "sending", units: { ...units, charged: 0, reserved: 6 } },
      {
        ...message,
        _id: `${messageId.slice(0, -1)}3`,
        recipients: 1_000_000,
        counts: { ...failing, failed: 1, dnd: 0 },
      },
    ];
    signedInServer({ [call]: { body: { data, next: null } } });
    renderApp(page);
    const [first, second, third] = (await screen.findAllByRole("link", { name: /^Details of/ })).map((link) =>
      link.closest("li"),
    );
    expect(within(first as HTMLElement).getByRole("link", { name: "ada" })).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-users/more-details-about-user/${ada._id}`,
    );
    const textOf = (row: HTMLElement | null | undefined, name: string) =>
      within(row as HTMLElement).getByText(name).nextSibling?.textContent;
    expect(textOf(first, "Recipients")).toBe("1,002");
    expect(textOf(first, "State")).toBe("Done10.1 % failed");
    expect(textOf(first, "Charge")).toBe("2,700.00");
    expect(textOf(second, "State")).toBe("Sending");
    expect(textOf(second, "Charge")).toBe("0.006.00 reserved");
    expect(textOf(third, "State")).toBe("Done<0.1 % failed");
    expect(textOf(third, "Charge")).toBe("–");
  });

  test("are filtered by user, state and days, from the address; nonsense in it is not asked", async () => {
    const requests = signedInServer({
      ...viewAda,
      "GET /api/view-all-users": { body: { data: [ada, bola], next: null } },
      [call]: { body: { data: [], next: null } },
    });
    const asked = () => Object.fromEntries(new URLSearchParams(requests.findLast((each) => each.call === call)?.query));
    renderApp(`${page}?user=nobody&state=nonsense&from=yesterday&to=2026-03-31`);
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    expect(asked()).toEqual({ to: "2026-03-31" });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "Sending");
    await userEvent.click(screen.getByRole("combobox", { name: "User" }));
    await userEvent.click(await screen.findByRole("option", { name: /^ada@gmail.com/ }));
    await waitFor(() => expect(asked()).toEqual({ to: "2026-03-31", state: "sending", userId: ada._id }));
    expect(await screen.findByRole("combobox", { name: "User" })).toHaveValue("ada@gmail.com");
    const [clear] = screen.getAllByRole("button", { name: "Clear filters" });
    await userEvent.click(clear ?? document.body);
    await waitFor(() => expect(asked()).toEqual({}));
  });
});

describe("the details", () => {
  test("of a user's message can be read and not changed", async () => {
    signedInServer({
      ...viewAda,
      [`GET /api/${ada._id}/${messageId}/view-one-sms`]: { body: { message: "Message", data: message } },
    });
    renderApp(`/admin-dashboard/manage-all-users/user-messages/${ada._id}/more-about-sms/${messageId}`);
    expect(await screen.findByText(messageId)).toBeVisible();
    const names = screen.getAllByRole("term").map(({ textContent }) => textContent);
    expect(names.slice(0, 5)).toEqual(["Sender ID", "Sms ID", "Phone Numbers", "SMS", "Date sent"]);
    expect(screen.getByText("x".repeat(150))).toBeVisible();
    expect(screen.getByText("and 1,000 more")).toBeVisible();
    expect(screen.getByText("Delivered").nextSibling).toHaveTextContent("1,000");
    expect(screen.queryByText("Failed")).not.toBeInTheDocument();
    expect(within(screen.getByRole("main")).queryByRole("textbox")).not.toBeInTheDocument();
  });

  test.each([
    ["/admin-dashboard/manage-all-sms/more-about-sms", "view-any-sms", message, "Sms ID"],
    ["/admin-dashboard/manage-all-drafts/more-about-drafts", "view-any-draft", draft, "Draft ID"],
  ])("%s adds whose it is", async (page, call, data, idName) => {
    signedInServer({ ...viewAda, [`GET /api/${messageId}/${call}`]: { body: { message: "Found", data } } });
    renderApp(`${page}/${messageId}`);
    const name = await screen.findByText("User Detail");
    expect(name.nextSibling).toHaveTextContent("ada");
    expect(await screen.findByText("ada@gmail.com")).toBeVisible();
    expect(screen.getByText(idName)).toBeVisible();
    expect(screen.getByRole("link", { name: "ada" })).toHaveAttribute(
      "href",
      `/admin-dashboard/manage-all-users/more-details-about-user/${ada._id}`,
    );
  });

  test("of nothing say so", async () => {
    signedInServer({ [`GET /api/${messageId}/view-any-sms`]: refusal(404, "NOT_FOUND", "Not found") });
    renderApp(`/admin-dashboard/manage-all-sms/more-about-sms/${messageId}`);
    expect(await screen.findByText("Not found")).toBeVisible();
  });
});
