import { createHash } from "node:crypto";
import { AppError } from "../base/errors.ts";
import type { Queryable } from "./pool.ts";
import type { Tx } from "./transaction.ts";

/** A status and a JSON body, as they are sent. A key stores these and no outcome: web servers of two releases read each other's rows. */
export type KeptAnswer = { status: number; body: unknown };

/** The two ways between a call's outcome and the answer that its key stores. `read` undoes `write`. */
export type KeptAnswers<Outcome> = {
  write: (outcome: Outcome) => KeptAnswer;
  read: (answer: KeptAnswer) => Outcome;
};

/** @returns the id of what was made: every kept answer names it alike. */
export function keptIdOf({ body }: KeptAnswer): string {
  return (body as { data: { _id: string } }).data._id;
}

export type IdempotentRequest<Outcome> = {
  /** The customer or administrator who asks; keys of different people never meet. */
  actorId: string;
  /** Which call, such as `send-bulk-sms`; a key may be used once in each. */
  scope: string;
  /** The client's, 1 to 200 visible ASCII characters; undefined: the request is never a repeat of another. */
  key: string | undefined;
  /** Of everything in the request that decides what is done; see `fingerprintOf`. */
  fingerprint: Uint8Array;
  answers: KeptAnswers<Outcome>;
};

/** A client that comes back after a long weekend still gets its first answer. A row has a few hundred bytes. */
export const IDEMPOTENT_ANSWER_KEEP_MS = 7 * 24 * 60 * 60_000;
/** One clean-up statement deletes this many, and what was stored in the same instant as the last, so that it never holds its locks for long. */
export const IDEMPOTENT_ANSWER_DELETE_MAX = 10_000;

/**
 * Does the work once for each key, and returns its outcome again when the request is repeated. Effect, key and answer are
 * stored by the same transaction: there is no moment in which one exists without the others.
 *
 * A repeat that arrives while the first request is still at work waits for it. Work that throws stores nothing, so the same
 * key may be tried again, for example after a top-up.
 *
 * @param tx open transaction, in which `work` does everything it does.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function doOnce<Outcome extends object>(
  tx: Tx,
  request: IdempotentRequest<Outcome>,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { actorId, scope, key, fingerprint, answers } = request;
  if (key === undefined) return await work();
  // Waits here while another transaction has the same key and has not ended.
  const { rowCount } = await tx.query({
    name: "idempotent-key",
    text: `insert into idempotent_answer (actor_id, scope, key, fingerprint) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [actorId, scope, key, fingerprint],
  });
  if (rowCount === 0) {
    const first = await findOutcome(tx, request);
    // The clean-up may delete an old key between the two statements.
    if (first === undefined) throw new AppError("UNAVAILABLE");
    return first;
  }
  const outcome = await work();
  const { status, body } = answers.write(outcome);
  await tx.query({
    name: "idempotent-answer",
    text: `update idempotent_answer set status = $4, body = $5 where actor_id = $1 and scope = $2 and key = $3`,
    values: [actorId, scope, key, status, JSON.stringify(body)],
  });
  return outcome;
}

/**
 * The outcome that a key has already, for calls whose work begins with something expensive. `doOnce` still decides.
 *
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function findOutcome<Outcome>(
  db: Queryable,
  { actorId, scope, key, fingerprint, answers }: IdempotentRequest<Outcome>,
): Promise<Outcome | undefined> {
  if (key === undefined) return undefined;
  const { rows } = await db.query<{ fingerprint: Buffer; status: number | null; body: string }>(
    `select fingerprint, status, body from idempotent_answer where actor_id = $1 and scope = $2 and key = $3`,
    [actorId, scope, key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(fingerprint)) throw new AppError("IDEMPOTENCY_CONFLICT");
  const body = JSON.parse(row.body) as unknown;
  // One release stored the outcome itself, without a status.
  return row.status === null ? (body as Outcome) : answers.read({ status: row.status, body });
}

type NamedKey = { scope: string; key: string };

/** @returns which of these keys one person has used, as `scope key`. */
export async function listKeptKeys(db: Queryable, actorId: string, keys: readonly NamedKey[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await db.query<NamedKey>({
    name: "kept-keys",
    // Key by key, whatever the planner believes of the table: a join read all answers of the customer, 6 ms after 50,000 sends.
    text: `select asked.scope, asked.key from unnest($2::text[], $3::text[]) as asked (scope, key)
     cross join lateral (
       select from idempotent_answer kept
       where kept.actor_id = $1 and kept.scope = asked.scope and kept.key = asked.key limit 1) as kept`,
    values: [actorId, keys.map(({ scope }) => scope), keys.map(({ key }) => key)],
  });
  return new Set(rows.map(({ scope, key }) => `${scope} ${key}`));
}

/** @returns what these keys of one person were answered, as `scope key`. */
export async function readKeptAnswers(
  db: Queryable,
  actorId: string,
  keys: readonly NamedKey[],
): Promise<Map<string, { fingerprint: Buffer; answer: KeptAnswer }>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.query<NamedKey & { fingerprint: Buffer; status: number; body: string }>({
    name: "kept-answers",
    text: `select asked.scope, asked.key, kept.fingerprint, kept.status, kept.body
     from (select distinct scope, key from unnest($2::text[], $3::text[]) as named (scope, key)) as asked
     cross join lateral (
       select fingerprint, status, body from idempotent_answer own
       where own.actor_id = $1 and own.scope = asked.scope and own.key = asked.key limit 1) as kept`,
    values: [actorId, keys.map(({ scope }) => scope), keys.map(({ key }) => key)],
  });
  return new Map(
    rows.map(({ scope, key, fingerprint, status, body }) => [
      `${scope} ${key}`,
      { fingerprint, answer: { status, body: JSON.parse(body) as unknown } },
    ]),
  );
}

