/**
 * A supervisor's session in the server. It proves that the server is ours, breaks when the server ends, and holds a shared lock
 * by which the supervisors of one data directory notice each other.
 */
import { Client } from "pg";
import type { ClusterHome } from "./postmaster.ts";
import { SUPERUSER } from "./create-cluster.ts";
import { parsePidFile } from "./postmaster.ts";
import type { PidFile } from "./postmaster.ts";

export type GuardAttempt =
  | { kind: "ours"; guard: Client }
  /** The server starts, recovers or stops: wait and try again. */
  | { kind: "busy" }
  /** Nobody answers: the server is about to listen, has stopped listening, or does not exist. */
  | { kind: "silent" }
  /** Another server answers, not that of this folder. */
  | { kind: "foreign" };

const CONNECT_TIMEOUT_MS = 5_000;

/** An arbitrary number. It must never change, because old and new versions run side by side. */
const OWNER_LOCK = 4_217_002;

// SQLSTATE codes of PostgreSQL.
const UNIQUE_VIOLATION = "23505";
const DUPLICATE_OBJECT = "42710";
const DUPLICATE_DATABASE = "42P04";
const ADMIN_SHUTDOWN = "57P01";
const CRASH_SHUTDOWN = "57P02";
const CANNOT_CONNECT_NOW = "57P03";
const TOO_MANY_CONNECTIONS = "53300";
const CONNECTION_EXCEPTION_CLASS = "08";

const ALREADY_MADE = new Set([DUPLICATE_OBJECT, DUPLICATE_DATABASE, UNIQUE_VIOLATION]);
/** The server answers, but accepts no session now. */
const BUSY_STATES = new Set([CANNOT_CONNECT_NOW, ADMIN_SHUTDOWN, CRASH_SHUTDOWN, TOO_MANY_CONNECTIONS]);
/** What a socket reports when its server has ended. */
const LOST_SOCKET_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"]);
/** The driver reports these without a code. */
const LOST_CONNECTION_TEXTS = ["Connection terminated", "Client has encountered a connection error", "timeout expired"];

export async function openGuard(
  { program, clusterFolder }: ClusterHome,
  password: string,
  pidFile: PidFile,
): Promise<GuardAttempt> {
  if (pidFile.port === undefined) return { kind: "silent" };
  const guard = new Client({
    host: "127.0.0.1",
    port: pidFile.port,
    user: SUPERUSER,
    password,
    database: "postgres",
    application_name: `${program} supervisor`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, a broken session would end the process. The owner of the guard listens to its "end".
  guard.on("error", () => undefined);
  try {
    await guard.connect();
    if (!(await isServerOf(guard, clusterFolder, pidFile))) return await giveUp(guard, { kind: "foreign" });
    // Refused only while another supervisor is stopping the server.
    const { rows } = await guard.query<{ locked: boolean }>("select pg_try_advisory_lock_shared($1) as locked", [
      OWNER_LOCK,
    ]);
    return rows[0]?.locked === true ? { kind: "ours", guard } : await giveUp(guard, { kind: "busy" });
  } catch (error) {
    return await giveUp(guard, { kind: kindOf(error) });
  }
}

/** @returns true when no other supervisor holds the server. Then the caller must stop it, and new supervisors wait. */
export async function isLastGuard(guard: Client): Promise<boolean> {
  const { rows } = await guard.query<{ last: boolean }>(
    "select pg_advisory_unlock_shared($1) and pg_try_advisory_lock($1) as last",
    [OWNER_LOCK],
  );
  return rows[0]?.last === true;
}

/**
 * Makes the program's role and database unless they exist. The role owns its database and can do nothing to the server or to
 * its machine. Every start calls this, because the first start may have been killed in between.
 *
 * @param program the name of both.
 * @param password of base64url letters only.
 */
export async function ensureProgramDatabase(guard: Client, program: string, password: string): Promise<void> {
  await makeUnlessExists(
    guard,
    "select from pg_roles where rolname = $1",
    program,
    `create role ${program} login password '${password}'`,
  );
  await makeUnlessExists(
    guard,
    "select from pg_database where datname = $1",
    program,
    `create database ${program} owner ${program}`,
  );
}

async function makeUnlessExists(guard: Client, question: string, name: string, statement: string): Promise<void> {
  if ((await guard.query(question, [name])).rowCount !== 0) return;
  try {
    await guard.query(statement);
  } catch (error) {
    // Another program with the same data directory was faster.
    if (!ALREADY_MADE.has(codeOf(error) ?? "")) throw error;
  }
}

/**
 * Compares the server's folder and its lock file with ours. The folder alone is not enough: another container may have one of the
 * same name. Nor is the lock file, which may have been copied with the rest of the folder.
 */
async function isServerOf(guard: Client, clusterFolder: string, pidFile: PidFile): Promise<boolean> {
  const { rows } = await guard.query<{ folder: string; text: string }>(
    "select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as text",
  );
  return rows[0]?.folder === clusterFolder && parsePidFile(rows[0].text)?.run === pidFile.run;
}

function kindOf(error: unknown): "busy" | "silent" | "foreign" {
  const code = codeOf(error);
  if (code === undefined) {
    const isLost = error instanceof Error && LOST_CONNECTION_TEXTS.some((text) => error.message.includes(text));
    return isLost ? "silent" : "foreign";
  }
  if (BUSY_STATES.has(code)) return "busy";
  return LOST_SOCKET_CODES.has(code) || code.startsWith(CONNECTION_EXCEPTION_CLASS) ? "silent" : "foreign";
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

async function giveUp(guard: Client, attempt: GuardAttempt): Promise<GuardAttempt> {
  await guard.end();
  return attempt;
}
