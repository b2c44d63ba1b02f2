import { createHash } from "node:crypto";
import { AppError } from "../base/errors.ts";
import type { Queryable } from "./pool.ts";
import type { Tx } from "./transaction.ts";

/** What the release before stored with a key: a status and a JSON body, as they were sent. */
export type EarlierAnswer = { status: number; body: unknown };

/** @returns the id of what was made: every such answer named it alike. */
export function earlierIdOf({ body }: EarlierAnswer): string {
  return (body as { data: { _id: string } }).data._id;
}

export type IdempotentRequest = {
  /** The customer or administrator who asks; keys of different people never meet. */
  actorId: string;
  /** Which call, such as `send-bulk-sms`; a key may be used once in each. */
  scope: string;
  /** The client's, 1 to 200 visible ASCII characters. */
  key: string;
  /** Of everything in the request that decides what is done; see `fingerprintOf`. */
  fingerprint: Buffer;
};

/** A request with the reader of the answers that the release before stored for this call; they live as long as any other. */
export type KeyedRequest<Outcome> = IdempotentRequest & { readEarlier: (answer: EarlierAnswer) => Outcome };

/** A client that comes back after a long weekend still gets its first answer. A row has a few hundred bytes. */
export const IDEMPOTENT_ANSWER_KEEP_MS = 7 * 24 * 60 * 60_000;
/** One clean-up statement deletes this many at most, so that it never holds its locks for long. */
export const IDEMPOTENT_ANSWER_DELETE_MAX = 10_000;

/**
 * Does the work once for each key, and returns its outcome again when the request is repeated. Effect, key and outcome are
 * stored by the same transaction: there is no moment in which one exists without the others.
 *
 * A repeat that arrives while the first request is still at work waits for it. Work that throws stores nothing, so the same
 * key may be tried again, for example after a top-up.
 *
 * @param tx open transaction, in which `work` does everything it does.
 * @param work returns plain JSON values: a repeat gets what JSON keeps of them.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function doOnce<Outcome extends object>(
  tx: Tx,
  request: KeyedRequest<Outcome>,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { actorId, scope, key, fingerprint } = request;
  // Waits here while another transaction has the same key and has not ended.
  const { rowCount } = await tx.query(
    `insert into idempotent_answer (actor_id, scope, key, fingerprint) values ($1, $2, $3, $4) on conflict do nothing`,
    [actorId, scope, key, fingerprint],
  );
  if (rowCount === 0) {
    const first = await findOutcome(tx, request);
    // The clean-up may delete an old key between the two statements.
    if (first === undefined) throw new AppError("UNAVAILABLE");
    return first;
  }
  const outcome = await work();
  await tx.query(`update idempotent_answer set body = $4 where actor_id = $1 and scope = $2 and key = $3`, [
    actorId,
    scope,
    key,
    JSON.stringify(outcome),
  ]);
  return outcome;
}

/**
 * The outcome that a key has already, for calls whose work begins with something expensive. `doOnce` still decides.
 *
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function findOutcome<Outcome>(
  db: Queryable,
  request: KeyedRequest<Outcome>,
): Promise<Outcome | undefined> {
  const { rows } = await db.query<{ fingerprint: Buffer; status: number | null; body: string }>(
    `select fingerprint, status, body from idempotent_answer where actor_id = $1 and scope = $2 and key = $3`,
    [request.actorId, request.scope, request.key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(request.fingerprint)) throw new AppError("IDEMPOTENCY_CONFLICT");
  // Only the release before stored a status.
  if (row.status !== null) return request.readEarlier({ status: row.status, body: JSON.parse(row.body) as unknown });
  return JSON.parse(row.body) as Outcome;
}

/** Forgets the outcome of one key when it is older than this, for calls whose repeats mean the same for a short while only. */
export async function forgetOutcomeBefore(
  tx: Tx,
  request: Pick<IdempotentRequest, "actorId" | "scope" | "key">,
  ageMs: number,
): Promise<void> {
  await tx.query(
    `delete from idempotent_answer
     where actor_id = $1 and scope = $2 and key = $3 and created_at < now() - $4::int * interval '1 millisecond'`,
    [request.actorId, request.scope, request.key, ageMs],
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
 * @returns how many were deleted, at most `IDEMPOTENT_ANSWER_DELETE_MAX`; call again while it is that many.
 */
export async function deleteOldAnswers(db: Queryable, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from idempotent_answer where (actor_id, scope, key) in (
       select actor_id, scope, key from idempotent_answer where created_at < $1
       order by created_at limit $2 for update skip locked
     )`,
    [new Date(now.getTime() - IDEMPOTENT_ANSWER_KEEP_MS), IDEMPOTENT_ANSWER_DELETE_MAX],
  );
  return rowCount ?? 0;
}
