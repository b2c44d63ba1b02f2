/**
 * The audit from a sealed point on. Books are only ever added to, so what was checked once need not be added up every night: each customer's
 * journals are sealed up to a number, with their sum and a hash of every line, and the next audit goes on from there. Its cost follows what has
 * happened since, not the years.
 *
 * A mark over all seals is made with a key that is not in the database: who can write to the tables, but does not have the key, cannot
 * move a seal unseen. And a part of what is sealed is read again every night and compared with its hash, and its holds with their journals.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../db/pool.ts";
import { INVARIANTS_SINCE_SEAL, type InvariantCheck } from "./ledger-invariants.ts";
import {
  beginMoment,
  countWrongHolds,
  putSealedPoint,
  selectAccountEnds,
  selectJournalLines,
  selectSealedPoint,
  selectSeals,
  upsertSeals,
  type Seal,
} from "./sealed-point-store.ts";

/** Rules of other tables about what may have changed since a moment. */
export type RulesSince = (db: Queryable, since: Date) => Promise<InvariantCheck[]>;

export type SealedAudit = {
  checks: InvariantCheck[];
  /** From where it was checked; undefined when everything was. */
  from: Date | undefined;
  /** The new sealed point; undefined when a rule is broken, and nothing was sealed. */
  sealedAt: Date | undefined;
};

const NO_HASH = Buffer.alloc(32);
const LINES_AT_A_TIME = 5_000;
/** Much longer than any transaction: what it writes carries a time from before its COMMIT. */
const TRANSACTION_MS = 3_600_000;
/** How many sealed journals are read again in one audit: about half a second. */
const REREAD_MAX = 10_000;

/**
 * Checks the ledger from its sealed point on, and seals it anew when every rule holds. Without a sealed point everything is checked. With one that
 * is not as it was left everything is checked as well, that is reported as a broken rule, and it stays for people to look at.
 *
 * @param session has no time limits and no transaction open; nothing else may use it meanwhile.
 * @param options keys: the first marks, any of them is believed. isAnew: checks everything and seals it, whatever was sealed before.
 */
export async function auditLedger(
  session: Queryable,
  options: { keys: readonly Buffer[]; rules: readonly RulesSince[]; isAnew?: boolean; rereadMax?: number },
): Promise<SealedAudit> {
  await session.query("begin isolation level repeatable read");
  try {
    const audit = await auditAtOneMoment(session, options);
    await session.query("commit");
    return audit;
  } catch (error) {
    await session.query("rollback");
    throw error;
  }
}

async function auditAtOneMoment(
  db: Queryable,
  { keys, rules, isAnew = false, rereadMax = REREAD_MAX }: Parameters<typeof auditLedger>[1],
): Promise<SealedAudit> {
  const now = await beginMoment(db);
  const point = isAnew ? undefined : await selectSealedPoint(db);
  const seals = isAnew ? [] : await selectSeals(db);
  const isGenuine =
    point === undefined
      ? seals.length === 0
      : keys.some((key) => timingSafeEqual(markOf(key, point, seals), point.mark));
  const from = isGenuine ? point?.sealedAt : undefined;
  const checks = from === undefined ? await checkAll(db) : await checkSince(db, from, rules);
  checks.push({ name: "the sealed point is as it was left", violations: isGenuine ? 0 : 1 });
  const again = from === undefined ? undefined : await readAgain(db, seals, point?.rereadUserId ?? null, rereadMax);
  if (again !== undefined) checks.push({ name: "what is sealed is as it was", violations: again.violations });
  const key = keys[0];
  if (key === undefined || checks.some(({ violations }) => violations > 0))
    return { checks, from, sealedAt: undefined };

  const known = new Map(seals.map((seal) => [seal.userId, seal]));
  const sealed = await sealFurther(db, again?.seals ?? []);
  await upsertSeals(
    db,
    sealed.filter((seal) => !isSame(seal, known.get(seal.userId))),
  );
  const next = { sealedAt: now, rereadUserId: again?.rereadUserId ?? null };
  await putSealedPoint(db, { ...next, mark: markOf(key, next, sealed) });
  return { checks, from, sealedAt: now };
}

async function checkAll(db: Queryable): Promise<InvariantCheck[]> {
  const { rows } = await db.query<InvariantCheck>("select name, violations from ledger_invariants");
  return rows;
}

