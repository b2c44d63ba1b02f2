import { Client, Pool, types } from "pg";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import { inheritDistribution } from "./distribution.ts";
import { connectionSettings } from "./primary.ts";

/** Anything that runs a statement: a pool (each statement alone) or an open transaction. */
export type Queryable = {
  query<Row extends QueryResultRow = Record<string, unknown>>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
};

/** The database as the program holds it: a pool that can run single statements and open transactions. */
export type Db = Pool;

export type PoolSettings = {
  /** Of one host, or of several of which one takes writes. */
  url: string;
  /** Shown in `pg_stat_activity`, so that an operator can tell web from worker. */
  applicationName?: string;
  connectionsMax?: number;
  /** The server cancels a statement that runs longer; 0 means no limit. */
  statementTimeoutMs?: number;
  /** The server refuses a statement that waits longer for one lock; 0 means no limit. */
  lockTimeoutMs?: number;
  /** The server ends a session that holds a transaction open without working; 0 means no limit. */
  idleInTransactionTimeoutMs?: number;
  /** How long a caller waits for a free or a new connection. */
  connectTimeoutMs?: number;
  /** Called when an idle connection breaks, for the log. The pool replaces it. */
  onConnectionLost?: (error: Error) => void;
};

/** Two cores serve about this many busy sessions; more only wait for each other. */
export const POOL_CONNECTIONS_MAX = 10;
/** After this time a page has given up. Bulk work sets its own limit. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** Shorter than the statement timeout, so that waiting for a lock is reported as such. */
export const LOCK_TIMEOUT_MS = 20_000;
/**
 * A transaction that does nothing for this long belongs to a host that stands still or was cut off; its locks stop everyone else. Between two
 * statements of ours lie milliseconds.
 */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
/** Longer than a restart of the embedded server takes, shorter than a browser's patience. */
export const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A new connection costs a process, a password proof and cold caches: 30 ms before its first answer, on every first
 * click after a quiet moment. The driver's 10 s would close them all between two clicks of a customer.
 */
const IDLE_CONNECTION_KEPT_MS = 10 * 60_000;
/** The client's limit exceeds the server's by this much: it only applies when the server is silent. */
const SILENT_SERVER_GRACE_MS = 5_000;

/**
 * Opens a pool. Nothing connects before the first statement. The owner calls `end()` once.
 *
 * Values arrive as: int8 (and arrays of it) as a number, numeric as text, date as `YYYY-MM-DD`, timestamptz as Date.
 */
export function createPool(settings: PoolSettings): Db {
  const statementTimeoutMs = settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const pool = new Pool({
    ...connectionSettings(settings.url),
    application_name: settings.applicationName ?? "ewebal",
    max: settings.connectionsMax ?? POOL_CONNECTIONS_MAX,
    statement_timeout: statementTimeoutMs,
    lock_timeout: settings.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
    connectionTimeoutMillis: settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    // Without this a server that vanished (power, network) would hold the caller for as long as TCP likes.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENT_SERVER_GRACE_MS }),
    idleTimeoutMillis: IDLE_CONNECTION_KEPT_MS,
    keepAlive: true,
    types: { getTypeParser },
  });
  // An idle connection that breaks is an event without a caller; unheard, it would end the process.
  pool.on("error", (error) => settings.onConnectionLost?.(error));
  // So would the end of a session that comes together with its beginning: the pool has stopped listening for the
  // caller's
  // sake, who is told of the new connection one turn later. Its first statement then says that the connection is lost.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Opens a separate session without time limits. The pool cancels statements after 30 s, and the driver's timeout for a COPY
 * ends it, or keeps the process alive after it has finished.
 */
export async function openLongSession(db: Db, applicationName = "ewebal back-up"): Promise<Client> {
  const client = new Client({
    ...db.options,
    application_name: applicationName,
    query_timeout: 0,
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  // Without a listener, a session that breaks between two statements ends the process. The next statement reports the break.
  client.on("error", () => undefined);
  await client.connect();
  // The driver does not send zeros, and an operator may have set limits for the role.
  await client.query("set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0");
  inheritDistribution(client, db);
  return client;
}

/** Type numbers are fixed for all time in PostgreSQL's catalog; the driver's own list lacks arrays. */
const OID = { int8: 20, int8Array: 1016, date: 1082, dateArray: 1182, textArray: 1009 } as const;

type ParserOf = (oid: number, format: "text" | "binary") => (text: string) => unknown;
const driverParserOf: ParserOf = types.getTypeParser;
const parseTextArray = driverParserOf(OID.textArray, "text") as (text: string) => (string | null)[];

/**
 * Reads a bigint column as a number.
 *
 * @throws RangeError beyond 2^53 - 1: rounding an amount or an id would be silent and wrong.
 */
export function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number exactly`);
  return value;
}

/** Numbers need no quotes, and these arrays have one dimension: the driver's reader of any array takes five times as long. */
function parseInt8Array(text: string): (number | null)[] {
  if (text === "{}") return [];
  return text
    .slice(1, -1)
    .split(",")
    .map((item) => (item === "NULL" ? null : parseInt8(item)));
}

/** The driver would make a Date at local midnight of it, which is another day elsewhere. */
function keepText(text: string): string {
  return text;
}

/** Per pool, not `pg.types.setTypeParser`: a process-wide table would be changed under other users of the driver. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  if (format !== "binary") {
    if (oid === OID.int8) return parseInt8;
    if (oid === OID.int8Array) return parseInt8Array;
    if (oid === OID.date) return keepText;
    if (oid === OID.dateArray) return parseTextArray;
  }
  return driverParserOf(oid, format ?? "text");
}
