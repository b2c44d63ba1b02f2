/**
 * A supervisor's own session in the server: it proves that the server is ours, breaks when the server goes, and holds a
 * shared lock by which supervisors of one data directory know of each other.
 */
import { Client } from "pg";
import { ADVISORY_LOCK } from "../advisory.ts";
import { SQL_STATE, isConnectionLost, sqlStateOf } from "../sql-state.ts";
import { SUPERUSER } from "./create-cluster.ts";
import { parsePidFile } from "./postmaster.ts";
import type { PidFile } from "./postmaster.ts";

export type GuardAttempt =
  | { kind: "ours"; guard: Client }
  /** A server that starts, recovers or stops; waiting helps. */
  | { kind: "busy" }
  /** Nobody answers: a server in its first or last moment, or none at all. */
  | { kind: "silent" }
  /** Whoever answers there is not the server of this folder. */
  | { kind: "foreign" };

const CONNECT_TIMEOUT_MS = 5_000;

/** The program's own role: it owns its database and can do nothing to the server or to its machine. */
export const APP_ROLE = "ewebal";
export const APP_DATABASE = "ewebal";

const ALREADY_MADE = new Set<string>([
  SQL_STATE.duplicateObject,
  SQL_STATE.duplicateDatabase,
  SQL_STATE.uniqueViolation,
]);
/** It answers, but takes nobody in for the moment. */
const BUSY_STATES = new Set<string>([
  SQL_STATE.cannotConnectNow,
  SQL_STATE.adminShutdown,
  SQL_STATE.crashShutdown,
  SQL_STATE.tooManyConnections,
]);

export async function openGuard(clusterFolder: string, password: string, pidFile: PidFile): Promise<GuardAttempt> {
  if (pidFile.port === undefined) return { kind: "silent" };
  const guard = new Client({
    host: "127.0.0.1",
    port: pidFile.port,
    user: SUPERUSER,
    password,
    database: "postgres",
    application_name: "ewebal supervisor",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Heard here so that a break never ends the process; whoever keeps the guard listens to its "end".
  guard.on("error", () => undefined);
  try {
    await guard.connect();
    if (!(await isServerOf(guard, clusterFolder, pidFile))) return await giveUp(guard, { kind: "foreign" });
    // Refused only while another supervisor is stopping the server.
    const { rows } = await guard.query<{ locked: boolean }>("select pg_try_advisory_lock_shared($1) as locked", [
      ADVISORY_LOCK.embeddedOwner,
    ]);
    return rows[0]?.locked === true ? { kind: "ours", guard } : await giveUp(guard, { kind: "busy" });
  } catch (error) {
    return await giveUp(guard, { kind: kindOf(error) });
  }
}

/** @returns true when no other supervisor holds the server: the caller then stops it, and new ones wait. */
export async function isLastGuard(guard: Client): Promise<boolean> {
  const { rows } = await guard.query<{ last: boolean }>(
    "select pg_advisory_unlock_shared($1) and pg_try_advisory_lock($1) as last",
    [ADVISORY_LOCK.embeddedOwner],
  );
  return rows[0]?.last === true;
}

/**
 * Makes the program's role and database unless they exist. Asked at each start, because the first one may have been
 * killed in between.
 *
 * @param password of base64url letters only.
 */
export async function ensureAppDatabase(guard: Client, password: string): Promise<void> {
  await makeUnlessExists(
    guard,
    "select from pg_roles where rolname = $1",
    APP_ROLE,
    `create role ${APP_ROLE} login password '${password}'`,
  );
  await makeUnlessExists(
    guard,
    "select from pg_database where datname = $1",
    APP_DATABASE,
    `create database ${APP_DATABASE} owner ${APP_ROLE}`,
  );
}

async function makeUnlessExists(guard: Client, question: string, name: string, statement: string): Promise<void> {
  if ((await guard.query(question, [name])).rowCount !== 0) return;
  try {
    await guard.query(statement);
  } catch (error) {
    // Another program on the same data directory was faster.
    if (!ALREADY_MADE.has(sqlStateOf(error) ?? "")) throw error;
  }
}

/**
 * The server says where it lives and what its own lock file holds. The folder alone may be named alike in another
 * container, and the lock file alone may have been copied with the rest of the folder.
 */
async function isServerOf(guard: Client, clusterFolder: string, pidFile: PidFile): Promise<boolean> {
  const { rows } = await guard.query<{ folder: string; text: string }>(
    "select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as text",
  );
  return rows[0]?.folder === clusterFolder && parsePidFile(rows[0].text)?.run === pidFile.run;
}

function kindOf(error: unknown): "busy" | "silent" | "foreign" {
  if (BUSY_STATES.has(sqlStateOf(error) ?? "")) return "busy";
  return isConnectionLost(error) ? "silent" : "foreign";
}

async function giveUp(guard: Client, attempt: GuardAttempt): Promise<GuardAttempt> {
  await guard.end();
  return attempt;
}
