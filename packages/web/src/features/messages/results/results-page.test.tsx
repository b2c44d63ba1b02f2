import type { PeriodResultsAnswer, ResultsAnswer } from "@ewebal/contract";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, userId, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { findPeriodFault, readPeriod } from "./results-period.ts";

// The charts are fetched when they are needed, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const late = { timeout: 40_000 };

const messageId = "01900000-0000-7000-8000-0000000000b1";
const periodCall = `GET /api/${userId}/results`;
const messageCall = `GET /api/${userId}/${messageId}/results`;
const mailCall = `PATCH /api/${userId}/notifications`;

const ofMessage: ResultsAnswer = {
  recipients: 1_010,
  delivered: 900,
  failed: 100,
  reasons: [
    { reason: "Phone off or out of reach", count: 75 },
    { reason: "Number not in service", count: 25 },
  ],
  networks: [{ network: "MTN", delivered: 900, failed: 100 }],
  hours: [
    { hour: "2026-11-22T08:00:00.000Z", delivered: 600, failed: 100 },
    { hour: "2026-11-23T08:00:00.000Z", delivered: 300, failed: 0 },
  ],
  clicks: 12,
  optOuts: 3,
  charged: 2_970.5,
};
const day = { messages: 0, recipients: 0, delivered: 0, failed: 0, clicks: 0, optOuts: 0, charged: 0 };
const ofPeriod: PeriodResultsAnswer = {
  ...ofMessage,
  days: [
    { ...day, day: "2026-11-22" },
    {
      day: "2026-11-23",
      messages: 1,
      recipients: 1_010,
      delivered: 900,
      failed: 100,
      clicks: 12,
      optOuts: 3,
      charged: 2_970.5,
    },
  ],
};
const nothing: PeriodResultsAnswer = {
  ...day,
  reasons: [],
  networks: [],
  hours: [],
  days: [{ ...day, day: "2026-11-23" }],
};

function signedInServer(answers: Record<string, (request: FakeRequest) => FakeAnswer> = {}): FakeRequest[] {
  startUserSession(userId);
  return fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [periodCall]: { body: { message: "Results", data: ofPeriod } },
    [messageCall]: { body: { message: "Results", data: ofMessage } },
    [`GET /api/${userId}/notifications`]: {
      body: { message: "Mails", data: { weeklyMail: true, balanceBelow: null } },
    },
    ...answers,
  });
}

const queriesOf = (requests: FakeRequest[]): string[] =>
  requests.filter(({ call }) => call === periodCall).map(({ query }) => query);

async function expectData(title: string, ...rows: string[][]): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: `Show data: ${title}` }, late));
  const table = within(screen.getByRole("table", { name: title }));
  const cells = table.getAllByRole("row").map((row) =>
    within(row)
      .queryAllByRole("cell")
      .map(({ textContent }) => textContent),
  );
  for (const row of rows) expect(cells).toContainEqual(row);
}

describe("the days in the address", () => {
  const now = Date.parse("2026-11-23T23:30:00Z");
  const none = { from: "", to: "", days: "" };

  test("are of Lagos, 30 unless others are asked for", () => {
    expect(readPeriod(none, now)).toEqual({ period: { from: "2026-10-26", to: "2026-11-24" }, range: "30" });
    expect(readPeriod({ ...none, days: "7" }, now).period.from).toBe("2026-11-18");
    const own = { from: "2026-01-01", to: "2026-01-31" };
    expect(readPeriod({ ...own, days: "7" }, now)).toEqual({ period: own, range: "" });
  });

  test.each([
    [{ from: "2026-11-02", to: "2026-11-01" }, "The first day is after the last"],
    [{ from: "2025-01-01", to: "2026-11-01" }, "Choose 366 days at most"],
    [{ from: "", to: "2026-11-01" }, "Choose the first and the last day"],
    [{ from: "2026-02-30", to: "2026-03-01" }, "Choose the first and the last day"],
  ])("that the server would refuse are the usual ones: %o", (own, fault) => {
    expect(findPeriodFault(own)).toBe(fault);
    expect(readPeriod({ ...own, days: "" }, now).range).toBe("30");
  });

  test("are a leap year at most", () => {
    expect(findPeriodFault({ from: "2024-01-01", to: "2024-12-31" })).toBeUndefined();
    expect(findPeriodFault({ from: "2024-01-01", to: "2025-01-01" })).toBe("Choose 366 days at most");
  });
});

test("results stand as figures, charts and tables, and the file holds the same days", async () => {
  const requests = signedInServer();
  renderApp("/user-dashboard/results?from=2026-11-22&to=2026-11-23");
  const figures = within(await screen.findByRole("group", { name: "Figures" }));
  for (const figure of ["1,010", "900", "100", "12", "3", "2,970.50", "90 % of reports"])
    expect(await figures.findByText(figure)).toBeVisible();
  expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
    "href",
    `/api/${userId}/results?from=2026-11-22&to=2026-11-23&format=csv`,
  );
  await expectData("Results per day", ["23 Nov", "1", "1,010", "900", "100", "2,970.50"]);
  await expectData("Clicks and opt-outs per day", ["22 Nov", "0", "0"], ["23 Nov", "12", "3"]);
  // Both days' 08:00 in UTC is 09:00 in Lagos.
  await expectData("Results by hour of the day", ["08:00", "0", "0"], ["09:00", "900", "100"]);
  await expectData("Delivery rate by network", ["MTN", "900", "100", "90 %"]);
  await expectData("Why recipients did not get it", ["Phone off or out of reach", "75", "75 %"]);
  expect(queriesOf(requests)).toEqual(["from=2026-11-22&to=2026-11-23"]);
});