async function checkSince(db: Queryable, since: Date, rules: readonly RulesSince[]): Promise<InvariantCheck[]> {
  const { rows } = await db.query<InvariantCheck>(INVARIANTS_SINCE_SEAL);
  for (const rule of rules) rows.push(...(await rule(db, new Date(since.getTime() - TRANSACTION_MS))));
  return rows;
}

type Again = { seals: Seal[]; rereadUserId: string | null; violations: number };

/** Reads some sealed journals again, customer after customer, from where the last audit stopped. */
async function readAgain(db: Queryable, seals: Seal[], last: string | null, linesMax: number): Promise<Again> {
  const changed = new Map<string, Seal>();
  let [left, rereadUserId, violations] = [linesMax, last, 0];
  const isLater = ({ userId }: Seal): boolean => last === null || userId > last;
  for (const seal of [...seals.filter(isLater), ...seals.filter((one) => !isLater(one))]) {
    if (left <= 0) break;
    const { userId, rereadNumber: after, number: upTo } = seal;
    const part = await hashOn(db, { userId, after, upTo, hash: seal.rereadHash, linesMax: left });
    violations += await countWrongHolds(db, { userId, after, upTo: part.number });
    left -= Math.max(part.count, 1);
    if (part.isEnd) {
      if (part.number !== upTo || !part.hash.equals(seal.hash)) violations += 1;
      rereadUserId = userId;
    }
    const place = part.isEnd ? { number: 0, hash: NO_HASH } : part;
    changed.set(userId, { ...seal, rereadNumber: place.number, rereadHash: place.hash });
  }
  return { seals: seals.map((seal) => changed.get(seal.userId) ?? seal), rereadUserId, violations };
}

/** Adds the hashes of one customer's next journals to the hash of those before. */
async function hashOn(
  db: Queryable,
  part: { userId: string; after: number; upTo: number; hash: Buffer; linesMax?: number },
): Promise<{ number: number; hash: Buffer; count: number; isEnd: boolean }> {
  let { after: number, hash } = part;
  let count = 0;
  for (;;) {
    const limit = Math.min(LINES_AT_A_TIME, (part.linesMax ?? Infinity) - count);
    const lines = limit === 0 ? [] : await selectJournalLines(db, { ...part, after: number, limit });
    for (const { line } of lines) hash = createHash("sha256").update(hash).update(line).digest();
    number = lines.at(-1)?.number ?? number;
    count += lines.length;
    if (number >= part.upTo || lines.length < limit) return { number, hash, count, isEnd: true };
    if (limit === 0) return { number, hash, count, isEnd: false };
  }
}

/** Takes in what came since each seal; every rule has been checked up to there. */
async function sealFurther(db: Queryable, seals: readonly Seal[]): Promise<Seal[]> {
  const before = new Map(seals.map((seal) => [seal.userId, seal]));
  const all: Seal[] = [];
  for (const { userId, number, balanceMilli } of await selectAccountEnds(db)) {
    const seal = before.get(userId) ?? { userId, number: 0, hash: NO_HASH, rereadNumber: 0, rereadHash: NO_HASH };
    const { hash } =
      seal.number === number ? seal : await hashOn(db, { userId, after: seal.number, upTo: number, hash: seal.hash });
    all.push({ ...seal, number, balanceMilli, hash });
  }
  return all;
}

/** Proves that these seals were made by somebody who has the key. */
function markOf(
  key: Buffer,
  { sealedAt, rereadUserId }: { sealedAt: Date; rereadUserId: string | null },
  seals: readonly Seal[],
): Buffer {
  const mark = createHmac("sha256", key).update(`ledger seal\n${sealedAt.toISOString()} ${rereadUserId ?? "-"}\n`);
  for (const seal of seals.toSorted(byUserId)) mark.update(`${lineOf(seal)}\n`);
  return mark.digest();
}

function lineOf({ userId, number, balanceMilli, hash, rereadNumber, rereadHash }: Seal): string {
  return [userId, number, balanceMilli, hash.toString("hex"), rereadNumber, rereadHash.toString("hex")].join(" ");
}

function isSame(one: Seal, other: Seal | undefined): boolean {
  return other !== undefined && lineOf(one) === lineOf(other);
}

function byUserId(one: Seal, other: Seal): number {
  return one.userId < other.userId ? -1 : 1;
}
