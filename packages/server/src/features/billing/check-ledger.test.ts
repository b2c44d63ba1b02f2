import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../base/config.ts";
import { expect, test } from "../../testing/database.ts";
import { buildMessage } from "../../testing/delivery-factories.ts";
import { auditAndSeal, checkEverything, checkLedger } from "./check-ledger.ts";

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

const COUNTED = "each message counts every recipient once";
const OPEN = "each hold keeps open what waiting and unsettled recipients cost";
const CREDITED = "each card payment is credited exactly when it is paid";

// Goal: behind the sealed point the rules of messages and payments see what the full check sees. Each damage is undone, since the database's own
// check ends every test.
test("the audit seals once, and from there on sees what messages and payments break", async ({ db }) => {
  const dataDir = await mkdtemp(join(tmpdir(), "ewebal-audit-"));
  const lines: string[] = [];
  const deps = { db, log: recordedLog(lines), config: readConfig({ DATA_DIR: dataDir }) };
  const told = (): unknown => JSON.parse(lines.splice(0).at(-1) ?? "{}");
  try {
    const message = await buildMessage(db);
    const first = await auditAndSeal(deps);
    expect(first.sealedAt).toBeInstanceOf(Date);
    expect(told()).toMatchObject({ level: 40, msg: "the whole ledger was checked, and sealed from its beginning" });
    expect(await auditAndSeal(deps)).toMatchObject({ from: first.sealedAt });
    expect(lines).toEqual([]);
    for (const [damage, undo, rules] of [
      ["update message_count set sent = sent + 1", "update message_count set sent = sent - 1", [COUNTED]],
      [
        "update message_count set waiting = waiting - 1, sent = sent + 1",
        "update message_count set waiting = waiting + 1, sent = sent - 1",
        [OPEN],
      ],
      [
        `insert into card_payment (user_id, reference, units, total_kobo, state, is_sandbox, created_at, paid_at)
         values ('${message.userId}', 'never-credited', 5, 1, 'paid', false, now() - interval '3 days', now())`,
        "delete from card_payment",
        [CREDITED],
      ],
    ] as const) {
      await db.query(damage);
      const { checks, sealedAt } = await auditAndSeal(deps);
      const broken = (found: typeof checks): string[] =>
        found.filter(({ violations }) => violations > 0).map(({ name }) => name);
      expect(broken(checks)).toEqual(rules);
      expect(broken(await checkEverything(deps))).toEqual(rules);
      expect(sealedAt).toBeUndefined();
      expect(told()).toMatchObject({ level: 60, broken: rules.map((name) => ({ name, violations: 1 })) });
      await db.query(undo);
      expect(broken((await auditAndSeal(deps)).checks)).toEqual([]);
      expect(lines.splice(0)).toEqual([]);
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
