/**
 * The security log: one JSON line for what an investigator asks about first. A line has a fixed word in `security`,
 * whose account, from where and in which request; the lines go where the process's other lines go, and `security` tells
 * them apart. A line has no room for a secret, a text or a phone number: its fields are closed, and a call is named by
 * its pattern.
 */
import type { ErrorCode } from "@ewebal/contract";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import type { Session } from "../session/session.ts";

/** Whose account something is about: the person who is signed in, or whose password was guessed at. */
export type SecurityAccount = { kind: Session["kind"]; id: string };

export type SecurityEvent =
  | "signed-in"
  /** A sign-in, a reset or a program's password that opened nothing. */
  | "sign-in-refused"
  | "new-device"
  | "wrong-password"
  /** A wrong or worn-out code: of a registration, a second factor, a recovery. */
  | "wrong-code"
  | "wrong-link"
  /** A token or key in the header that is none, or is over. */
  | "credentials-refused"
  | "refused-by-role"
  | "refused-by-address"
  | "refused-by-origin"
  | "forged-signature"
  | "throttled"
  /** An administrator read a customer's texts, numbers or receipts; `subject` is what, and the audit has the same. */
  | "private-read"
  | "audit-exported"
  /** What the check of the audit's chain found; `subject` is the chain's last hash. */
  | "audit-whole"
  | "audit-broken";

/** What a line may say, and nothing else. */
export type SecurityFacts = {
  event: SecurityEvent;
  account?: SecurityAccount | undefined;
  /** As the request's `ip`: behind proxies, what they say. */
  address?: string | undefined;
  requestId?: string | undefined;
  /** The call by its pattern, such as `POST /api/:adminId/credit-a-user`; never the address that was asked for. */
  call?: string | undefined;
  code?: ErrorCode | undefined;
  /** The id of what it was done to. */
  subject?: string | undefined;
};

/**
 * Lines of one kind from one source that are written in a minute; the rest is counted, so that a flood cannot fill the
 * disk.
 */
const LINES_PER_MINUTE_MAX = 20;
const MINUTE_MS = 60_000;
/** How many sources are remembered at once. */
const SOURCES_MAX = 10_000;

/**
 * Which refusals are security events, by code. One with a word here needs no call of its own: every refusal passes by.
 */
const eventOfCode: Partial<Record<ErrorCode, SecurityEvent>> = {
  PASSWORD_WRONG: "sign-in-refused",
  EMAIL_UNKNOWN: "sign-in-refused",
  NOT_VERIFIED: "sign-in-refused",
  BLOCKED: "sign-in-refused",
  PASSKEY_WRONG: "sign-in-refused",
  OTP_WRONG: "wrong-code",
  OTP_INVALID: "wrong-code",
  CODE_WRONG: "wrong-code",
  TWO_FACTOR_REQUIRED: "refused-by-role",
  LINK_INVALID: "wrong-link",
  FORBIDDEN: "refused-by-role",
  HOST_NOT_ALLOWED: "refused-by-role",
  APPROVAL_REQUIRED: "sign-in-refused",
  ADDRESS_NOT_APPROVED: "refused-by-address",
  ORIGIN_REFUSED: "refused-by-origin",
  SIGNATURE_WRONG: "forged-signature",
  RATE_LIMITED: "throttled",
};

let sources = new Map<string, { facts: SecurityFacts; lineCount: number }>();
let minuteEndsAtMs = 0;

/**
 * Writes one line, at any `LOG_LEVEL`.
 *
 * @param log the process's or the request's; lines of a request take their facts from `securityFactsOf`.
 */
export function logSecurityEvent(log: FastifyBaseLogger, facts: SecurityFacts): void {
  if (log.level === "silent") return;
  const nowMs = Date.now();
  if (nowMs >= minuteEndsAtMs) beginMinute(log, nowMs);
  const key = [facts.event, facts.account?.id, facts.address, facts.call, facts.subject].join(" ");
  const source = sources.get(key) ?? { facts, lineCount: 0 };
  source.lineCount += 1;
  if (sources.size < SOURCES_MAX) sources.set(key, source);
  if (source.lineCount <= LINES_PER_MINUTE_MAX) write(log, facts);
}

/** Who asks for what, from where. */
export function securityFactsOf(request: FastifyRequest): Omit<SecurityFacts, "event"> {
  const { session } = request;
  return {
    account: session === null ? undefined : { kind: session.kind, id: session.actorId },
    address: request.ip,
    requestId: request.id,
    call: `${request.method} ${request.routeOptions.url ?? "unknown"}`,
  };
}

/**
 * Writes the line of a refusal, if it is a security event. The error translator calls this for every refusal.
 *
 * @param account whose account it is about when nobody is signed in.
 */
export function logRefusal(request: FastifyRequest, code: ErrorCode, account: SecurityAccount | undefined): void {
  const event = eventOfRefusal(request, code, account);
  if (event === undefined) return;
  const facts = securityFactsOf(request);
  logSecurityEvent(request.log, { event, ...facts, account: account ?? facts.account, code });
}

function eventOfRefusal(
  request: FastifyRequest,
  code: ErrorCode,
  account: SecurityAccount | undefined,
): SecurityEvent | undefined {
  // A visitor without any token is no event: pages ask who is signed in.
  if (code === "AUTH_REQUIRED")
    return account !== undefined || hasCredentials(request) ? "credentials-refused" : undefined;
  if (code === "PASSWORD_WRONG" && request.session !== null) return "wrong-password";
  return eventOfCode[code];
}

/** In the header, or in the path of the call for programs. */
function hasCredentials(request: FastifyRequest): boolean {
  return (
    request.headers.authorization !== undefined ||
    request.headers["x-api-key"] !== undefined ||
    "password" in (request.params as object)
  );
}

/**
 * Begins a minute without a word of the one before, whose lines went to another log: several applications of one
 * process.
 */
export function startSecurityMinute(): void {
  sources = new Map();
  minuteEndsAtMs = 0;
}

function beginMinute(log: FastifyBaseLogger, nowMs: number): void {
  minuteEndsAtMs = nowMs + MINUTE_MS;
  const before = sources;
  sources = new Map();
  for (const { facts, lineCount } of before.values()) {
    if (lineCount > LINES_PER_MINUTE_MAX) write(log, facts, lineCount - LINES_PER_MINUTE_MAX);
  }
}

function write(log: FastifyBaseLogger, facts: SecurityFacts, leftOutCount?: number): void {
  const { event, account, ...rest } = facts;
  const line = { security: event, account: account?.id, kind: account?.kind, ...rest, leftOutCount };
  // A child, because a level that hides warnings must not hide these.
  log.child({}, { level: "info" }).info(line, "security");
}
