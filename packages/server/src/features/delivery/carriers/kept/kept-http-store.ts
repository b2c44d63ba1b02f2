/** All SQL about the carriers over HTTP that administrators keep. */
import type { HttpLinkFields, HttpRouteFields } from "@ewebal/contract";
import type { Queryable } from "../../../../db/pool.ts";

/** What pages and the audit may show. */
export type HttpFacts = HttpRouteFields & {
  preset: NonNullable<HttpLinkFields["preset"]> | null;
  /** Without what stands behind a `?`. */
  address: string;
  method: string;
  headerNames: string[];
  secretNames: string[];
  takesReports: boolean;
};

export type KeptHttpCarrier = {
  keptCarrierId: string;
  name: string;
  facts: HttpFacts;
  sealedLink: Buffer;
  reportSecretHash: Buffer | null;
  isEnabled: boolean;
};

const COLUMNS = `kept_carrier_id as "keptCarrierId", name, facts, sealed_link as "sealedLink", report_secret_hash as "reportSecretHash",
  is_enabled as "isEnabled"`;

export async function selectKeptHttpCarriers(db: Queryable): Promise<KeptHttpCarrier[]> {
  const { rows } = await db.query<KeptHttpCarrier>(`select ${COLUMNS} from kept_http_carrier order by name`);
  return rows;
}

/** Locks the carrier until the transaction ends. */
export async function lockKeptHttpCarrier(db: Queryable, keptCarrierId: string): Promise<KeptHttpCarrier | undefined> {
  const { rows } = await db.query<KeptHttpCarrier>(
    `select ${COLUMNS} from kept_http_carrier where kept_carrier_id = $1 for update`,
    [keptCarrierId],
  );
  return rows[0];
}

export async function findKeptHttpByReport(db: Queryable, secretHash: Buffer): Promise<KeptHttpCarrier | undefined> {
  const { rows } = await db.query<KeptHttpCarrier>({
    name: "kept-http-by-report",
    text: `select ${COLUMNS} from kept_http_carrier where report_secret_hash = $1`,
    values: [secretHash],
  });
  return rows[0];
}

/** @throws DatabaseError on `kept_http_carrier_name_key` or `kept_http_carrier_report_secret_key` when name or secret is taken. */
export async function insertKeptHttpCarrier(db: Queryable, carrier: KeptHttpCarrier, now: Date): Promise<void> {
  await db.query(
    `insert into kept_http_carrier (kept_carrier_id, name, facts, sealed_link, report_secret_hash, is_enabled, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [...columnsOf(carrier), now],
  );
}

/** The name stays. @throws DatabaseError as for a new one. */
export async function updateKeptHttpCarrier(db: Queryable, carrier: KeptHttpCarrier, now: Date): Promise<void> {
  await db.query(
    `update kept_http_carrier set facts = $3, sealed_link = $4, report_secret_hash = $5, is_enabled = $6, updated_at = $7
     where kept_carrier_id = $1 and name = $2`,
    [...columnsOf(carrier), now],
  );
}

export async function deleteKeptHttpCarrier(db: Queryable, keptCarrierId: string): Promise<void> {
  await db.query("delete from kept_http_carrier where kept_carrier_id = $1", [keptCarrierId]);
}

function columnsOf(carrier: KeptHttpCarrier): unknown[] {
  const { keptCarrierId, name, facts, sealedLink, reportSecretHash, isEnabled } = carrier;
  return [keptCarrierId, name, JSON.stringify(facts), sealedLink, reportSecretHash, isEnabled];
}