test("other days are other questions, and wrong ones are none", async () => {
  const requests = signedInServer();
  renderApp("/user-dashboard/results?from=2026-11-01&to=2026-11-02");
  await userEvent.click(await screen.findByText("7 days"));
  await waitFor(() => expect(queriesOf(requests)).toHaveLength(2));
  const from = screen.getByLabelText("From");
  await userEvent.clear(from);
  await userEvent.type(from, "2999-01-01");
  await userEvent.click(screen.getByRole("button", { name: "Show" }));
  expect(await screen.findByText("The first day is after the last")).toBeVisible();
  expect(queriesOf(requests)).toHaveLength(2);
  await userEvent.clear(from);
  await userEvent.type(from, "2026-10-01");
  await userEvent.click(screen.getByRole("button", { name: "Show" }));
  await waitFor(() => expect(queriesOf(requests)[2]).toMatch(/^from=2026-10-01&to=/));
});

test("days without messages say what to do, and a failure can be tried again", async () => {
  let answer: FakeAnswer = { status: 500, body: { code: "INTERNAL", message: "Something went wrong" } };
  signedInServer({ [periodCall]: () => answer });
  renderApp("/user-dashboard/results");
  const again = await screen.findByRole("button", { name: "Try again" });
  answer = { body: { message: "Results", data: nothing } };
  await userEvent.click(again);
  expect(await screen.findByText("No messages went out in these days")).toBeVisible();
  expect(within(screen.getByRole("main")).getByRole("link", { name: "Send SMS" })).toHaveAttribute(
    "href",
    "/user-dashboard/ewebal/send-sms",
  );
  expect(screen.queryByRole("group", { name: "Figures" })).not.toBeInTheDocument();
});

test("one message has its own, hour by hour, with the way back to it", async () => {
  const requests = signedInServer();
  renderApp(`/user-dashboard/results?message=${messageId}`);
  expect(await screen.findByRole("heading", { level: 1, name: "Results of one message" })).toBeVisible();
  await expectData("Results per hour", ["22 Nov, 09:00", "600", "100"], ["23 Nov, 09:00", "300", "0"]);
  expect(screen.queryByRole("heading", { name: "Results per day" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Message" })).toHaveAttribute(
    "href",
    `/user-dashboard/sms-history/${messageId}`,
  );
  expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
    "href",
    `/api/${userId}/${messageId}/results?format=csv`,
  );
  expect(queriesOf(requests)).toEqual([]);
});

test("the weekly mail is turned off, and stays on when the server refuses", async () => {
  let answer: FakeAnswer = { status: 500, body: { code: "INTERNAL", message: "Something went wrong" } };
  const requests = signedInServer({ [mailCall]: () => answer });
  renderApp("/user-dashboard/results");
  const mail = await screen.findByRole("switch", { name: /Mail me the results of each week/ });
  await waitFor(() => expect(mail).toBeChecked());
  await userEvent.click(mail);
  await waitFor(() => expect(requests.filter(({ call }) => call === mailCall)).toHaveLength(1));
  await waitFor(() => expect(mail).toBeChecked());
  answer = { body: { message: "Saved", data: { weeklyMail: false, balanceBelow: null } } };
  await userEvent.click(mail);
  expect(await screen.findByText("The weekly mail is off")).toBeVisible();
  expect(mail).not.toBeChecked();
  expect(requests.filter(({ call }) => call === mailCall).map(({ body }) => body)).toEqual([
    { weeklyMail: false },
    { weeklyMail: false },
  ]);
});

test("the amount of the balance alert is set, refused when it is no number of units, and emptied for never", async () => {
  let balanceBelow: number | null = 500;
  const requests = signedInServer({
    [mailCall]: () => ({ body: { message: "Saved", data: { weeklyMail: true, balanceBelow } } }),
  });
  renderApp("/user-dashboard/results");
  const field = await screen.findByLabelText("Tell me below (units)");
  await waitFor(() => expect(screen.getByLabelText("Tell me below (units)")).toBeEnabled());
  expect(field).toHaveValue("");
  await userEvent.type(screen.getByLabelText("Tell me below (units)"), "1.5{Enter}");
  expect(await screen.findByText("must be whole units")).toBeVisible();
  await userEvent.clear(screen.getByLabelText("Tell me below (units)"));
  await userEvent.type(screen.getByLabelText("Tell me below (units)"), "500{Enter}");
  expect(await screen.findByText(/fewer than 500(?:\.00)? units are left/)).toBeVisible();
  balanceBelow = null;
  await userEvent.clear(screen.getByLabelText("Tell me below (units)"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You are not told of a low balance")).toBeVisible();
  expect(requests.filter(({ call }) => call === mailCall).map(({ body }) => body)).toEqual([
    { balanceBelow: 500 },
    { balanceBelow: null },
  ]);
});
