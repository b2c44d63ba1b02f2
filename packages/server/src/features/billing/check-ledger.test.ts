import { pino } from "pino";
import { expect, test } from "../../testing/database.ts";
import { checkLedger } from "./check-ledger.ts";

/** A log that keeps what was written to it. */
function recordedLog(lines: string[]) {
  return pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
}

test("a ledger in order says nothing, and a broken one shouts the rule and its violations", async ({ db }) => {
  const lines: string[] = [];
  const deps = { db, log: recordedLog(lines) };
  await checkLedger(deps, undefined);
  await checkLedger(deps, new Date(0));
  expect(lines).toEqual([]);

  const { rows } = await db.query<{ definition: string }>(
    "select pg_get_viewdef('delivery_ledger_invariants'::regclass) as definition",
  );
  try {
    await db.query(
      "create or replace view delivery_ledger_invariants as select 'a rule'::text as name, 3::bigint as violations",
    );
    await checkLedger(deps, undefined);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 60, broken: [{ name: "a rule", violations: 3 }] });
  } finally {
    await db.query(`create or replace view delivery_ledger_invariants as ${rows[0]?.definition ?? ""}`);
  }
});
