/** All SQL about hosts that clients bind to, and their binds. */
import type { PoolClient } from "pg";
import type { BindRole } from "@ewebal/smpp";
import { ADVISORY_LOCK_CLASS } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";

/** Held until the connection ends: while it is, the host lives. */
export async function takeHostLock(session: PoolClient, lockKey: number): Promise<void> {
  await session.query("select pg_advisory_lock($1, $2)", [ADVISORY_LOCK_CLASS.smppHost, lockKey]);
}

/** @returns false when the host was struck off meanwhile, and stands there anew without its binds. */
export async function upsertHost(db: Queryable, host: { hostId: string; lockKey: number }): Promise<boolean> {
  const { rows } = await db.query<{ isNew: boolean }>(
    `insert into smpp_host (host_id, lock_key) values ($1, $2)
     on conflict (host_id) do update set seen_at = now() returning xmax = 0 as "isNew"`,
    [host.hostId, host.lockKey],
  );
  return rows[0]?.isNew !== true;
}

/**
 * Locks the hosts that are gone: nobody holds their lock, or they were not seen for long. A host that only lost the connection of its lock is struck
 * off as well, and comes back with its next beat.
 *
 * @param seenBefore milliseconds: younger rows are left alone.
 */
export async function lockGoneHosts(
  tx: Queryable,
  ownHostId: string,
  { seenBefore, goneAfter }: { seenBefore: number; goneAfter: number },
): Promise<string[]> {
  const { rows } = await tx.query<{ hostId: string }>(
    `select host_id as "hostId" from smpp_host
     where host_id <> $1 and (seen_at < now() - make_interval(secs => $4::double precision / 1000)
       or (seen_at < now() - make_interval(secs => $3::double precision / 1000) and pg_try_advisory_xact_lock($2, lock_key)))
     for update skip locked`,
    [ownHostId, ADVISORY_LOCK_CLASS.smppHost, seenBefore, goneAfter],
  );
  return rows.map(({ hostId }) => hostId);
}

/** Strikes hosts off: their binds are free, and their deliveries go to others. */
export async function deleteHosts(tx: Queryable, hostIds: readonly string[]): Promise<void> {
  await tx.query("delete from smpp_bind where host_id = any ($1::uuid[])", [hostIds]);
  await tx.query("update smpp_delivery set lease_host = null, due_at = now() where lease_host = any ($1::uuid[])", [
    hostIds,
  ]);
  await tx.query("delete from smpp_host where host_id = any ($1::uuid[])", [hostIds]);
}

/** Until the transaction ends, no other bind of the key is counted or added. */
export async function lockKeyBinds(tx: Queryable, keyId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1, hashtext($2))", [ADVISORY_LOCK_CLASS.smppKey, keyId]);
}

export async function countBinds(tx: Queryable, key: { userId: string; keyId: string }): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from smpp_bind where user_id = $1 and key_id = $2",
    [key.userId, key.keyId],
  );
  return rows[0]?.count ?? 0;
}

export type StoredBind = {
  userId: string;
  bindId: string;
  keyId: string;
  hostId: string;
  role: BindRole;
  remoteAddress: string;
};

export async function insertBind(tx: Queryable, bind: StoredBind): Promise<void> {
  await tx.query(
    `insert into smpp_bind (user_id, bind_id, key_id, host_id, role, remote_address) values ($1, $2, $3, $4, $5, $6)
     on conflict (user_id, bind_id) do nothing`,
    [bind.userId, bind.bindId, bind.keyId, bind.hostId, bind.role, bind.remoteAddress],
  );
}

/** Deletes all of a host's binds but these. */
export async function deleteOtherBinds(db: Queryable, hostId: string, kept: readonly string[]): Promise<void> {
  await db.query("delete from smpp_bind where host_id = $1 and bind_id <> all ($2::uuid[])", [hostId, kept]);
}

export async function deleteBind(db: Queryable, bind: { userId: string; bindId: string }): Promise<void> {
  await db.query("delete from smpp_bind where user_id = $1 and bind_id = $2", [bind.userId, bind.bindId]);
}
