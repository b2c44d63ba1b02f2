import type { BreakdownAnswer, MessageAnswer, RecipientAnswer, RecipientState } from "@ewebal/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import {
  refused,
  sent,
  sentWithDnd,
  whitelists,
  messageAnswer,
  messageId,
  noCounts,
} from "../testing/message-server.ts";

const address = `/user-dashboard/sms-history/${messageId}`;
const recipientsCall = `GET /api/${userId}/${messageId}/recipients`;
const breakdownCall = `GET /api/${userId}/${messageId}/view-breakdown`;

beforeEach(() => startUserSession(userId));

function breakdownAnswer(over: Partial<BreakdownAnswer> = {}): BreakdownAnswer {
  return {
    countedAt: "2026-03-05T10:00:20.000Z",
    counts: messageAnswer().counts,
    isKept: true,
    stepSeconds: 5,
    points: [
      { at: "2026-03-05T10:00:00.000Z", delivered: 900, failed: 0, dnd: 0 },
      { at: "2026-03-05T10:00:05.000Z", delivered: 79, failed: 15, dnd: 0 },
    ],
    later: { delivered: 1, failed: 0, dnd: 0 },
    networks: [
      { network: "MTN", sent: 0, delivered: 980, failed: 5, dnd: 0, unknown: 0 },
      { network: "Glo", sent: 0, delivered: 0, failed: 10, dnd: 0, unknown: 0 },
    ],
    failures: [
      { reason: "Phone off or out of reach", advice: "Resend later", count: 15, carrierCodes: ["expired 027"] },
    ],
    ...over,
  };
}

const outOfReach = { reason: "Phone off or out of reach", advice: "Resend later", carrierCode: "expired 027" };

function recipient(
  index: number,
  state: RecipientState = "delivered",
  why: Partial<RecipientAnswer> = {},
): RecipientAnswer {
  return {
    phoneNo: String(2_348_030_000_000 + index),
    state,
    network: "MTN",
    reason: "",
    text: "Your order is ready",
    pages: 1,
    ...why,
    updatedAt: "2026-03-05T10:00:01.000Z",
  };
}

function open(
  message: { current: MessageAnswer },
  handlers: Parameters<typeof fakeServer>[0] = {},
  search = "",
): FakeRequest[] {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [`GET /api/${userId}/${messageId}/view-one-sms`]: () => ({ body: { message: "Message", data: message.current } }),
    [recipientsCall]: {
      body: { data: [recipient(1), recipient(2, "failed", outOfReach)], next: null },
    },
    // Without points, because the drawing takes seconds to load.
    [breakdownCall]: { body: { message: "How", data: breakdownAnswer({ points: [] }) } },
    ...handlers,
  });
  renderApp(`${address}${search}`);
  return requests;
}

const running = messageAnswer({ state: "sending", counts: { ...noCounts, waiting: 600, delivered: 400 } });

test("a running send shows how far it is, and moves when the server says so", async () => {
  const message = { current: running };
  open(message);
  const bar = await screen.findByRole("progressbar", { name: "Done" });
  expect(bar).toHaveAttribute("aria-valuenow", "40");
  expect(bar).toHaveAttribute("aria-valuetext", "400 delivered, 600 waiting");
  expect(screen.getByText("Sending")).toBeVisible();

  message.current = { ...running, counts: { ...noCounts, waiting: 1, delivered: 999 } };
  act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: [`message:${messageId}`] }));
  await waitFor(() => expect(bar).toHaveAttribute("aria-valuenow", "99"));
});

test("when the counts move, the recipients on screen are read again", async () => {
  const message = { current: running };
  let state: RecipientState = "waiting";
  open(message, { [recipientsCall]: () => ({ body: { data: [recipient(1, state)], next: null } }) });
  expect(within(await screen.findByRole("list", { name: "Recipients" })).getByText("Waiting")).toBeVisible();
  state = "delivered";
  message.current = { ...running, counts: { ...noCounts, waiting: 599, delivered: 401 } };
  act(() => FakeEventSource.opened.at(-1)?.say("change", { topics: [`message:${messageId}`] }));
  await waitFor(() =>
    expect(within(screen.getByRole("list", { name: "Recipients" })).getByText("Delivered")).toBeVisible(),
  );
});

test("a done message is Successful and cannot be steered", async () => {
  open({ current: messageAnswer() });
  expect(await screen.findByText("Successful")).toBeVisible();
  expect(screen.getByText(/of 1,000 done/)).toBeVisible();
  for (const name of ["Pause", "Resume", "Cancel the rest"]) expect(screen.queryByRole("button", { name })).toBeNull();
});

const costOf = async () => {
  return [...(await panel("Cost")).querySelectorAll("dt")].map(
    (name) => `${name.textContent}: ${name.nextElementSibling?.textContent}`,
  );
};

