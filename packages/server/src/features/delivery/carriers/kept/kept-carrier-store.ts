/** All SQL about the carriers that administrators keep. */
import type { CarrierFields } from "@ewebal/contract";
import type { Queryable } from "../../../../db/pool.ts";

export type KeptCarrier = Omit<CarrierFields, "password" | "kind"> & {
  keptCarrierId: string;
  name: string;
  sealedPassword: Buffer;
  isEnabled: boolean;
};

const COLUMNS = `kept_carrier_id as "keptCarrierId", name, host, port, system_id as "systemId", sealed_password as "sealedPassword",
  system_type as "systemType", has_tls as tls, bind_count as binds, window_size as "window", messages_per_second as "messagesPerSecond",
  prefixes, weight, priority, receipt_ids as "receiptIds", long_messages as "longMessages", dnd_error_codes as "dndErrorCodes", classes, reaches_dnd as "reachesDnd", is_enabled as "isEnabled"`;

export async function selectKeptCarriers(db: Queryable): Promise<KeptCarrier[]> {
  const { rows } = await db.query<KeptCarrier>(`select ${COLUMNS} from kept_carrier order by name`);
  return rows;
}

/** Locks the carrier until the transaction ends. */
export async function lockKeptCarrier(db: Queryable, keptCarrierId: string): Promise<KeptCarrier | undefined> {
  const { rows } = await db.query<KeptCarrier>(
    `select ${COLUMNS} from kept_carrier where kept_carrier_id = $1 for update`,
    [keptCarrierId],
  );
  return rows[0];
}

export async function hasKeptCarriers(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    "select exists (select from kept_carrier) or exists (select from kept_http_carrier) as has",
  );
  return rows[0]?.has === true;
}

/** `hasKeptCarriers` for a database that may not be migrated yet and lack one of the tables, or both. */
export async function hasKeptCarriersYet(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ smpp: boolean; http: boolean }>(
    "select to_regclass('kept_carrier') is not null as smpp, to_regclass('kept_http_carrier') is not null as http",
  );
  if (rows[0]?.http === true) return await hasKeptCarriers(db);
  if (rows[0]?.smpp !== true) return false;
  const found = await db.query<{ has: boolean }>("select exists (select from kept_carrier) as has");
  return found.rows[0]?.has === true;
}

/** Serializes administrators who add carriers, so that each counts all carriers and sees their names. */
export async function countKeptCarriers(tx: Queryable): Promise<number> {
  await tx.query("lock table kept_carrier in share row exclusive mode");
  const { rows } = await tx.query<{ count: number }>(
    "select ((select count(*) from kept_carrier) + (select count(*) from kept_http_carrier))::integer as count",
  );
  return rows[0]?.count ?? 0;
}

/** Whether a carrier of either kind has this name. */
export async function isNameKept(tx: Queryable, name: string): Promise<boolean> {
  const { rows } = await tx.query<{ has: boolean }>(
    `select exists (select from kept_carrier where name = $1) or exists (select from kept_http_carrier where name = $1) as has`,
    [name],
  );
  return rows[0]?.has === true;
}

/** @throws DatabaseError on `kept_carrier_name_key` when the name is taken. */
export async function insertKeptCarrier(db: Queryable, carrier: KeptCarrier, now: Date): Promise<void> {
  await db.query(
    `insert into kept_carrier (kept_carrier_id, name, host, port, system_id, sealed_password, system_type, has_tls, bind_count, window_size,
       messages_per_second, prefixes, weight, priority, receipt_ids, long_messages, dnd_error_codes, classes, reaches_dnd, is_enabled, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21)`,
    [carrier.keptCarrierId, carrier.name, ...factsOf(carrier), carrier.isEnabled, now],
  );
}

export async function updateKeptCarrier(db: Queryable, carrier: KeptCarrier, now: Date): Promise<void> {
  await db.query(
    `update kept_carrier set host = $2, port = $3, system_id = $4, sealed_password = $5, system_type = $6, has_tls = $7, bind_count = $8,
       window_size = $9, messages_per_second = $10, prefixes = $11, weight = $12, priority = $13, receipt_ids = $14, long_messages = $15,
       dnd_error_codes = $16, classes = $17, reaches_dnd = $18, is_enabled = $19, updated_at = $20
     where kept_carrier_id = $1`,
    [carrier.keptCarrierId, ...factsOf(carrier), carrier.isEnabled, now],
  );
}

export async function deleteKeptCarrier(db: Queryable, keptCarrierId: string): Promise<void> {
  await db.query("delete from kept_carrier where kept_carrier_id = $1", [keptCarrierId]);
}

function factsOf(carrier: KeptCarrier): unknown[] {
  return [
    carrier.host,
    carrier.port,
    carrier.systemId,
    carrier.sealedPassword,
    carrier.systemType,
    carrier.tls,
    carrier.binds,
    carrier.window,
    carrier.messagesPerSecond,
    carrier.prefixes,
    carrier.weight,
    carrier.priority,
    carrier.receiptIds,
    carrier.longMessages,
    carrier.dndErrorCodes,
    carrier.classes,
    carrier.reachesDnd,
  ];
}
