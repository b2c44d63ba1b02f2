import type { StatementRow } from "@ewebal/contract";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { startUserSession } from "../../../lib/session/session.ts";
import { FakeEventSource } from "../../../testing/fake-event-source.ts";
import { fakeServer, userAnswer, userId } from "../../../testing/fake-server.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { formatExact, formatSigned } from "./statement-page.tsx";

const statement = `GET /api/${userId}/statement`;
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

const open = (handler: Parameters<typeof fakeServer>[0][string]): void => {
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer }, [statement]: handler });
  renderApp("/user-dashboard/statement");
};

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
  const rows = within(await screen.findByRole("list", { name: "Movements of units" }));
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
  expect(rows.queryByText("hidden")).not.toBeInTheDocument();
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
  expect(await screen.findByText("second")).toBeVisible();
  pages.set("", { data: [row(3, { reference: "newest", cause: "payment" })], next: "cursor" });
  FakeEventSource.opened[0]?.say("change", { topics: ["user"] });
  expect(await screen.findByText("newest")).toBeVisible();
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