test("the page says what the message cost and what came back, exact, and the delivery rate beside the legend of the bar", async () => {
  open({ current: messageAnswer({ counts: { ...noCounts, delivered: 9_996, failed: 4 } }) });
  expect(await costOf()).toEqual(["Units per recipient: 3.00", "Charged: 2,955.00", "Returned to your units: 30.00"]);
  expect(screen.getByText(/Delivery rate/)).toHaveTextContent("Delivery rate 99.9 %");
  expect(screen.getByText("9,996 delivered")).toBeVisible();
});

test("while a send runs, what is reserved is told apart from what is charged, and nobody is called failed yet", async () => {
  const units = { charged: 5.925, reserved: 1_179.075, returned: 0 };
  open({ current: messageAnswer({ state: "sending", counts: { ...noCounts, waiting: 199, sent: 1 }, units }) });
  expect(await costOf()).toEqual([
    "Units per recipient: 3.00",
    "Charged: 5.925",
    "Reserved until each outcome is known: 1,179.075",
    "Returned to your units: 0.00",
  ]);
  expect(screen.getByText(/Delivery rate/)).toHaveTextContent("No reports yet");
});

test("a message to nobody has no delivery rate", async () => {
  open({ current: messageAnswer({ recipients: 2, counts: { ...noCounts, dnd: 2 } }) });
  expect(await screen.findByText("Not sent")).toBeVisible();
  expect(screen.queryByText(/Delivery rate/)).toBeNull();
});

/** The panel of that title. */
async function panel(title: string): Promise<HTMLElement> {
  const section = (await screen.findByRole("heading", { name: title })).closest("section");
  if (section === null) throw new Error("no panel");
  return section;
}

test("results are shown over time, by network and with their reasons; the carrier's codes stand behind Details", async () => {
  open({ current: messageAnswer() }, { [breakdownCall]: { body: { message: "How", data: breakdownAnswer() } } });
  const name = "Results over time. 980 delivered, 15 failed and 0 DND.";
  expect(await screen.findByRole("img", { name })).toBeVisible();
  const overTime = await panel("Results over time");
  await userEvent.click(within(overTime).getByRole("button", { name: "Show data: Results over time" }));
  expect(within(overTime).getAllByRole("row")).toHaveLength(4);
  expect(within(overTime).getByRole("cell", { name: "later" })).toBeVisible();

  const byNetwork = await panel("Results by network");
  const [mtn, glo] = within(byNetwork)
    .getAllByRole("listitem")
    .filter((item) => item.textContent.includes("%"));
  expect(mtn).toHaveTextContent("MTN99.4 %980 delivered5 failed");
  expect(glo).toHaveTextContent("Glo0 %10 failed");

  const why = await panel("Why recipients did not get it");
  expect(why).toHaveTextContent("Phone off or out of reach15Resend later");
  expect(within(why).getByText("Carrier's code: expired 027")).not.toBeVisible();
  await userEvent.click(within(why).getByText("Details"));
  expect(within(why).getByText("Carrier's code: expired 027")).toBeVisible();
});

test("what was counted for other counts is asked for again after the server's pause, and not once it agrees", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const counts = { ...noCounts, waiting: 600, delivered: 400 };
  const answers = [
    breakdownAnswer({ points: [], counts: { ...counts, delivered: 1 }, againInSeconds: 7 }),
    breakdownAnswer({ points: [], counts }),
  ];
  const requests = open(
    { current: running },
    { [breakdownCall]: () => ({ body: { message: "How", data: answers.shift() ?? breakdownAnswer() } }) },
  );
  const asked = (): number => requests.filter(({ call }) => call === breakdownCall).length;
  await panel("Results over time");
  await act(async () => await vi.advanceTimersByTimeAsync(5_000));
  expect(asked()).toBe(1);
  await act(async () => await vi.advanceTimersByTimeAsync(3_000));
  expect(asked()).toBe(2);
  await act(async () => await vi.advanceTimersByTimeAsync(60_000));
  expect(asked()).toBe(2);
  vi.useRealTimers();
});

test("results that are no longer kept are not drawn", async () => {
  open(
    { current: messageAnswer() },
    { [breakdownCall]: { body: { message: "How", data: breakdownAnswer({ isKept: false }) } } },
  );
  await screen.findByText("Successful");
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Results over time" })).toBeNull());
});

test("numbers of another country have no networks to tell", async () => {
  open({ current: messageAnswer({ code: "44" }) });
  await panel("Results over time");
  expect(screen.queryByRole("heading", { name: "Results by network" })).toBeNull();
});

