import { createHash } from "node:crypto";
import type { AuditEntryAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { readMigrations } from "../../../db/migrate.ts";
import type { Db } from "../../../db/pool.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { expect, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../testing/factories.ts";
import { checkAudit } from "./check-audit.ts";

const ZEROS = "0".repeat(64);

const test = base.extend<{
  admin: BuiltAdmin;
  act: (action: string, after?: Record<string, unknown>) => Promise<void>;
  read: (path: string) => Promise<{ status: number; headers: Record<string, unknown>; text: string }>;
  readState: () => Promise<{ isWhole: boolean; entries: number; checkedAt: string }>;
}>({
  admin: async ({ db }, use) => {
    await use(await buildAdmin(db, { adminName: "=Ada" }));
  },
  act: async ({ admin, db, deps, clock }, use) => {
    await use(async (action, after) => {
      clock.advance(1_000);
      await withTransaction(db, async (tx) => {
        await deps.recordAudit(tx, { adminId: admin.id, action, clientAddress: "192.0.2.7", ...(after && { after }) });
      });
    });
  },
  read: async ({ app, admin, signInAs }, use) => {
    const headers = await signInAs(admin);
    await use(async (path) => {
      const answer = await app.inject({ method: "GET", url: `/api/${path}`, headers });
      return { status: answer.statusCode, headers: answer.headers, text: answer.body };
    });
  },
  readState: async ({ read }, use) => {
    await use(
      async () =>
        (
          JSON.parse((await read("view-audit-state")).text) as {
            data: { isWhole: boolean; entries: number; checkedAt: string };
          }
        ).data,
    );
  },
});

/** As whoever owns the database could. */
async function tamper(db: Db, ...statements: string[]): Promise<void> {
  const off = ["audit_entry", "audit_link"].map((table) => `alter table ${table} disable trigger user`);
  for (const statement of [...off, ...statements]) await db.query(statement);
}

describe("refusals", () => {
  test("the state and the files are for administrators; formats and days are checked", async ({
    app,
    db,
    read,
    signInAs,
  }) => {
    const headers = await signInAs(await buildUser(db));
    for (const path of ["view-audit-state", "view-audit-entries?format=csv"]) {
      expect((await app.inject({ method: "GET", url: `/api/${path}` })).json()).toMatchObject({
        code: "AUTH_REQUIRED",
      });
      expect((await app.inject({ method: "GET", url: `/api/${path}`, headers })).json()).toMatchObject({
        code: "FORBIDDEN",
      });
    }
    for (const query of ["format=xml", "from=yesterday", "to=2026-13-01"])
      expect((await read(`view-audit-entries?${query}`)).status).toBe(400);
  });

  test("links are never changed or taken out", async ({ act, db }) => {
    await act("block-user");
    await expect(db.query("update audit_link set hash = previous_hash")).rejects.toThrow("append-only");
    await expect(db.query("delete from audit_link")).rejects.toThrow("append-only");
  });
});

test("each entry names the hash of the one before; whoever has the file can compute them", async ({
  act,
  admin,
  read,
}) => {
  await act("block-user", { blocked: true });
  await act("credit-a-user", { units: 5, note: "line\nbreak" });
  const { data } = JSON.parse((await read("view-audit-entries")).text) as { data: AuditEntryAnswer[] };
  expect(data.map(({ action, previousHash }) => [action, previousHash])).toEqual([
    ["credit-a-user", data[1]?.hash],
    ["block-user", ZEROS],
  ]);
  const [, blocked] = data;
  const lines = [
    ZEROS,
    blocked?._id,
    admin.id,
    "block-user",
    "",
    "",
    '{"blocked": true}',
    "192.0.2.7",
    blocked?.createdAt,
  ].join("\n");
  expect(blocked?.hash).toBe(createHash("sha256").update(lines).digest("hex"));
});

test("entries of transactions that overlap stand in the order of their commits, and none waits for the other before it ends", async ({
  admin,
  deps,
  db,
  readState,
  read,
}) => {
  const write = (action: string) => async (tx: Tx) =>
    await deps.recordAudit(tx, { adminId: admin.id, action, clientAddress: "192.0.2.7" });
  const [first, second] = await overlap(db, write("block-user"), write("approve-user"));
  expect([first.status, second.status]).toEqual(["fulfilled", "fulfilled"]);
  expect(await readState()).toMatchObject({ isWhole: true, entries: 2 });
  const { data } = JSON.parse((await read("view-audit-entries")).text) as { data: AuditEntryAnswer[] };
  expect(data[0]?.previousHash).toBe(data[1]?.hash);
});

describe("the files", () => {
  test("CSV: oldest first, each cell quoted, nothing that a spreadsheet runs", async ({ act, read, deps }) => {
    await act("block-user");
    await act("credit-a-user", { units: 5 });
    const { headers, text } = await read("view-audit-entries?format=csv");
    expect([headers["content-type"], headers["content-disposition"]]).toEqual([
      "text/csv; charset=utf-8",
      'attachment; filename="audit.csv"',
    ]);
    const [heading = "", first = "", second = "", end] = text.split("\r\n");
    expect(heading.replace("\uFEFF", "")).toMatch(/^"number","createdAt","action",.*"previousHash","hash"$/);
    expect([first, second]).toEqual([
      expect.stringMatching(/^"1",.*"block-user"/),
      expect.stringMatching(/^"2",.*"credit-a-user".*"'=Ada".*"\{""units"": 5\}"/),
    ]);
    expect(end).toBe("");
    expect(deps.logLines.filter(({ security }) => security === "audit-exported")).toHaveLength(1);
  });

  test("JSON lines with the fields of the list, narrowed by days, moments and the list's filters", async ({
    act,
    clock,
    read,
  }) => {
    for (let count = 0; count < 3; count += 1) await act("block-user", { count });
    const middle = clock.now().getTime() - 1_000;
    const linesOf = async (query: string): Promise<AuditEntryAnswer[]> => {
      const { text } = await read(`view-audit-entries?format=jsonl${query}`);
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as AuditEntryAnswer);
    };
    const all = await linesOf("");
    expect(all.map(({ after }) => after?.["count"])).toEqual([0, 1, 2]);
    expect(all.slice(1).map(({ previousHash }) => previousHash)).toEqual(all.slice(0, 2).map(({ hash }) => hash));
    expect(await linesOf(`&from=${new Date(middle).toISOString()}`)).toHaveLength(2);
    expect(await linesOf(`&to=${new Date(middle).toISOString()}`)).toHaveLength(2);
    const today = new Date(clock.now().getTime() + 3_600_000).toISOString().slice(0, 10);
    expect(await linesOf(`&from=${today}&to=${today}&action=block-user`)).toHaveLength(3);
    expect(await linesOf("&from=2020-01-01&to=2020-01-02")).toEqual([]);
  });

  test("more entries than are read at a time are all there", async ({ admin, db, read }) => {
    await db.query(
      `insert into audit_entry (audit_id, admin_id, action, client_address, created_at)
       select gen_random_uuid(), $1, 'block-user', '192.0.2.7', now() from generate_series(1, 1100)`,
      [admin.id],
    );
    const lines = (await read("view-audit-entries?format=jsonl")).text.trim().split("\n");
    expect(new Set(lines).size).toBe(1_100);
  });
});