/**
 * Stores the answers of work that was done for several new keys at once, in its transaction. Waits while another transaction has one of them.
 *
 * @throws AppError `IDEMPOTENCY_CONFLICT` when one of the keys was used meanwhile: the work must not be kept.
 */
export async function keepAnswers(
  tx: Tx,
  actorId: string,
  kept: readonly (NamedKey & { fingerprint: Uint8Array; answer: KeptAnswer })[],
): Promise<void> {
  if (kept.length === 0) return;
  // In one order, so that two of these never wait for each other.
  const rows = kept.toSorted((one, other) => (`${one.scope} ${one.key}` < `${other.scope} ${other.key}` ? -1 : 1));
  const { rowCount } = await tx.query({
    name: "keep-answers",
    text: `insert into idempotent_answer (actor_id, scope, key, fingerprint, status, body)
     select $1::uuid, scope, key, fingerprint, status, body
     from unnest($2::text[], $3::text[], $4::bytea[], $5::integer[], $6::text[]) as new (scope, key, fingerprint, status, body)
     on conflict do nothing`,
    values: [
      actorId,
      rows.map(({ scope }) => scope),
      rows.map(({ key }) => key),
      rows.map(({ fingerprint }) => Buffer.from(fingerprint)),
      rows.map(({ answer }) => answer.status),
      rows.map(({ answer }) => JSON.stringify(answer.body)),
    ],
  });
  if (rowCount !== rows.length) throw new AppError("IDEMPOTENCY_CONFLICT");
}

/** Forgets the outcome of one key when it is older than this, for calls whose repeats mean the same for a short while only. */
export async function forgetOutcomeBefore(
  tx: Tx,
  { actorId, scope, key }: Pick<IdempotentRequest<unknown>, "actorId" | "scope"> & { key: string },
  ageMs: number,
): Promise<void> {
  await tx.query(
    `delete from idempotent_answer
     where actor_id = $1 and scope = $2 and key = $3 and created_at < now() - $4::int * interval '1 millisecond'`,
    [actorId, scope, key, ageMs],
  );
}

/**
 * SHA-256 of named fields, whatever their order; a field that is undefined is left out. Names and values carry their
 * length, so that no text can imitate a border between two fields. A text of 14 MB takes about 30 ms.
 */
export function fingerprintOf(fields: Record<string, string | number | boolean | null | undefined>): Buffer {
  const hash = createHash("sha256");
  for (const name of Object.keys(fields).toSorted()) {
    const value = fields[name];
    if (value === undefined) continue;
    const text = String(value);
    hash.update(`${name.length}:${name}=${typeof value}:${text.length}:`);
    hash.update(text);
  }
  return hash.digest();
}

/**
 * Forgets answers that are older than `IDEMPOTENT_ANSWER_KEEP_MS`.
 *
 * @returns how many were deleted; call again while it is `IDEMPOTENT_ANSWER_DELETE_MAX` or more.
 */
export async function deleteOldAnswers(db: Queryable, now: Date): Promise<number> {
  const olderThan = new Date(now.getTime() - IDEMPOTENT_ANSWER_KEEP_MS);
  // As text, because a Date would lose the microseconds.
  const { rows: last } = await db.query<{ createdAt: string }>(
    `select created_at::text as "createdAt" from idempotent_answer where created_at < $1 order by created_at offset $2 limit 1`,
    [olderThan, IDEMPOTENT_ANSWER_DELETE_MAX - 1],
  );
  const { rowCount } = await db.query(
    "delete from idempotent_answer where created_at < $1 and created_at <= $2::timestamptz",
    [olderThan, last[0]?.createdAt ?? olderThan],
  );
  return rowCount ?? 0;
}
