import { type DayBalance, dayBalanceSchema, lagosDate, statementRowSchema, type StatementRow } from "@ewebal/contract";
import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../../../db/transaction.ts";
import { moveHolds, refundUnits } from "../../../ledger/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { buildHold, buildUserWithUnits, topUpUser } from "../../../testing/ledger-factories.ts";

type Page = { data: StatementRow[]; next: string | null };

describe("refusals", () => {
  test("without a session", async ({ app }) => {
    expect((await app.inject({ url: `/api/${uuidv7()}/statement` })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
  });

  test("another customer's statement, by page and as CSV", async ({ app, db, signInAs }) => {
    const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
    for (const query of ["", "?format=csv"]) {
      const answer = await app.inject({ url: `/api/${other.userId}/statement${query}`, headers: await signInAs(one) });
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: "FORBIDDEN" }]);
    }
  });

  test.for([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=ten", "limit"],
    ["format=pdf", "format"],
    ["after=nonsense", "after"],
    ["after=2026-01-01T00:00:00Z_x", "after"],
    [`after=yesterday_${uuidv7()}`, "after"],
    [`after=2026-01-01T00:00:00.5Z_${uuidv7()}_more`, "after"],
    ["month=2026-13", "month"],
    ["month=2026-3", "month"],
    ["month=1999-01", "month"],
    ["kind=message", "kind"],
  ] as const)("%s", async ([query, field], { app, db, signInAs }) => {
    const user = await buildUserWithUnits(db);
    const answer = await app.inject({ url: `/api/${user.userId}/statement?${query}`, headers: await signInAs(user) });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { code: "VALIDATION", fields: { [field]: expect.any(String) as string } },
    ]);
  });
});

describe("refusals of the balance by day", () => {
  test("without a session, and of another customer", async ({ app, db, signInAs }) => {
    const [one, other] = [await buildUserWithUnits(db), await buildUserWithUnits(db)];
    const url = `/api/${other.userId}/balance-by-day`;
    expect((await app.inject({ url })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
    const answer = await app.inject({ url, headers: await signInAs(one) });
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: "FORBIDDEN" }]);
  });

  test.for(["month=2026-00", "month=march", "days=7"])("%s", async (query, { app, db, signInAs }) => {
    const user = await buildUserWithUnits(db);
    const url = `/api/${user.userId}/balance-by-day?${query}`;
    const answer = await app.inject({ url, headers: await signInAs(user) });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: "VALIDATION" }]);
  });
});

test("a customer without units has an empty statement, and a CSV of headings", async ({ app, db, signInAs }) => {
  const user = await buildUser(db);
  const headers = await signInAs(user);
  expect((await app.inject({ url: `/api/${user.userId}/statement`, headers })).json()).toEqual({
    data: [],
    next: null,
  });
  const csv = await app.inject({ url: `/api/${user.userId}/statement?format=csv`, headers });
  expect(csv.body).toBe(`"createdAt","cause","reference","units","balance","sentBy"\r\n`);
});

test("every movement with its cause and the units available after it, page by page", async ({ app, db, signInAs }) => {
  const user = await buildUser(db);
  await topUpUser(db, user.userId, 100_000, { source: "card", reference: "paid" });
  await topUpUser(db, user.userId, 50_000, { source: "bank", reference: "deposit" });
  const hold = await buildHold(db, { userId: user.userId, amountMilli: 17_700 });
  await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 11_800, releaseMilli: 5_900 }]));
  await topUpUser(db, user.userId, 1_000, { reference: "goodwill" });

  const headers = await signInAs(user);
  const first = (await app.inject({ url: `/api/${user.userId}/statement?limit=3`, headers })).json<Page>();
  const after = encodeURIComponent(first.next ?? "");
  const second = (
    await app.inject({ url: `/api/${user.userId}/statement?limit=3&after=${after}`, headers })
  ).json<Page>();
  expect(second.next).toBeNull();
  const rows = [...first.data, ...second.data];
  expect(rows.map(({ cause, units, balance, reference, final }) => [cause, units, balance, reference, final])).toEqual([
    ["credit", 1, 139.2, "goodwill", true],
    ["message", -11.8, 138.2, hold.holdId, true],
    ["deposit", 50, 150, "deposit", true],
    ["payment", 100, 100, "paid", true],
  ]);
  for (const row of rows) expect(statementRowSchema.safeParse(row).success).toBe(true);
  expect(rows[1]?._id).toBe(hold.holdId);
});

test("an administrator reads a customer's statement", async ({ app, db, signInAs }) => {
  const user = await buildUserWithUnits(db);
  const headers = await signInAs(await buildAdmin(db));
  const { data } = (await app.inject({ url: `/api/${user.userId}/statement`, headers })).json<Page>();
  expect(data).toMatchObject([{ cause: "credit", units: 100, balance: 100 }]);
});