describe("a check finds", () => {
  test("nothing in an empty and in a whole audit", async ({ act, readState, clock }) => {
    expect(await readState()).toEqual({ isWhole: true, entries: 0, checkedAt: clock.now().toISOString() });
    await act("block-user");
    await act("approve-user");
    expect(await readState()).toMatchObject({ isWhole: true, entries: 2 });
  });

  test.for([
    ["a changed entry", ["update audit_entry set after = '{\"units\": 1}' where action = 'credit-a-user'"]],
    [
      "an entry that was taken out of the middle",
      ["delete from audit_link where entry_number = 2", "delete from audit_entry where action = 'credit-a-user'"],
    ],
    [
      "entries that were cut off the end",
      ["delete from audit_link where entry_number = 3", "delete from audit_entry where action = 'approve-user'"],
    ],
    [
      "an entry that was put in beside the chain",
      [
        "insert into audit_entry select gen_random_uuid(), admin_id, action, subject_id, before, after, client_address, created_at from audit_entry limit 1",
      ],
    ],
    [
      "two entries that changed places",
      [
        "update audit_link set audit_id = (select audit_id from audit_link where entry_number = 1) where entry_number = 99",
        "update audit_link set previous_hash = hash where entry_number = 2",
      ],
    ],
  ] as const)("%s", async ([, statements], { act, db, deps, readState }) => {
    await act("block-user");
    await act("credit-a-user", { units: 5 });
    await act("approve-user");
    await tamper(db, ...statements);
    expect((await readState()).isWhole).toBe(false);
    await checkAudit(deps);
    expect((await db.query("select is_whole from audit_chain")).rows).toEqual([{ is_whole: false }]);
    expect(deps.logLines.filter(({ security }) => security === "audit-broken").length).toBeGreaterThan(0);
  });
});

test("what stood in the audit before it was chained is chained by the migration, in its order", async ({
  db,
  act,
  readState,
}) => {
  await act("block-user");
  await act("approve-user");
  // As the release before left it: entries without links.
  await tamper(
    db,
    "delete from audit_link",
    "update audit_chain set entry_count = 0, hash = decode(repeat('00', 32), 'hex')",
  );
  expect((await readState()).isWhole).toBe(false);
  const chaining = /^do \$\$.*?end \$\$;/ms.exec(
    (await readMigrations()).find(({ name }) => name === "audit_chain")?.sql ?? "",
  )?.[0];
  await db.query(chaining ?? "");
  expect(await readState()).toMatchObject({ isWhole: true, entries: 2 });
});
