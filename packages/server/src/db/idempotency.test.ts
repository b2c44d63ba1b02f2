import { describe } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { expect, listLockWaiters, overlap, test } from "../testing/database.ts";
import {
  deleteOldAnswers,
  doOnce,
  findOutcome,
  fingerprintOf,
  IDEMPOTENT_ANSWER_DELETE_MAX,
  IDEMPOTENT_ANSWER_KEEP_MS,
  type IdempotentRequest,
} from "./idempotency.ts";
import type { Db } from "./pool.ts";
import { withTransaction, type Tx } from "./transaction.ts";

type Outcome = { z: string; a: number };
type Body = { message: string; data: { name: string } };

const request = (facts: Partial<IdempotentRequest<Outcome>> = {}): IdempotentRequest<Outcome> => ({
  actorId: "01890000-0000-7000-8000-000000000001",
  scope: "send-bulk-sms",
  key: "key-1",
  fingerprint: fingerprintOf({ message: "hello" }),
  answers: {
    write: ({ z, a }) => ({ status: a, body: { message: "Sent", data: { name: z } } satisfies Body }),
    read: ({ status, body }) => ({ z: (body as Body).data.name, a: status }),
  },
  ...facts,
});

const createEffects = (db: Db): Promise<unknown> => db.query("create table effect (name text not null)");

async function readEffects(db: Db): Promise<unknown[]> {
  return (await db.query<{ name: string }>("select name from effect order by name")).rows.map(({ name }) => name);
}

/** Work with an effect in the database and an outcome that names it. */
const work = (asked: IdempotentRequest<Outcome>, name: string) => (tx: Tx) =>
  doOnce(tx, asked, async () => {
    await tx.query("insert into effect values ($1)", [name]);
    return { z: name, a: 1 };
  });

describe("refusals", () => {
  test("the key of another request is a conflict, and does nothing", async ({ db }) => {
    await createEffects(db);
    await withTransaction(db, work(request(), "first"));
    const other = request({ fingerprint: fingerprintOf({ message: "hello!" }) });
    await expect(withTransaction(db, work(other, "second"))).rejects.toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
    expect(await readEffects(db)).toEqual(["first"]);
  });

  test("work that throws stores nothing, and the same key may be tried again", async ({ db }) => {
    await createEffects(db);
    const refuse = (tx: Tx) =>
      doOnce(tx, request(), async () => {
        await tx.query("insert into effect values ('refused')");
        throw new Error("no units");
      });
    await expect(withTransaction(db, refuse)).rejects.toThrow("no units");
    expect((await db.query("select from idempotent_answer")).rowCount).toBe(0);
    expect(await withTransaction(db, work(request(), "after a top-up"))).toMatchObject({ z: "after a top-up" });
    expect(await readEffects(db)).toEqual(["after a top-up"]);
  });
});

test("a repeated request gets the first outcome again, to the byte, and its work is not done", async ({ db }) => {
  await createEffects(db);
  const first = await withTransaction(db, work(request(), "first"));
  const again = await withTransaction(db, work(request(), "second"));
  expect(first).toEqual({ z: "first", a: 1 });
  expect(JSON.stringify(again)).toBe(JSON.stringify(first));
  expect(await findOutcome(db, request())).toEqual(first);
  expect(await readEffects(db)).toEqual(["first"]);
});

test("an outcome that one release stored as it was, without a status, is found", async ({ db }) => {
  const { actorId, scope, key, fingerprint } = request();
  await db.query(
    "insert into idempotent_answer (actor_id, scope, key, fingerprint, body) values ($1, $2, $3, $4, $5)",
    [actorId, scope, key, fingerprint, JSON.stringify({ z: "earlier", a: 1 })],
  );
  expect(await findOutcome(db, request())).toEqual({ z: "earlier", a: 1 });
});

test("a request without a key is never a repeat, and stores no row", async ({ db }) => {
  await createEffects(db);
  await withTransaction(db, work(request({ key: undefined }), "first"));
  await withTransaction(db, work(request({ key: undefined }), "second"));
  expect(await findOutcome(db, request({ key: undefined }))).toBeUndefined();
  expect((await db.query("select from idempotent_answer")).rowCount).toBe(0);
  expect(await readEffects(db)).toEqual(["first", "second"]);
});

test("one key is free for another person and for another call", async ({ db }) => {
  await createEffects(db);
  await withTransaction(db, work(request(), "a"));
  await withTransaction(db, work(request({ actorId: uuidv7() }), "b"));
  await withTransaction(db, work(request({ scope: "send-draft-sms" }), "c"));
  expect(await readEffects(db)).toEqual(["a", "b", "c"]);
});

