/** All SQL about second factors. */
import type { Queryable } from "../../../db/pool.ts";
import type { Session } from "../../../http/session/session.ts";

/** Whose it is. */
export type FactorOwner = Pick<Session, "kind" | "actorId">;

/** How many used steps are kept, about ten minutes: a code does not work again after a clock was set back. */
const USED_STEPS_KEPT = 20;

/** Keeps a new secret until it is confirmed, over one that never was. @returns false when the second factor is on. */
export async function upsertUnconfirmed(
  db: Queryable,
  { kind, actorId }: FactorOwner,
  sealedSecret: Buffer,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into second_factor as old (kind, actor_id, sealed_secret, created_at) values ($1, $2, $3, $4)
     on conflict (kind, actor_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
     where old.confirmed_at is null`,
    [kind, actorId, sealedSecret, now],
  );
  return rowCount === 1;
}

/** @returns the encrypted secret, and whether it was confirmed, which is when it counts. */
export async function findFactor(
  db: Queryable,
  { kind, actorId }: FactorOwner,
): Promise<{ sealedSecret: Buffer; isOn: boolean } | undefined> {
  const { rows } = await db.query<{ sealedSecret: Buffer; isOn: boolean }>(
    `select sealed_secret as "sealedSecret", confirmed_at is not null as "isOn" from second_factor where kind = $1 and actor_id = $2`,
    [kind, actorId],
  );
  return rows[0];
}

/** Turns on exactly the secret that the code belonged to. @returns false when it was replaced, confirmed or given up meanwhile. */
export async function confirmFactor(
  db: Queryable,
  { kind, actorId }: FactorOwner,
  proof: { sealedSecret: Buffer; step: number; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update second_factor set confirmed_at = $4, used_steps = array[$5::bigint]
     where kind = $1 and actor_id = $2 and sealed_secret = $3 and confirmed_at is null`,
    [kind, actorId, proof.sealedSecret, proof.now, proof.step],
  );
  return rowCount === 1;
}

/**
 * Takes a step's code, once: of any number of parallel uses one finds the step unused.
 *
 * @returns false when it was taken before, or the second factor was turned off meanwhile.
 */
export async function takeStep(db: Queryable, { kind, actorId }: FactorOwner, step: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update second_factor set used_steps = array(select used from unnest(used_steps) as used where used > $3::bigint - ${USED_STEPS_KEPT}) || $3::bigint
     where kind = $1 and actor_id = $2 and confirmed_at is not null and not $3::bigint = any (used_steps)`,
    [kind, actorId, step],
  );
  return rowCount === 1;
}

export async function insertRecoveryCodes(
  db: Queryable,
  { kind, actorId }: FactorOwner,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await db.query(`insert into recovery_code (kind, actor_id, code_hash) select $1, $2, unnest($3::bytea[])`, [
    kind,
    actorId,
    codeHashes,
  ]);
}

/** Uses a recovery code. @returns false for an unknown code and, of several uses at once, for all but the first. */
export async function takeRecoveryCode(
  db: Queryable,
  { kind, actorId }: FactorOwner,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update recovery_code set used_at = $4 where kind = $1 and actor_id = $2 and code_hash = $3 and used_at is null`,
    [kind, actorId, codeHash, now],
  );
  return rowCount === 1;
}

export async function countRecoveryCodesLeft(db: Queryable, { kind, actorId }: FactorOwner): Promise<number> {
  const { rows } = await db.query<{ left: number }>(
    `select count(*)::integer as left from recovery_code where kind = $1 and actor_id = $2 and used_at is null`,
    [kind, actorId],
  );
  return rows[0]?.left ?? 0;
}

/** Deletes the second factor, also an unconfirmed one. @returns whether it was on. */
export async function deleteFactor(db: Queryable, { kind, actorId }: FactorOwner): Promise<boolean> {
  const { rows } = await db.query<{ isOn: boolean }>(
    `delete from second_factor where kind = $1 and actor_id = $2 returning confirmed_at is not null as "isOn"`,
    [kind, actorId],
  );
  return rows[0]?.isOn === true;
}

/** When the second factor was last shown in a session; null when never. */
export async function findFactorAt(db: Queryable, sessionId: string): Promise<Date | null> {
  const { rows } = await db.query<{ factorAt: Date | null }>(
    `select factor_at as "factorAt" from session where session_id = $1`,
    [sessionId],
  );
  return rows[0]?.factorAt ?? null;
}

export async function markFactorShown(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.query(`update session set factor_at = $2 where session_id = $1`, [sessionId, now]);
}
