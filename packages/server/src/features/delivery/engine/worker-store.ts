/** All SQL about workers: which are alive, which binds they hold, and what a dead one leaves. */
import { ADVISORY_LOCK_CLASS } from "../../../db/advisory.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Tx } from "../../../db/transaction.ts";
import { deliveryTimesMs } from "../delivery-limits.ts";
import { batchStates } from "../states.ts";

export async function insertWorker(db: Queryable, worker: { workerId: string; lockKey: number }): Promise<void> {
  await db.query(
    `insert into delivery_worker (worker_id, lock_key, heartbeat_at, lease_until)
     values ($1, $2, now(), now() + make_interval(secs => $3::double precision / 1000))`,
    [worker.workerId, worker.lockKey, deliveryTimesMs.lease],
  );
}

/** @returns false when another worker has declared this one dead. */
export async function renewLease(db: Queryable, workerId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update delivery_worker set heartbeat_at = now(), lease_until = now() + make_interval(secs => $2::double precision / 1000)
     where worker_id = $1`,
    [workerId, deliveryTimesMs.lease],
  );
  return rowCount === 1;
}

export async function takeSessionLock(session: Queryable, lockKey: number): Promise<void> {
  await session.query("select pg_advisory_lock($1, $2)", [ADVISORY_LOCK_CLASS.deliveryWorker, lockKey]);
}

/** @returns false when `lockDeadWorkers` would find nobody; asked before a transaction is opened for it. */
export async function mayHaveDeadWorkers(db: Queryable, ownWorkerId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: "dead-workers",
    text: `select 1 from delivery_worker
      where worker_id <> $1 and (lease_until < now() or heartbeat_at < now() - make_interval(secs => $2::double precision / 1000)) limit 1`,
    values: [ownWorkerId, deliveryTimesMs.leaseWithoutSession],
  });
  return rows.length > 0;
}

/**
 * Finds workers whose lease has ended, or whose session is gone and heartbeat is old, and locks their rows.
 *
 * @param tx the advisory locks that prove a session gone are kept until it ends.
 */
export async function lockDeadWorkers(tx: Tx, ownWorkerId: string): Promise<string[]> {
  const { rows } = await tx.query<{ workerId: string }>(
    `select worker_id as "workerId" from delivery_worker
     where worker_id <> $1 and (lease_until < now()
       or (heartbeat_at < now() - make_interval(secs => $3::double precision / 1000) and pg_try_advisory_xact_lock($2, lock_key)))
     for update skip locked`,
    [ownWorkerId, ADVISORY_LOCK_CLASS.deliveryWorker, deliveryTimesMs.leaseWithoutSession],
  );
  return rows.map((row) => row.workerId);
}

/**
 * Puts the workers' batches back into the queue and strikes the workers off; their binds become free. So it does with batches of workers
 * that were struck off before: one that was taken for dead and is alive may lease others until it learns of it.
 *
 * @returns how many batches were put back.
 */
export async function releaseWorkers(tx: Tx, workerIds: string[]): Promise<number> {
  // Who leases was registered before: an owner that is found here, and no worker afterwards, was struck off.
  const { rows: owners } = await tx.query<{ workerId: string }>(
    `select distinct lease_owner as "workerId" from message_batch where state = ${batchStates.leased}`,
  );
  if (owners.length === 0 && workerIds.length === 0) return 0;
  const { rows: struckOff } = await tx.query<{ workerId: string }>(
    `select worker_id as "workerId" from unnest($1::uuid[]) as owner (worker_id)
     where not exists (select 1 from delivery_worker where delivery_worker.worker_id = owner.worker_id)`,
    [owners.map(({ workerId }) => workerId)],
  );
  const gone = [...workerIds, ...struckOff.map(({ workerId }) => workerId)];
  if (gone.length === 0) return 0;
  const { rowCount } = await tx.query(
    `update message_batch set state = ${batchStates.ready}, lease_owner = null, is_dirty = is_dirty or intent_count > 0
     where state = ${batchStates.leased} and lease_owner = any ($1::uuid[])`,
    [gone],
  );
  await tx.query("delete from delivery_worker where worker_id = any ($1::uuid[])", [workerIds]);
  return rowCount ?? 0;
}

export async function countWorkers(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::integer as count from delivery_worker where lease_until > now()",
  );
  return rows[0]?.count ?? 1;
}

/** @returns the binds that were free and are ours now, at most `wantedCount`. */
export async function takeBinds(
  db: Queryable,
  bind: { workerId: string; carrierId: number; bindCount: number; wantedCount: number },
): Promise<number[]> {
  const { rows } = await db.query<{ bindIndex: number }>(
    `insert into carrier_bind (carrier_id, bind_index, worker_id)
     select $1, wanted.bind_index, $2 from generate_series(0, $3::integer - 1) as wanted (bind_index)
     where not exists (select from carrier_bind taken where taken.carrier_id = $1 and taken.bind_index = wanted.bind_index)
     order by wanted.bind_index limit $4
     on conflict do nothing returning bind_index as "bindIndex"`,
    [bind.carrierId, bind.workerId, bind.bindCount, bind.wantedCount],
  );
  return rows.map((row) => row.bindIndex);
}

/** All binds that a worker has, as the database sees it. */
export async function selectBinds(
  db: Queryable,
  workerId: string,
): Promise<{ carrierId: number; bindIndex: number }[]> {
  const { rows } = await db.query<{ carrierId: number; bindIndex: number }>(
    `select carrier_id as "carrierId", bind_index as "bindIndex" from carrier_bind where worker_id = $1`,
    [workerId],
  );
  return rows;
}

export async function giveBackBinds(
  db: Queryable,
  bind: { workerId: string; carrierId: number; bindIndexes: number[] },
): Promise<void> {
  await db.query(
    "delete from carrier_bind where worker_id = $1 and carrier_id = $2 and bind_index = any ($3::smallint[])",
    [bind.workerId, bind.carrierId, bind.bindIndexes],
  );
}

export async function updateLinkStates(
  db: Queryable,
  workerId: string,
  up: { carrierId: number; isUp: boolean }[],
): Promise<void> {
  await db.query(
    `update carrier_bind own set is_up = told.is_up from unnest($2::smallint[], $3::boolean[]) as told (carrier_id, is_up)
     where own.worker_id = $1 and own.carrier_id = told.carrier_id and own.is_up <> told.is_up`,
    [workerId, up.map((entry) => entry.carrierId), up.map((entry) => entry.isUp)],
  );
}

/** Carriers that other living workers stand bound to. */
export async function selectCarriersUpElsewhere(db: Queryable, workerId: string): Promise<number[]> {
  const { rows } = await db.query<{ carrierId: number }>(
    `select distinct carrier_id as "carrierId" from carrier_bind join delivery_worker using (worker_id)
     where worker_id <> $1 and is_up and lease_until > now()`,
    [workerId],
  );
  return rows.map((row) => row.carrierId);
}
