import type { MessageAnswer } from "@ewebal/contract";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { whitelists, messageAnswer, messageId, noCounts } from "../testing/message-server.ts";

const historyCall = `GET /api/${userId}/populate-sms-history`;
const oneCall = `GET /api/${userId}/${messageId}/view-one-sms`;
const otherId = "01900000-0000-7000-8000-0000000000b2";

beforeEach(() => startUserSession(userId));

/** A server that holds these messages; the test changes them and tells the page. */
function open(messages: MessageAnswer[], handlers: Parameters<typeof fakeServer>[0] = {}, search = ""): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: () => ({
      body: {
        ...userAnswer,
        data: { ...userAnswer.data, counts: { ...userAnswer.data.counts, sms: messages.length } },
      },
    }),
    [historyCall]: () => ({ body: { data: messages, next: null } }),
    [`GET /api/${userId}/whitelists`]: { body: { message: "Whitelists", data: whitelists } },
    [oneCall]: () => ({ body: { message: "Message", data: messages.find(({ _id }) => _id === messageId) } }),
    ...handlers,
  });
  renderApp(`/user-dashboard/sms-history${search}`);
  return requests;
}

const push = (...topics: string[]): void => act(() => FakeEventSource.opened.at(-1)?.say("change", { topics }));

test("without messages stands the specified sentence, and what to do first", async () => {
  open([]);
  expect(await screen.findByText("There are no current messages...")).toBeVisible();
  expect(screen.getByRole("link", { name: "Send your first SMS" })).toHaveAttribute(
    "href",
    "/user-dashboard/ewebal/send-sms",
  );
});

test("a message shows sender name, text, recipients, time, Successful, and the true counts", async () => {
  open([messageAnswer()]);
  const row = (await screen.findByText("Your order is ready")).closest("li");
  if (row === null) throw new Error("no row");
  expect(row).toHaveTextContent("AdaStores");
  expect(row).toHaveTextContent("1,000 recipients");
  for (const words of ["Successful", "980 delivered", "15 failed", "5 DND"])
    expect(within(row).getByText(words)).toBeVisible();
  expect(within(row).getByRole("link", { name: "Your order is ready" })).toHaveAttribute(
    "href",
    `/user-dashboard/sms-history/${messageId}`,
  );
  expect(row.querySelector("time")).toHaveAttribute("title", expect.stringContaining("2026"));
});

test.each([
  [{ charged: 5.925, reserved: 0.1, returned: 0.2 }, "6.025 units", "0.10 reserved"],
  [{ charged: 14_994, reserved: 0, returned: 6 }, "14,994.00 units", "6.00 returned"],
])("a message says its charge, and what of it is open or came back: %o", async (units, charge, note) => {
  open([messageAnswer({ units })]);
  expect(await screen.findByText(charge)).toBeVisible();
  expect(screen.getByText(note)).toBeVisible();
});

test("a message whose numbers were all on the do-not-disturb list is not called successful", async () => {
  open([messageAnswer({ recipients: 2, counts: { ...noCounts, dnd: 2 } })]);
  expect(await screen.findByText("Not sent")).toBeVisible();
  expect(screen.queryByText("Successful")).toBeNull();
});

test("a message that waits for quiet hours says until when, and the file follows the filter", async () => {
  const deferredUntil = "2026-03-06T07:00:00.000Z";
  open([messageAnswer({ state: "deferred", deferredUntil, counts: { ...noCounts, waiting: 1_000 } })]);
  const time = new Date(deferredUntil).toTimeString().slice(0, 5);
  expect(await screen.findByText(`Waits until ${time}`)).toBeVisible();
  expect(screen.queryByText("Waits for the morning", { selector: ".mantine-Badge-label" })).toBeNull();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "deferred");
  await waitFor(() =>
    expect(screen.getByRole("link", { name: "Export CSV" })).toHaveAttribute(
      "href",
      `/api/${userId}/populate-sms-history?state=deferred&format=csv`,
    ),
  );
});

test("a scheduled message says when it was sent, not when it was written", async () => {
  open([messageAnswer({ createdAt: "2026-03-05T10:00:00.000Z", sendAt: "2026-07-20T10:00:00.000Z" })]);
  const row = (await screen.findByText("Your order is ready")).closest("li");
  expect(row?.querySelector("time")).toHaveAttribute("datetime", "2026-07-20T10:00:00.000Z");
});

test("a message that moves while the list is read is read once more", async () => {
  const before = messageAnswer({ recipients: 5, state: "sending", counts: { ...noCounts, delivered: 1, waiting: 4 } });
  const list = Promise.withResolvers<void>();
  const requests = open([{ ...before, counts: { ...noCounts, delivered: 4, failed: 1 } }], {
    [historyCall]: async () => {
      await list.promise;
      return { body: { data: [before], next: null } };
    },
  });
  await waitFor(() => expect(requests.some(({ call }) => call === historyCall)).toBe(true));
  push(`message:${messageId}`);
  list.resolve();
  expect(await screen.findByText("4 delivered")).toBeVisible();
});

test("counts move when the server says so, and only that message is read", async () => {
  const message = messageAnswer({ state: "sending", counts: { ...noCounts, waiting: 1_000 } });
  const messages = [message];
  const requests = open(messages);
  expect(await screen.findByText("1,000 waiting")).toBeVisible();
  expect(screen.getByText("Sending", { selector: "li *" })).toBeVisible();
  const readCount = requests.filter(({ call }) => call === historyCall).length;

  messages[0] = { ...message, counts: { ...noCounts, waiting: 600, delivered: 400 } };
  push("user", `message:${messageId}`);
  expect(await screen.findByText("600 waiting")).toBeVisible();
  expect(screen.getByText("400 delivered")).toBeVisible();
  expect(requests.filter(({ call }) => call === historyCall)).toHaveLength(readCount);
});