// Goal: a double click is one send. Method: the second request arrives while the first has done its work and not committed.
describe("overlaps", () => {
  test("the same request waits and gets the first outcome", async ({ db }) => {
    await createEffects(db);
    const [first, second] = await overlap(db, work(request(), "first"), work(request(), "second"));
    expect(first).toMatchObject({ value: { z: "first" } });
    expect(second).toMatchObject({ value: { z: "first" } });
    expect(await readEffects(db)).toEqual(["first"]);
  });

  test("another request with the same key waits and is refused", async ({ db }) => {
    await createEffects(db);
    const other = request({ fingerprint: fingerprintOf({ message: "bye" }) });
    const [, second] = await overlap(db, work(request(), "first"), work(other, "second"));
    expect(second).toMatchObject({ reason: { code: "IDEMPOTENCY_CONFLICT" } });
    expect(await readEffects(db)).toEqual(["first"]);
  });

  test("the first is refused after all: the second, which waited, does the work", async ({ db }) => {
    await createEffects(db);
    let startSecond: () => void = () => undefined;
    const secondStarted = new Promise<void>((resolve) => {
      startSecond = resolve;
    });
    const failing = withTransaction(db, (tx) =>
      doOnce(tx, request(), async () => {
        startSecond();
        await untilSomebodyWaits(db);
        throw new Error("refused");
      }),
    );
    const failed = expect(failing).rejects.toThrow("refused");
    await secondStarted;
    expect(await withTransaction(db, work(request(), "second"))).toMatchObject({ z: "second" });
    await failed;
    expect(await readEffects(db)).toEqual(["second"]);
  });

  test("twenty at once: one does the work, all get its outcome", async ({ db }) => {
    await createEffects(db);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => withTransaction(db, work(request(), `work ${index}`))),
    );
    const effects = await readEffects(db);
    expect(effects).toHaveLength(1);
    expect(new Set(outcomes.map(({ z }) => z))).toEqual(new Set(effects));
  });
});

async function untilSomebodyWaits(db: Db): Promise<void> {
  for (;;) {
    if ((await listLockWaiters(db)).length > 0) return;
  }
}

test("a session that dies before COMMIT leaves neither key nor effect", async ({ db }) => {
  await createEffects(db);
  const killed = withTransaction(db, async (tx) => {
    await work(request(), "killed")(tx);
    const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
    await db.query("select pg_terminate_backend($1::integer, 5000)", [rows[0]?.pid]);
  });
  await expect(killed).rejects.toThrow();
  expect((await db.query("select from idempotent_answer")).rowCount).toBe(0);
  expect(await withTransaction(db, work(request(), "retried"))).toMatchObject({ z: "retried" });
  expect(await readEffects(db)).toEqual(["retried"]);
});

describe("fingerprintOf", () => {
  const same = (one: Parameters<typeof fingerprintOf>[0], other: Parameters<typeof fingerprintOf>[0]): boolean =>
    fingerprintOf(one).equals(fingerprintOf(other));

  test("is the same whatever the order of fields, and without those that are undefined", () => {
    expect(same({ a: "1", b: true }, { b: true, a: "1", c: undefined })).toBe(true);
  });

  test.each([
    [{ a: "1" }, { a: 1 }],
    [{ a: "" }, {}],
    [{ a: null }, { a: "null" }],
    [
      { a: "1", b: "2" },
      { a: "12", b: "" },
    ],
    [{ a: "x1:b=string:1:y" }, { a: "x", b: "y" }],
    [{ ab: "c" }, { a: "bc" }],
    [{ a: "é" }, { a: "e\u0301" }],
  ])("tells %o from %o", (one, other) => {
    expect(same(one, other)).toBe(false);
  });

  test("takes a million numbers", () => {
    const phoneNo = Array.from({ length: 1_000_000 }, (_, index) => 2_348_030_000_000 + index).join(",");
    expect(fingerprintOf({ phoneNo })).toHaveLength(32);
    expect(same({ phoneNo }, { phoneNo: `${phoneNo.slice(0, -1)}8` })).toBe(false);
  });
});

test("old answers are forgotten, a bounded number at a time", async ({ db }) => {
  await db.query(
    `insert into idempotent_answer (actor_id, scope, key, fingerprint, status, body, created_at)
     select gen_random_uuid(), 'send-bulk-sms', 'key', $1, 200, '{}', now() + number * interval '1 microsecond'
     from generate_series(1, $2::integer) as number`,
    [fingerprintOf({}), IDEMPOTENT_ANSWER_DELETE_MAX + 5],
  );
  const keptUntil = new Date(Date.now() + IDEMPOTENT_ANSWER_KEEP_MS);
  expect(await deleteOldAnswers(db, new Date(keptUntil.getTime() - 60_000))).toBe(0);
  const later = new Date(keptUntil.getTime() + 60_000);
  expect(await deleteOldAnswers(db, later)).toBe(IDEMPOTENT_ANSWER_DELETE_MAX);
  expect(await deleteOldAnswers(db, later)).toBe(5);
  expect(await deleteOldAnswers(db, later)).toBe(0);
});
