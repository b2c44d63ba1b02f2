import type { StatementRow } from "@ewebal/contract";
import { lagosDate } from "@ewebal/contract/rules";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId, type FakeRequest } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { formatExact, formatSigned, listMonths } from "./statement-page.tsx";

const statement = `GET /api/${userId}/statement`;
const balances = `GET /api/${userId}/balance-by-day`;
const messageId = "01900000-0000-7000-8000-0000000000bb";
const row = (number: number, facts: Partial<StatementRow>): StatementRow => ({
  _id: `01900000-0000-7000-8000-00000000000${number}`,
  createdAt: "2026-03-05T10:00:00.000Z",
  units: 1,
  balance: 1,
  cause: "credit",
  reference: "reference",
  final: true,
  ...facts,
});

beforeEach(() => startUserSession(userId));

const days = [
  { day: "2026-03-04", balance: 0 },
  { day: "2026-03-05", balance: 1_082.295 },
];

const open = (handler: Parameters<typeof fakeServer>[0][string], search = ""): FakeRequest[] => {
  const requests = fakeServer({
    [`GET /api/${userId}/view-one-user`]: { body: userAnswer },
    [statement]: handler,
    [balances]: { body: { message: "Balance by day", data: days } },
  });
  renderApp(`/user-dashboard/statement${search}`);
  return requests;
};

const movements = async (): Promise<ReturnType<typeof within>> =>
  within(await screen.findByRole("list", { name: "Movements of units" }));

test("amounts are exact to the thousandth and carry their sign", () => {
  expect([formatExact(982.295), formatExact(1_234.5), formatExact(0)]).toEqual(["982.295", "1,234.50", "0.00"]);
  expect([formatSigned(500), formatSigned(-17.705), formatSigned(0)]).toEqual(["+500.00", "-17.705", "0.00"]);
});

test("without movements the page says what to do first", async () => {
  open({ body: { data: [], next: null } });
  expect(await screen.findByText("No units have moved yet")).toBeVisible();
  expect(within(screen.getByRole("main")).getByRole("link", { name: "Buy SMS" })).toBeVisible();
  expect(screen.queryByRole("link", { name: "Download CSV" })).not.toBeInTheDocument();
});

test("a read that fails can be tried again", async () => {
  let isDown = true;
  open(() =>
    isDown
      ? { status: 500, body: { message: "Something went wrong on our side", code: "INTERNAL" } }
      : { body: { data: [], next: null } },
  );
  expect(await screen.findByText("Something went wrong on our side")).toBeVisible();
  isDown = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No units have moved yet")).toBeVisible();
});

test("every cause is said in words; a message leads to its page, and what is set aside or was never sent says so", async () => {
  const data = [
    row(1, { cause: "message", reference: messageId, units: -17.705, balance: 1_082.295 }),
    row(2, { cause: "message", reference: messageId, units: -3, final: false }),
    row(3, { cause: "refund", reference: messageId }),
    row(4, { cause: "payment", reference: "EWB-1" }),
    row(5, { cause: "deposit" }),
    row(6, { cause: "credit", reference: "hidden" }),
    row(7, { cause: "reversal" }),
    row(8, { cause: "freeze" }),
    row(9, { cause: "message", reference: messageId, units: 0 }),
  ];
  open({ body: { data, next: null } });
  const rows = await movements();
  for (const words of [
    "SMS sent",
    "Set aside for SMS",
    "SMS not sent",
    "Failed SMS refunded",
    "Card payment",
    "Bank deposit",
    "Credit by management",
    "Taken back",
    /^Set aside while/,
  ]) {
    expect(rows.getByText(words)).toBeVisible();
  }
  expect(rows.getByRole("link", { name: "SMS sent" })).toHaveAttribute(
    "href",
    `/user-dashboard/sms-history/${messageId}`,
  );
  expect(rows.queryByRole("link", { name: "SMS not sent" })).not.toBeInTheDocument();
  expect(rows.getByText("-17.705")).toBeVisible();
  expect(rows.getByText("1,082.295")).toBeVisible();
  expect(rows.getByText("Ref. EWB-1")).toBeVisible();
  expect(rows.queryByText("hidden")).not.toBeInTheDocument();
});

