import { createHash } from "node:crypto";
import { AppError } from "../base/errors.ts";
import type { Queryable } from "./pool.ts";
import type { Tx } from "./transaction.ts";

/** A status and a JSON body, as they are sent. */
export type Answer<Body> = { status: number; body: Body };

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

/**
 * How long a key is remembered: a client that comes back after a long weekend still gets its first answer. Answers are a
 * few hundred bytes.
 */
export const IDEMPOTENT_ANSWER_KEEP_MS = 7 * 24 * 60 * 60_000;
/** One clean-up statement deletes this many at most, so that it never holds its locks for long. */
export const IDEMPOTENT_ANSWER_DELETE_MAX = 10_000;

/**
 * Carries `work` out once for each key, and gives its answer again when the request is repeated. Effect, key and answer are
 * stored by the same transaction: there is no moment in which one exists without the others.
 *
 * A repeat that arrives while the first is still at work waits for it. Work that throws stores nothing, so the same key may be
 * tried again, for example after a top-up.
 *
 * @param tx open transaction, in which `work` does everything it does.
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function answerOnce<Body>(
  tx: Tx,
  request: IdempotentRequest,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body> & { isRepeat: boolean }> {
  const { actorId, scope, key, fingerprint } = request;
  // Waits here while another transaction has the same key and has not ended.
  const { rowCount } = await tx.query(
    `insert into idempotent_answer (actor_id, scope, key, fingerprint) values ($1, $2, $3, $4) on conflict do nothing`,
    [actorId, scope, key, fingerprint],
  );
  if (rowCount === 0) return { ...(await getAnswer<Body>(tx, request)), isRepeat: true };
  const answer = await work();
  await tx.query(
    `update idempotent_answer set status = $4, body = $5 where actor_id = $1 and scope = $2 and key = $3`,
    [actorId, scope, key, answer.status, JSON.stringify(answer.body)],
  );
  return { ...answer, isRepeat: false };
}

async function getAnswer<Body>(tx: Tx, request: IdempotentRequest): Promise<Answer<Body>> {
  const answer = await findAnswer<Body>(tx, request);
  // The clean-up may delete an old key between the two statements.
  if (answer === undefined) throw new AppError("UNAVAILABLE");
  return answer;
}

/**
 * The answer that a key has already, for calls whose work begins with something dear. `answerOnce` still decides.
 *
 * @throws AppError `IDEMPOTENCY_CONFLICT` if the key was used for another request.
 */
export async function findAnswer<Body>(db: Queryable, request: IdempotentRequest): Promise<Answer<Body> | undefined> {
  const { rows } = await db.query<{ fingerprint: Buffer; status: number; body: string }>(
    `select fingerprint, status, body from idempotent_answer where actor_id = $1 and scope = $2 and key = $3`,
    [request.actorId, request.scope, request.key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  if (!row.fingerprint.equals(request.fingerprint)) throw new AppError("IDEMPOTENCY_CONFLICT");
  return { status: row.status, body: JSON.parse(row.body) as Body };
}

/** Forgets one answer that is older than this, for calls whose repeats mean the same for a short while only. */
export async function forgetAnswerBefore(
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