test("a running send can be paused, and a paused one resumed", async () => {
  const message = { current: running };
  open(message, {
    [`POST /api/${userId}/${messageId}/pause`]: () => {
      message.current = { ...running, state: "paused" };
      return { body: { message: "Paused. The rest waits until you resume" } };
    },
    [`POST /api/${userId}/${messageId}/resume`]: () => {
      message.current = running;
      return { body: { message: "Sending resumed" } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByText("Paused. The rest waits until you resume")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  expect(await screen.findByRole("button", { name: "Pause" })).toBeVisible();
});

test("cancelling the rest asks first and says what it means", async () => {
  const cancelCall = `POST /api/${userId}/${messageId}/cancel`;
  const requests = open(
    { current: running },
    { [cancelCall]: { body: { message: "Cancelled. The units of what was not sent are back in your balance" } } },
  );
  await userEvent.click(await screen.findByRole("button", { name: "Cancel the rest" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel the rest?" });
  expect(dialog).toHaveTextContent(
    "The 600 numbers that are still waiting won't get the message, and you get their units back.",
  );
  await userEvent.click(screen.getByRole("button", { name: "Nope" }));
  expect(requests.some(({ call }) => call === cancelCall)).toBe(false);

  await userEvent.click(screen.getByRole("button", { name: "Cancel the rest" }));
  await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));
  expect(await screen.findByText("Cancelled. The units of what was not sent are back in your balance")).toBeVisible();
});

test("a step that came too late says so in the server's words", async () => {
  open(
    { current: running },
    {
      [`POST /api/${userId}/${messageId}/pause`]: {
        status: 409,
        body: { message: "This message is done already", code: "STATE_CONFLICT" },
      },
    },
  );
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  expect(await screen.findByText("This message is done already")).toBeVisible();
});

test("every recipient has number, network, state, the reason and what to do; the carrier's code stands behind Details", async () => {
  open({ current: messageAnswer() });
  const list = await screen.findByRole("list", { name: "Recipients" });
  const [first, second] = within(list).getAllByRole("listitem");
  expect(first).toHaveTextContent("+2348030000001DeliveredMTN");
  expect(second).toHaveTextContent("Phone off or out of reach. Resend later.");
  expect(within(list).getByText("Carrier's code: expired 027")).not.toBeVisible();
  await userEvent.click(within(list).getByText("Details"));
  expect(within(list).getByText("Carrier's code: expired 027")).toBeVisible();
});

test("recipients of a month that was removed are no longer kept, in the list and behind a filter", async () => {
  const gone = {
    ...recipient(1),
    state: "notKept",
    reason: "What became of this recipient is no longer kept",
  } as const;
  const message = messageAnswer({ counts: { ...noCounts, delivered: 1_000 } });
  open(
    { current: message },
    { [recipientsCall]: ({ query }) => ({ body: { data: query.includes("state=") ? [] : [gone], next: null } }) },
  );
  const [first] = within(await screen.findByRole("list", { name: "Recipients" })).getAllByRole("listitem");
  expect(first).toHaveTextContent("No longer kept");
  expect(first).toHaveTextContent("What became of this recipient is no longer kept");
  await userEvent.click(
    within(screen.getByRole("navigation", { name: "Recipients by state" })).getByRole("link", {
      name: "Delivered 1,000",
    }),
  );
  expect(
    await screen.findByText(
      "Results for single recipients of that month have been deleted. The totals above are kept.",
    ),
  ).toBeVisible();
});

test("the state filter lives in the address and is asked of the server", async () => {
  const requests = open({ current: messageAnswer() }, {}, "?state=failed");
  const filter = await screen.findByRole("navigation", { name: "Recipients by state" });
  expect(within(filter).getByRole("link", { name: "Failed 15" })).toHaveAttribute("aria-current", "page");
  expect(within(filter).getByRole("link", { name: "All 1,000" })).not.toHaveAttribute("aria-current");
  await waitFor(() => expect(requests.find(({ call }) => call === recipientsCall)?.query).toContain("state=failed"));

  await userEvent.click(within(filter).getByRole("link", { name: "DND 5" }));
  await waitFor(() => expect(requests.findLast(({ call }) => call === recipientsCall)?.query).toContain("state=dnd"));
});

test("a state that nobody is in can be cleared", async () => {
  open(
    { current: messageAnswer() },
    {
      [recipientsCall]: ({ query }) => ({ body: { data: query.includes("state=") ? [] : [recipient(1)], next: null } }),
    },
    "?state=unknown",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("+2348030000001")).toBeVisible();
});

test("the next page of recipients is read by cursor when the end is near", async () => {
  const queries: string[] = [];
  open(
    { current: messageAnswer() },
    {
      [recipientsCall]: ({ query }) => {
        queries.push(query);
        return {
          body: query.includes("after=1")
            ? { data: [recipient(3)], next: null }
            : { data: [recipient(1), recipient(2)], next: "1" },
        };
      },
    },
  );
  expect(await screen.findByText("+2348030000003")).toBeVisible();
  expect(queries).toHaveLength(2);
});

test("a message that is not there says so", async () => {
  open(
    { current: messageAnswer() },
    {
      [`GET /api/${userId}/${messageId}/view-one-sms`]: {
        status: 404,
        body: { message: "Not found", code: "NOT_FOUND" },
      },
    },
  );
  expect(await screen.findByText("Not found")).toBeVisible();
  expect(screen.getAllByRole("link", { name: "SMS history" }).at(-1)).toHaveAttribute(
    "href",
    "/user-dashboard/sms-history",
  );
});

describe("sending again to the failed only", () => {
  const resendCall = `POST /api/${userId}/${messageId}/resend-failed`;
  const ask = async (): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: "Resend to the failed only" }));
  const proceed = async (): Promise<void> =>
    await userEvent.click(await screen.findByRole("button", { name: "Proceed" }));

  test("is not offered when nobody failed", async () => {
    open({ current: messageAnswer({ counts: { ...noCounts, delivered: 1_000 } }) });
    await screen.findByText("Successful");
    expect(screen.queryByRole("button", { name: "Resend to the failed only" })).toBeNull();
  });

  test("asks with the price; Nope sends nothing", async () => {
    const requests = open({ current: messageAnswer() });
    await ask();
    expect(await screen.findByRole("dialog", { name: "Resend to 15 recipients?" })).toHaveTextContent(
      "15 × 3.00 = 45.00 units",
    );
    await userEvent.click(screen.getByRole("button", { name: "Nope" }));
    expect(requests.some(({ call }) => call === resendCall)).toBe(false);
  });

  test("a price of three decimals is shown and multiplied whole", async () => {
    open({ current: messageAnswer({ price: 5.925, counts: { ...noCounts, delivered: 9_000, failed: 1_000 } }) });
    expect(await screen.findByText("5.925")).toBeVisible();
    await ask();
    expect(await screen.findByRole("dialog", { name: "Resend to 1,000 recipients?" })).toHaveTextContent(
      "1,000 × 5.925 = 5,925.00 units",
    );
  });

  test("a refusal that leads nowhere stands here, and the retry carries the same key; a success leads to the history", async () => {
    const answers: Array<FakeAnswer | "offline"> = ["offline", refused(402, "LIMIT_REACHED"), sent];
    const requests = open(
      { current: messageAnswer() },
      {
        [`GET /api/${userId}/populate-sms-history`]: { body: { data: [], next: null } },
        [resendCall]: () => {
          const answer = answers.shift();
          if (answer === undefined || answer === "offline") throw new TypeError("Failed to fetch");
          return answer;
        },
      },
    );
    await ask();
    await proceed();
    expect(await screen.findByRole("alert")).toHaveTextContent("No Internet Connection");
    await ask();
    await proceed();
    expect(await screen.findByText("The server's words")).toBeVisible();
    await ask();
    await proceed();
    expect(await screen.findByText("Message sent")).toBeVisible();
    const sends = requests.filter(({ call }) => call === resendCall);
    expect(sends.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => ({ states: ["failed"] })));
    expect(new Set(sends.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  test.each([
    [refused(409, "SENDER_NOT_APPROVED"), "Whitelists"],
    [refused(403, "ADDRESS_NOT_APPROVED"), "Whitelists"],
    [refused(401, "UNITS_REQUIRED"), "Buy Online SMS Units"],
    [sentWithDnd, "SMS history"],
  ])("%o leads to %s", async (answer, heading) => {
    open(
      { current: messageAnswer() },
      {
        [resendCall]: answer,
        [`GET /api/${userId}/whitelists`]: { body: { message: "Whitelists", data: whitelists } },
        [`GET /api/${userId}/populate-sms-history`]: { body: { data: [], next: null } },
        [`GET /api/${userId}/payments`]: { body: { data: [], next: null } },
      },
    );
    await ask();
    await proceed();
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(heading));
  });
});

test("the recipients are given as a file, those of the chosen state alone", async () => {
  open({ current: messageAnswer() }, {}, "?state=failed");
  expect(await screen.findByRole("link", { name: "Export CSV" })).toHaveAttribute(
    "href",
    `/api/${userId}/${messageId}/recipients?state=failed&format=csv`,
  );
});

test("on paper stand all recipients that were read, and how many there are", async () => {
  open({ current: messageAnswer() });
  await screen.findByText("+2348030000001");
  act(() => void window.dispatchEvent(new Event("beforeprint")));
  expect(screen.getByText("The first 2 of 1,000; the CSV file has all of them.")).toBeVisible();
  act(() => void window.dispatchEvent(new Event("afterprint")));
  expect(screen.queryByText(/the CSV file has all/)).toBeNull();
});
