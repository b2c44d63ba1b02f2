import { describe } from "vitest";
import { messageRoutes, type BreakdownAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { chargeHolds } from "../../../ledger/index.ts";
import type { App } from "../../../http/app-type.ts";
import {
  buildMessage,
  testPhoneNos,
  type BuiltMessage,
  type MessageFacts,
} from "../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";
import { ensurePartitions } from "../outcomes/ensure-partitions.ts";
import { overTime } from "./view-breakdown.ts";

const answerSchema = messageRoutes.viewBreakdown.schema.response[200];
const START = Date.parse("2026-03-05T10:00:00Z");

/** What became of recipients, in their order: a state's number, seconds after the start, and why. */
type Fate = { state: number; seconds: number; code?: string };

/** A message some of whose recipients have a fate; the others wait. */
async function buildDelivered(db: Db, fates: Fate[], facts: MessageFacts = {}): Promise<BuiltMessage> {
  await ensurePartitions(db, new Date());
  const message = await buildMessage(db, { recipientCount: fates.length, ...facts });
  await addFates(db, message, fates);
  return message;
}

async function addFates(
  db: Db,
  { userId, messageId, phoneNos, priceMilli }: BuiltMessage,
  fates: Fate[],
  first = 0,
): Promise<void> {
  await db.query(
    `insert into delivery (user_id, message_id, position, phone_no, state, submitted_at, updated_at, error_code)
     select $1, $2, $3 + place - 1, phone_no, state, now(), to_timestamp(seconds), code
     from unnest($4::bigint[], $5::smallint[], $6::float8[], $7::text[]) with ordinality as fate (phone_no, state, seconds, code, place)`,
    [
      userId,
      messageId,
      first,
      phoneNos.slice(first, first + fates.length),
      fates.map(({ state }) => state),
      fates.map(({ seconds }) => START / 1_000 + seconds),
      fates.map(({ code }) => code ?? null),
    ],
  );
  const of = (state: number): number => fates.filter((fate) => fate.state === state).length;
  await db.query(
    `update message_count set waiting = waiting - $3, sent = sent + $4, delivered = delivered + $5, failed = failed + $6, dnd = dnd + $7,
       unknown = unknown + $8 where user_id = $1 and message_id = $2`,
    [userId, messageId, fates.length, of(1), of(2), of(3), of(4), of(5)],
  );
  const amountMilli = priceMilli * fates.length;
  await withTransaction(db, (tx) => chargeHolds(tx, [{ userId, holdId: messageId, amountMilli }]));
}

const delivered = (seconds: number): Fate => ({ state: 2, seconds });
const failed = (seconds: number, code: string): Fate => ({ state: 3, seconds, code });

async function view(
  app: App,
  { userId, messageId }: { userId: string; messageId: string },
  headers: Record<string, string>,
): Promise<BreakdownAnswer> {
  const response = await app.inject({ url: `/api/${userId}/${messageId}/view-breakdown`, headers });
  expect(response.statusCode).toBe(200);
  return answerSchema.parse(response.json()).data;
}

const asOwner = ({ userId }: BuiltMessage) => ({ kind: "user", id: userId }) as const;

describe("refusals", () => {
  test("visitors, strangers and administrators; another's message, a hidden one and none", async ({
    app,
    db,
    signInAs,
  }) => {
    const message = await buildDelivered(db, [delivered(0)]);
    const stranger = await buildUser(db);
    const status = async (userId: string, messageId: string, headers = {}): Promise<number> =>
      (await app.inject({ url: `/api/${userId}/${messageId}/view-breakdown`, headers })).statusCode;
    expect(await status(message.userId, message.messageId)).toBe(401);
    expect(await status(message.userId, message.messageId, await signInAs(stranger))).toBe(403);
    expect(await status(message.userId, message.messageId, await signInAs(await buildAdmin(db)))).toBe(403);
    const headers = await signInAs(stranger);
    for (const id of [message.messageId, uuidv7()]) expect(await status(stranger.userId, id, headers)).toBe(404);
    await db.query("update message set hidden_at = now()");
    const own = await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]);
    expect(await status(message.userId, message.messageId, own)).toBe(404);
    expect((await db.query("select from message_breakdown")).rowCount).toBe(0);
  });
});

test("a message is told by time, network and reason, and the parts add up to its counts", async ({
  app,
  db,
  signInAs,
}) => {
  const [mtn, skipped] = testPhoneNos(2);
  const phoneNos = [mtn ?? 0, 2_348_020_000_001, 2_348_020_000_002, 447_911_123_456, 2_348_020_000_003, skipped ?? 0];
  const message = await buildDelivered(
    db,
    [
      delivered(0),
      delivered(7),
      failed(8, "report:undeliverable:027"),
      failed(31, "report:expired"),
      { state: 5, seconds: 31, code: "answer-lost" },
    ],
    { phoneNos, dndPhoneNos: [skipped ?? 0] },
  );
  const headers = await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]);
  const { points, ...rest } = await view(app, message, headers);
  expect(points.map(({ at, ...outcomes }) => [(Date.parse(at) - START) / 1_000, ...Object.values(outcomes)])).toEqual([
    [0, 1, 0, 0],
    [5, 1, 1, 0],
    [10, 0, 0, 0],
    [15, 0, 0, 0],
    [20, 0, 0, 0],
    [25, 0, 0, 0],
    [30, 0, 1, 0],
  ]);
  expect(rest).toMatchObject({
    isKept: true,
    stepSeconds: 5,
    counts: { delivered: 2, failed: 2, unknown: 1, dnd: 1, waiting: 0 },
    networks: [
      { network: "Airtel", delivered: 1, failed: 1, unknown: 1, sent: 0, dnd: 0 },
      { network: "MTN", delivered: 1, failed: 0 },
      { network: "Abroad", failed: 1 },
    ].toSorted((one, other) => (one.network === "Airtel" ? -1 : other.network === "Airtel" ? 1 : 0)),
    failures: [
      {
        reason: "Phone off or out of reach",
        advice: "Resend later",
        count: 2,
        carrierCodes: ["undeliverable 027", "expired"].toSorted(),
      },
      { count: 1 },
      { count: 1 },
    ],
  });
  expect(rest.failures.map(({ reason }) => reason)).toContain("On the do-not-disturb list; not sent and not charged");
  expect(rest.againInSeconds).toBeUndefined();
});

