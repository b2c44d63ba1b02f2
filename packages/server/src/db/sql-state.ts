/** The SQLSTATE codes this program acts on, by name. Everything else is an unexpected error. */
export const SQL_STATE = {
  uniqueViolation: "23505",
  foreignKeyViolation: "23503",
  notNullViolation: "23502",
  checkViolation: "23514",
  exclusionViolation: "23P01",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  lockNotAvailable: "55P03",
  queryCanceled: "57014",
  adminShutdown: "57P01",
  crashShutdown: "57P02",
  cannotConnectNow: "57P03",
  databaseDropped: "57P04",
  idleInTransactionTimeout: "25P03",
  readOnlyTransaction: "25006",
  transactionAborted: "25P02",
  tooManyConnections: "53300",
  diskFull: "53100",
  undefinedTable: "42P01",
  objectInUse: "55006",
  // Raised by functions of ours (migration 0051).
  flushRefused: "P0E01",
  flushRecorded: "P0E02",
} as const;

export type SqlState = (typeof SQL_STATE)[keyof typeof SQL_STATE];

/** What a socket to a dead or unreachable server reports, as Node names it. */
const LOST_SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Endings of a session that say nothing about the statement: the server went away or was told to end us. */
const LOST_SESSION_STATES = new Set<string>([
  SQL_STATE.adminShutdown,
  SQL_STATE.crashShutdown,
  SQL_STATE.cannotConnectNow,
  SQL_STATE.idleInTransactionTimeout,
  // We were led to a standby: every statement of this session would be refused, and another session may find the primary.
  SQL_STATE.readOnlyTransaction,
]);

/** The driver reports these without a code; they are matched by its own wording, which a test pins. */
const LOST_CONNECTION_TEXTS = [
  "Connection terminated",
  "Client has encountered a connection error",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
];

/** Classes begin with a digit or with F0, HV, P0, XX; `EPIPE` and `EPERM` of Node have five letters too. */
const SQL_STATE_FORM = /^[0-9FHPX][0-9A-Z]{4}$/;

/** What PostgreSQL calls internal, and what it calls a fault of input or output: so a cluster's coordinator also tells of another server. */
const INTERNAL_STATE = "XX000";
const IO_STATE = "58030";
/** What that other server has said or that it has gone, told by the English words: the coordinator passes nothing else on. */
const STATES_BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/violates unique constraint/, SQL_STATE.uniqueViolation],
  [/violates foreign key constraint/, SQL_STATE.foreignKeyViolation],
  [/violates check constraint/, SQL_STATE.checkViolation],
  [/violates not-null constraint/, SQL_STATE.notNullViolation],
  [/^deadlock detected/, SQL_STATE.deadlockDetected],
  [/due to lock timeout/, SQL_STATE.lockNotAvailable],
  [/^could not extend file|No space left on device/, SQL_STATE.diskFull],
  [/the database system is /, SQL_STATE.cannotConnectNow],
  [/too many clients already|^remaining connection slots/, SQL_STATE.tooManyConnections],
  [
    /^terminating connection due to|server closed the connection|^connection not open|^no connection to the server|SSL SYSCALL error/,
    SQL_STATE.adminShutdown,
  ],
  [/^could not (?:send data to|receive data from) server/, SQL_STATE.adminShutdown],
  // The server itself is told to end: its supervisor was killed.
  [/^postmaster was shut down/, SQL_STATE.adminShutdown],
  // Of a transaction that was under way at a server that is gone: at a statement, and at the first half of COMMIT, which then has no second one.
  [/^failure on connection marked as essential|^failed to prepare transaction/, SQL_STATE.adminShutdown],
  [/^failed to (?:COPY to shard|complete COPY on)|^failed to read result "/, SQL_STATE.adminShutdown],
  [
    /^cannot connect to \S+ to fetch intermediate results|^could not connect to any active placements|^could not establish /,
    SQL_STATE.adminShutdown,
  ],
  [
    /^execution cannot recover from multiple connection failures|^could not find an available connection/,
    SQL_STATE.adminShutdown,
  ],
];

/** @returns the SQLSTATE of an error that came from PostgreSQL, else undefined. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if ((code === INTERNAL_STATE || code === IO_STATE) && error instanceof Error)
    return STATES_BY_WORDS.find(([words]) => words.test(error.message))?.[1] ?? code;
  return code !== undefined && SQL_STATE_FORM.test(code) ? code : undefined;
}

/** Of the states that say that a row breaks a rule. */
const INTEGRITY_CLASS = "23";
/** What a server of a cluster puts behind the names of constraints: the number of the shard that refused. */
const SHARD_NUMBER = /_\d{6,}$/;

/** A server of a cluster passes on what another one said in words, and not the fields. */
const CONSTRAINT_IN_WORDS = /constraint "([^"]+)"/;

/** @returns the name of the constraint that refused the statement, as the schema has it, else undefined. */
export function constraintOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || sqlStateOf(error)?.startsWith(INTEGRITY_CLASS) !== true) return undefined;
  const field = "constraint" in error ? error.constraint : undefined;
  const name = typeof field === "string" ? field : CONSTRAINT_IN_WORDS.exec(error.message)?.[1];
  return name?.replace(SHARD_NUMBER, "");
}

/** @param constraint when given, only a violation of this one counts: another unique index is another bug. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, SQL_STATE.uniqueViolation, constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, SQL_STATE.foreignKeyViolation, constraint);
}

export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, SQL_STATE.checkViolation, constraint);
}

/** True when PostgreSQL rolled a transaction back for the sake of another: the same work may succeed if it is done again. */
export function isTransactionConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === SQL_STATE.serializationFailure || state === SQL_STATE.deadlockDetected;
}

/**
 * True when a server found a fault in itself or in its machine, and says nothing about the statement: it may be right the next time. A
 * cluster's coordinator says so as well of what it cannot tell of another server.
 */
export function isInternal(error: unknown): boolean {
  return /^(?:XX|58)/.test(sqlStateOf(error) ?? "");
}

/**
 * True when the server could not be reached or the session ended under us. What the running statement did is then
 * unknown, unless it ran in a transaction whose COMMIT had not been sent.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlStateOf(error) ?? codeOf(error);
  if (code !== undefined) return LOST_SOCKET_CODES.has(code) || LOST_SESSION_STATES.has(code) || code.startsWith("08");
  // Node gathers the failures of several addresses of one host name.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost);
  return LOST_CONNECTION_TEXTS.some((text) => error.message.includes(text));
}

function isViolation(error: unknown, state: SqlState, constraint: string | undefined): boolean {
  if (sqlStateOf(error) !== state) return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