test("a long reference shows its end, and the whole of it on demand", async () => {
  const reference = "01900000-0000-7000-8000-00000abcdef9";
  open({ body: { data: [row(1, { cause: "deposit", reference })], next: null } });
  const rows = await movements();
  expect(rows.getByText(reference)).not.toBeVisible();
  await userEvent.click(rows.getByText("Ref. 0abcdef9"));
  expect(rows.getByText(reference)).toBeVisible();
});

test("a month and a kind narrow the lines, the file and the plot; no match offers to clear them", async () => {
  const requests = open(({ query }) => ({
    body: { data: query.includes("kind=added") ? [] : [row(1, { cause: "payment" })], next: null },
  }));
  await movements();
  const thisMonth = lagosDate(new Date()).slice(0, 7);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Month" }), thisMonth);
  await waitFor(() =>
    expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
      "href",
      `/api/${userId}/statement?month=${thisMonth}&format=csv`,
    ),
  );
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Movement" }), "Units added");
  expect(await screen.findByText("Nothing matches")).toBeVisible();
  const asked = (name: string) => requests.filter(({ call }) => call === name).map(({ query }) => query);
  expect(asked(statement)).toEqual(["", `month=${thisMonth}`, `month=${thisMonth}&kind=added`]);
  expect(asked(balances)).toEqual(["", `month=${thisMonth}`]);
  await userEvent.click(screen.getAllByRole("button", { name: "Clear filters" })[0] as HTMLElement);
  expect(await movements()).toBeDefined();
});

test("an address with a month and a kind that are none shows everything", async () => {
  const requests = open({ body: { data: [row(1, {})], next: null } }, "?month=2026-99&kind=gifts");
  await movements();
  expect(requests.filter(({ call }) => call === statement).map(({ query }) => query)).toEqual([""]);
  expect(screen.getByRole("combobox", { name: "Month" })).toHaveDisplayValue("All months");
});

test("the months go back to the one of the registration, by the time of Lagos", () => {
  const now = new Date("2026-03-05T10:00:00Z");
  expect(listMonths(undefined, now)).toEqual(["2026-03"]);
  expect(listMonths("2025-12-31T23:30:00Z", now)).toEqual(["2026-03", "2026-02", "2026-01"]);
});

test("the balance over the days is a picture with words, and a table on demand", async () => {
  open({ body: { data: [row(1, {})], next: null } });
  expect(
    await screen.findByRole("img", {
      name: "Balance, last 30 days. Between 0.00 and 1,082.30 units, 1,082.30 at the end.",
    }),
  ).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show data: Balance, last 30 days" }));
  const table = within(screen.getByRole("table", { name: "Balance, last 30 days" }));
  expect(table.getByRole("row", { name: "5 Mar 1,082.295" })).toBeVisible();
});

test("more lines come on demand, a push brings the newest, and CSV and paper are a click away", async () => {
  const print = vi.fn();
  vi.stubGlobal("print", print);
  const pages = new Map([
    ["", { data: [row(1, { reference: "first", cause: "payment" })], next: "cursor" }],
    ["after=cursor", { data: [row(2, { reference: "second", cause: "payment" })], next: null }],
  ]);
  open(({ query }) => ({ body: pages.get(query) }));
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  expect(await screen.findByText("Ref. second")).toBeVisible();
  pages.set("", { data: [row(3, { reference: "newest", cause: "payment" })], next: "cursor" });
  FakeEventSource.opened[0]?.say("change", { topics: ["user"] });
  expect(await screen.findByText("Ref. newest")).toBeVisible();
  expect(screen.getByRole("link", { name: "Download CSV" })).toHaveAttribute(
    "href",
    `/api/${userId}/statement?format=csv`,
  );
  await userEvent.click(screen.getByRole("button", { name: "Print" }));
  expect(print).toHaveBeenCalledOnce();
});

test("on paper the page wears its light colours", async () => {
  open({ body: { data: [], next: null } });
  await screen.findByText("No units have moved yet");
  document.documentElement.setAttribute("data-mantine-color-scheme", "dark");
  window.dispatchEvent(new Event("beforeprint"));
  expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "light");
  window.dispatchEvent(new Event("afterprint"));
  expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark");
});