test("while nothing was handed over nothing is counted", async ({ app, db, signInAs }) => {
  const message = await buildMessage(db);
  const headers = await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]);
  expect(await view(app, message, headers)).toMatchObject({ points: [], networks: [], failures: [], isKept: true });
  expect((await db.query("select from message_breakdown")).rowCount).toBe(0);
});

test("it is counted once until the counts move, and then no more often than the pause allows", async ({
  app,
  db,
  clock,
  signInAs,
}) => {
  const message = await buildDelivered(db, [delivered(0)], { recipientCount: 3 });
  const headers = await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]);
  const first = await view(app, message, headers);
  clock.advance(60_000);
  // The counts have not moved: what was counted is read, however long ago.
  expect(await view(app, message, headers)).toEqual(first);

  await addFates(db, message, [delivered(1)], 1);
  const second = await view(app, message, headers);
  expect(second.counts.delivered).toBe(2);
  await addFates(db, message, [delivered(2)], 2);
  const early = await view(app, message, headers);
  expect([early.counts.delivered, early.countedAt, early.againInSeconds]).toEqual([2, second.countedAt, 2]);
  clock.advance(2_000);
  expect((await view(app, message, headers)).counts.delivered).toBe(3);
});

test("two who look at once: one counts, and the other is told to ask again", async ({ app, db, signInAs }) => {
  const message = await buildDelivered(db, [delivered(0)]);
  const headers = await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]);
  // Somebody has begun and is not done.
  await db.query(
    "insert into message_breakdown (user_id, message_id, claimed_at) values ($1, $2, now() + interval '1 minute')",
    [message.userId, message.messageId],
  );
  expect(await view(app, message, headers)).toMatchObject({ points: [], againInSeconds: 2 });
});

test("what was counted outlives the deliveries; what was not counted before says that it is not kept", async ({
  app,
  db,
  signInAs,
}) => {
  const counted = await buildDelivered(db, [delivered(0), failed(1, "report:expired")]);
  const missed = await buildDelivered(db, [delivered(0)]);
  const read = async (message: BuiltMessage) =>
    await view(app, message, await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]));
  const before = await read(counted);
  await db.query("delete from delivery");
  expect(await read(counted)).toEqual(before);
  expect(await read(missed)).toMatchObject({ isKept: false, points: [], networks: [] });
});

test("codes that a carrier makes up are bounded, and whoever is left is told without a reason", async ({
  app,
  db,
  signInAs,
}) => {
  const fates = Array.from({ length: 230 }, (_, index) => failed(0, `report:rejected:x${index}`));
  const message = await buildDelivered(db, fates);
  const { failures } = await view(app, message, await signInAs(asOwner(message) as Parameters<typeof signInAs>[0]));
  expect(failures.map(({ count, carrierCodes }) => [count, carrierCodes.length])).toEqual([
    [200, 5],
    [30, 0],
  ]);
});

describe("points", () => {
  const group = (seconds: number, count: number, state = 2) => ({ prefix: null, at: seconds, state, count });

  test("are as wide as the time needs, at most 40 of them, and lose nobody", () => {
    for (const span of [5, 200, 205, 3_600, 86_400, 3 * 86_400]) {
      const groups = Array.from({ length: 500 }, (_, index) =>
        group(Math.floor((index * span) / 499 / 5) * 5 + 1_000_000, 2),
      );
      const { points, later, stepSeconds } = overTime(groups);
      expect(points.length).toBeLessThanOrEqual(41);
      expect(points.every(({ at }, index) => at === (points[0]?.at ?? 0) + index * stepSeconds)).toBe(true);
      expect(points.reduce((sum, point) => sum + point.delivered, later.delivered)).toBe(1_000);
    }
  });

  test("keep their width when a few outcomes come days later, and those stand apart", () => {
    const { points, later, stepSeconds } = overTime([
      group(0, 600),
      group(60, 390),
      group(2 * 86_400, 9),
      group(3 * 86_400, 1, 3),
    ]);
    expect(stepSeconds).toBe(5);
    expect(points).toHaveLength(13);
    expect(later).toEqual({ delivered: 9, failed: 1, dnd: 0 });
  });

  test("are of outcomes alone", () => {
    expect(overTime([group(0, 5, 1), group(5, 5, 5)])).toMatchObject({ points: [] });
  });
});
