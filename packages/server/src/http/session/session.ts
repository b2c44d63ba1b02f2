/**
 * Who is asking. The acting person comes from the session alone; an id in a path is compared with it, never trusted.
 * `features/accounts` owns the session rows and gives this file a reader, because http knows no feature.
 */
import assert from "node:assert/strict";
import type { AdminRole, MemberRole } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";
import { AppError } from "../../base/errors.ts";
import { permissionOf } from "./administrator-calls.ts";
import { leastRoleOf } from "./customer-calls.ts";
import { findSessionToken } from "./session-cookie.ts";

export type Session = {
  sessionId: string;
  kind: "user" | "admin";
  /** The person: whose e-mail and password opened it. */
  actorId: string;
  /** Of customers: whose account the person acts for, their own or one that they are a member of. Of administrators: their own id. */
  accountId: string;
  /** What an administrator may do; undefined for customers. */
  role: AdminRole | undefined;
  /** What a customer may do for the account: `owner` of their own. Undefined for administrators. */
  memberRole: MemberRole | undefined;
  /** Whose password opened it; it stays when the person switches to their other side. */
  beganAs: "user" | "admin";
  /** The administrator who looks at the account in the customer's place, and changes nothing. */
  actingAdminId?: string | undefined;
  /** Cookies are sent by the browser on its own, so changes they carry need a same-origin `Origin`. */
  via: "cookie" | "bearer";
};

/**
 * Finds the live session of a token: its signature, its row and its times are checked. A background read, which no
 * person asked for, does not keep an idle session alive.
 */
export type SessionReader = (token: string, read: { isBackground: boolean }) => Promise<ReadSession | undefined>;

/** @property mustSetUpFactor whether an administrator lacks the second factor that is their duty here. */
export type ReadSession = Omit<Session, "via"> & { mustSetUpFactor: boolean };

/** An `onRequest` hook of a route, which runs before the body is read. */
export type Guard = (request: FastifyRequest) => Promise<void>;

/**
 * Passes when the person has no second factor, or has shown it lately in this session, or shows it with this request.
 */
export type FreshFactorCheck = (request: FastifyRequest, session: Session) => Promise<void>;

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Null for visitors, and for `sessionInSetUp`. Set before any body is read. */
    session: Session | null;
    /**
     * Of an administrator who must set up a second factor before anything else: opens nothing but that and signing out.
     */
    sessionInSetUp: Session | null;
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyInstance {
    checkFreshSecondFactor: FreshFactorCheck;
  }
}

/** The session of a request behind one of the guards below. */
export function sessionOf(request: FastifyRequest): Session {
  if (request.session !== null) return request.session;
  throw new AppError(request.sessionInSetUp ? "TWO_FACTOR_REQUIRED" : "AUTH_REQUIRED");
}

/** Like `sessionOf`, for the few calls that are open before a second factor is set up. */
export function sessionBeforeSetUpOf(request: FastifyRequest): Session {
  return request.sessionInSetUp ?? sessionOf(request);
}

/** Admits everybody who is signed in; the operation checks who it is. */
export const requireSession: Guard = async (request) => {
  sessionOf(request);
};

/** Admits whoever acts for the account whose id is in the path, in a role that may make the call. */
export const requireCustomer: Guard = async (request) => {
  const session = sessionOf(request);
  if (session.kind !== "user" || session.accountId !== pathId(request, "userId")) throw new AppError("FORBIDDEN");
  assertDeclared(request);
};

/** Admits every customer; the operation reads only what is theirs. */
export const requireAnyCustomer: Guard = async (request) => {
  if (sessionOf(request).kind !== "user") throw new AppError("FORBIDDEN");
  assertDeclared(request);
};

/** Admits whoever acts for the account whose id is in the path, and every administrator. For reading only. */
export const requireCustomerOrAdmin: Guard = async (request) => {
  const session = sessionOf(request);
  if (session.kind === "user" && session.accountId !== pathId(request, "userId")) throw new AppError("FORBIDDEN");
  assertDeclared(request);
  assertInTable(request);
};

/** Admits administrators whose role may make the call; an `adminId` in the path must be their own. */
export const requireAdmin: Guard = async (request) => {
  const session = sessionOf(request);
  if (session.kind !== "admin") throw new AppError("FORBIDDEN");
  assertInTable(request);
  const adminId = pathId(request, "adminId");
  if (adminId !== undefined && adminId !== session.actorId) throw new AppError("FORBIDDEN");
};

/** Admits the person whose id is the path's `id`. The id of the account stands for whoever acts for it: it is what their token says. */
export const requireSelf: Guard = async (request) => {
  if (!isSelf(sessionOf(request), pathId(request, "id"))) throw new AppError("FORBIDDEN");
};

/** Like `requireSelf`, before a second factor is set up; see `sessionBeforeSetUpOf`. */
export const requireSelfBeforeSetUp: Guard = async (request) => {
  if (!isSelf(sessionBeforeSetUpOf(request), pathId(request, "id"))) throw new AppError("FORBIDDEN");
};

function isSelf({ actorId, accountId }: Session, id: string | undefined): boolean {
  return id === actorId || id === accountId;
}

/**
 * Asks for the second factor again before the most harmful calls: credit, roles, carriers, keys, e-mail, passwords. It
 * follows the guard that says whose call it is. The code comes in a header, so it is checked before the body is read.
 *
 * @throws AppError `CODE_REQUIRED`, `CODE_WRONG`, `RATE_LIMITED`; nothing for a person without a second factor.
 */
export const requireFreshSecondFactor: Guard = async (request) => {
  await request.server.checkFreshSecondFactor(request, sessionOf(request));
};

/** Fails when a call has no row in the table. `refuseByRole` refuses the wrong roles before any guard. */
function assertInTable(request: FastifyRequest): void {
  assert(
    permissionOf(request) !== undefined,
    `${request.method} ${request.routeOptions.url} has no row in administrator-calls.ts`,
  );
}

/** Fails when a call of customers says of no role that it may. `walkMembership` refuses the wrong roles before any guard. */
function assertDeclared(request: FastifyRequest): void {
  assert(
    leastRoleOf(request) !== undefined,
    `${request.method} ${request.routeOptions.url} has no leastRole in contract/calls`,
  );
}

function pathId(request: FastifyRequest, name: string): string | undefined {
  return (request.params as Record<string, string | undefined>)[name];
}

/**
 * Finds the session of a request before its body is read. A token without a live session makes the caller a visitor;
 * the guards of each route decide what visitors may do.
 *
 * @returns a hook for every request. Pages and their files need no session and cost no look-up.
 */
export function readSession(config: Pick<Config, "publicUrl">, reader: SessionReader): Guard {
  return async (request) => {
    if (!request.url.startsWith("/api/") && !request.url.startsWith("/readyz")) return;
    const found = findSessionToken(request, config);
    if (found === undefined) return;
    const session = await reader(found.token, { isBackground: isBackgroundRead(request) });
    if (session === undefined) return;
    const { mustSetUpFactor, ...who } = session;
    request[mustSetUpFactor ? "sessionInSetUp" : "session"] = { ...who, via: found.via };
  };
}

/**
 * Pages mark the reads that a pushed change or a timer made them do; a change is always a person's doing. The stream of
 * events is one of those reads, and a browser cannot mark it: it reconnects by itself for as long as a page is open.
 */
function isBackgroundRead(request: Pick<FastifyRequest, "method" | "headers" | "url">): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return request.headers["x-background"] === "1" || request.url.split("?")[0] === "/api/events";
}