describe("of a month and a kind", () => {
  const month = lagosDate(new Date()).slice(0, 7);

  test.for([
    ["kind=messages", ["refund", "message"]],
    ["kind=added", ["credit", "deposit", "payment"]],
    ["kind=corrections", []],
    [`month=${month}&kind=added`, ["credit", "deposit", "payment"]],
    [`month=${month}`, ["refund", "credit", "message", "deposit", "payment"]],
    ["month=2020-02", []],
  ] as const)("%s: the lines, and the same as CSV", async ([query, causes], { app, db, signInAs }) => {
    const user = await buildUser(db);
    await topUpUser(db, user.userId, 100_000, { source: "card", reference: "paid" });
    await topUpUser(db, user.userId, 50_000, { source: "bank", reference: "deposit" });
    const hold = await buildHold(db, { userId: user.userId, amountMilli: 17_700 });
    await withTransaction(db, (tx) => moveHolds(tx, [{ ...hold, chargeMilli: 17_700, releaseMilli: 0 }]));
    await topUpUser(db, user.userId, 1_000, { reference: "goodwill" });
    await withTransaction(db, (tx) => refundUnits(tx, [{ ...hold, reference: "recipient", amountMilli: 5_900 }]));

    const headers = await signInAs(user);
    const whole = (await app.inject({ url: `/api/${user.userId}/statement`, headers })).json<Page>().data;
    const rows = (await app.inject({ url: `/api/${user.userId}/statement?${query}`, headers })).json<Page>().data;
    expect(rows.map(({ cause }) => cause)).toEqual(causes);
    for (const row of rows) expect(whole).toContainEqual(row);
    const csv = await app.inject({ url: `/api/${user.userId}/statement?${query}&format=csv`, headers });
    const lines = csv.body.split("\r\n").slice(1, -1);
    expect(lines.map((line) => line.split(",")[1])).toEqual(causes.map((cause) => `"${cause}"`).toReversed());
  });
});

test("the balance by day: 30 days up to today, or a month up to today", async ({ app, db, signInAs }) => {
  const user = await buildUserWithUnits(db);
  await buildHold(db, { userId: user.userId, amountMilli: 17_705 });
  const headers = await signInAs(user);
  const url = `/api/${user.userId}/balance-by-day`;
  const read = async (query: string) =>
    (await app.inject({ url: `${url}${query}`, headers })).json<{ data: DayBalance[] }>().data;
  const today = lagosDate(new Date());
  const days = await read("");
  expect(days).toHaveLength(30);
  expect(days.slice(-2)).toMatchObject([{ balance: 0 }, { day: today, balance: 82.295 }]);
  const ofMonth = await read(`?month=${today.slice(0, 7)}`);
  expect(ofMonth).toHaveLength(Number(today.slice(8)));
  expect(ofMonth.at(-1)).toEqual({ day: today, balance: 82.295 });
  expect(await read("?month=2024-02")).toHaveLength(29);
  expect(await read("?month=2099-01")).toEqual([]);
  for (const day of days) expect(dayBalanceSchema.safeParse(day).success).toBe(true);
});

describe("as CSV", () => {
  test("all lines, oldest first, with exact decimals, as a file of its own", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    await topUpUser(db, user.userId, 1_000_000, { source: "card", reference: "paid" });
    const hold = await buildHold(db, { userId: user.userId, amountMilli: 17_705 });
    const answer = await app.inject({ url: `/api/${user.userId}/statement?format=csv`, headers: await signInAs(user) });
    expect(answer.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="statement.csv"`,
      "cache-control": "no-store",
    });
    const lines = answer.body.split("\r\n").map((line) => line.replace(/^"[^"]+",/, ""));
    expect(lines).toEqual([
      `"cause","reference","units","balance","sentBy"`,
      `"payment","paid","1000.00","1000.00",""`,
      `"message","${hold.holdId}","-17.705","982.295",""`,
      "",
    ]);
  });

  test.for([
    ["=1+1", `"'=1+1"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["-2", `"'-2"`],
    [`say "x",y`, `"say ""x"",y"`],
  ] as const)("a reference %s is text", async ([reference, cell], { app, db, signInAs }) => {
    const user = await buildUser(db);
    await topUpUser(db, user.userId, 1_000, { reference });
    const answer = await app.inject({ url: `/api/${user.userId}/statement?format=csv`, headers: await signInAs(user) });
    expect(answer.body.split("\r\n")[1]).toContain(`,${cell},`);
  });
});