test("a message whose reports are all in asks for nothing more", async () => {
  const requests = open([messageAnswer()]);
  await screen.findByText("980 delivered");
  push(`message:${messageId}`);
  await act(async () => await Promise.resolve());
  expect(requests.filter(({ call }) => call === oneCall)).toHaveLength(0);
});

test("a message that is sent elsewhere appears", async () => {
  const messages = [messageAnswer()];
  open(messages);
  await screen.findByText("Your order is ready");
  messages.unshift(messageAnswer({ _id: otherId, message: "Sent from the other tab" }));
  push("user", "messages");
  expect(await screen.findByText("Sent from the other tab")).toBeVisible();
});

test("deleting asks first; Nope keeps the message", async () => {
  const requests = open([messageAnswer()]);
  await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
  await userEvent.click(await screen.findByRole("button", { name: "Nope" }));
  expect(screen.getByText("Your order is ready")).toBeVisible();
  expect(requests.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
});

test("Proceed deletes, says so, and the message is gone", async () => {
  const messages = [messageAnswer()];
  open(messages, {
    [`DELETE /api/${userId}/${messageId}/delete-sms-message`]: () => {
      messages.length = 0;
      return { body: { message: "Deleted Successfully" } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Deleted Successfully")).toBeVisible();
  expect(await screen.findByText("There are no current messages...")).toBeVisible();
});

test("a deletion that fails keeps the message and says why", async () => {
  open([messageAnswer()], { [`DELETE /api/${userId}/${messageId}/delete-sms-message`]: "offline" });
  await userEvent.click(await screen.findByRole("button", { name: "Delete the message from AdaStores" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("No Internet Connection")).toBeVisible();
  expect(screen.getByText("Your order is ready")).toBeVisible();
});

test("more is read by cursor", async () => {
  const queries: string[] = [];
  fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/whitelists`]: { body: { message: "Whitelists", data: whitelists } },
    [historyCall]: (request) => {
      queries.push(request.query);
      const isFirst = !request.query.includes("after=");
      return {
        body: isFirst
          ? { data: [messageAnswer()], next: "cursor-1" }
          : { data: [messageAnswer({ _id: otherId, message: "An older one" })], next: null },
      };
    },
  });
  renderApp("/user-dashboard/sms-history");
  expect(await screen.findByText("1 of 12")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("An older one")).toBeVisible();
  expect(queries.at(-1)).toContain("after=cursor-1");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Show more" })).toBeNull());
});

describe("search and filters", () => {
  const queryOf = (requests: FakeRequest[]): URLSearchParams =>
    new URLSearchParams(requests.findLast(({ call }) => call === historyCall)?.query);

  test("an empty history has nothing to search", async () => {
    open([]);
    await screen.findByText("There are no current messages...");
    expect(screen.queryByRole("searchbox")).toBeNull();
  });

  test("what makes no sense in the address is not asked of the server", async () => {
    const requests = open([messageAnswer()], {}, "?state=lost&from=yesterday&to=2026-02-31");
    await screen.findByText("Your order is ready");
    expect([...queryOf(requests).keys()]).toEqual(["limit"]);
  });

  test("nothing that matches says so, and the filters can be cleared", async () => {
    const messages: MessageAnswer[] = [];
    const requests = open(messages, {}, "?search=nobody&state=done");
    expect(await screen.findByText("Nothing matches")).toBeVisible();
    messages.push(messageAnswer());
    const [, clear] = screen.getAllByRole("button", { name: "Clear filters" });
    if (clear !== undefined) await userEvent.click(clear);
    expect(await screen.findByText("Your order is ready")).toBeVisible();
    expect(queryOf(requests).has("search")).toBe(false);
  });

  test("state, sender name and days are asked of the server", async () => {
    const requests = open([messageAnswer()]);
    await screen.findByText("Your order is ready");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "State" }), "Paused");
    await waitFor(() => expect(queryOf(requests).get("state")).toBe("paused"));
    await userEvent.selectOptions(
      screen.getByRole("combobox", { name: "Sender name" }),
      await screen.findByRole("option", { name: "AdaStores" }),
    );
    fireEvent.change(screen.getByLabelText("From"), { target: { value: "2026-03-01" } });
    await waitFor(() => expect(queryOf(requests).get("from")).toBe("2026-03-01"));
    fireEvent.change(screen.getByLabelText("To"), { target: { value: "2026-03-05" } });
    await waitFor(() =>
      expect(Object.fromEntries(queryOf(requests))).toEqual({
        state: "paused",
        sender: "AdaStores",
        from: "2026-03-01",
        to: "2026-03-05",
        limit: "25",
      }),
    );
  });

  test("a search asks when the typing pauses, and goes on through pages that hold nothing", async () => {
    const queries: string[] = [];
    open(
      [],
      {
        [historyCall]: ({ query }) => {
          queries.push(query);
          return {
            body: query.includes("after=")
              ? { data: [messageAnswer({ message: "Found far behind" })], next: null }
              : { data: [], next: "cursor-1" },
          };
        },
      },
      "?search=far",
    );
    expect(await screen.findByText("Found far behind")).toBeVisible();
    expect(queries).toEqual(["search=far&limit=25", "search=far&limit=25&after=cursor-1"]);
  });

  test("the file has what the filters leave", async () => {
    open([messageAnswer()], {}, "?state=done&sender=AdaStores");
    expect(await screen.findByRole("link", { name: "Export CSV" })).toHaveAttribute(
      "href",
      `/api/${userId}/populate-sms-history?state=done&sender=AdaStores&format=csv`,
    );
  });
});
