/**
 * Sessions are rows. A session starts at sign-in and stays alive with the person's actions. It ends when its row is deleted
 * (sign-out, block, password change), after the idle time, or after the longest time; its token is worthless then.
 */
import { v7 as uuidv7 } from "uuid";
import type { Config } from "../../../base/config.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange, publishSessionEnd, sessionsChanged } from "../../../events/index.ts";
import type { Session, SessionReader } from "../../../http/session/session.ts";
import { findSecret, getCurrentSecret } from "../app-secret.ts";
import { findHomeAccount } from "../members/member-store.ts";
import {
  deleteSession,
  deleteSessionsFor,
  deleteSessionsOf,
  endSessionEarly,
  findLiveSession,
  findSessionEnd,
  insertSession,
  selectLiveSessions,
  touchSession,
} from "./session-store.ts";
import { readSessionToken, signSessionToken } from "./session-token.ts";

/** An action is recorded again after this part of the idle time: 10 s of 20 minutes. */
const TOUCH_FRACTION = 1 / 120;

/** After a switch, requests that the page sent before it are still answered for this long. */
const EXCHANGE_GRACE_MS = 5_000;

/** User agents of browsers are shorter than 200 characters. */
const USER_AGENT_CHARACTERS_MAX = 300;

export type OpenedSession = { token: string; sessionId: string; expiresAt: Date; deviceMark?: string | undefined };

/** Where a person signs in from, as they will recognise it, and the request's id for the security log. */
export type SessionOrigin = {
  clientAddress: string;
  userAgent: string | undefined;
  requestId?: string;
  deviceMark?: string | undefined;
};

/**
 * Starts a session. The caller decides whether the person may have one.
 *
 * @param from hasShownFactor: the person has shown their second factor just now; it counts as fresh.
 *   expiresAt, beganAs: of the session before a switch; the new one ends when that would have ended.
 *   acting: for the administrator who looks at this customer's account.
 *   accountId: which of the accounts that the person may act for; when absent the one that invited them, or else their own.
 */
export async function openSession(
  deps: Pick<Deps, "config" | "db" | "clock">,
  tx: Queryable,
  actor: Pick<Session, "kind" | "actorId">,
  from: SessionOrigin & {
    expiresAt?: Date;
    beganAs?: Session["beganAs"];
    hasShownFactor?: boolean;
    accountId?: string;
    acting?: { adminId: string; returnsUntil: Date };
  } = { clientAddress: "", userAgent: undefined },
): Promise<OpenedSession> {
  const createdAt = deps.clock.now();
  const expiresAt = from.expiresAt ?? new Date(createdAt.getTime() + deps.config.sessionMaxSeconds * 1000);
  const home = actor.kind === "user" ? await findHomeAccount(tx, actor.actorId) : undefined;
  const accountId = from.accountId ?? home ?? actor.actorId;
  const session = { ...actor, accountId, sessionId: uuidv7(), beganAs: from.beganAs ?? actor.kind };
  const userAgent = (from.userAgent ?? "").slice(0, USER_AGENT_CHARACTERS_MAX);
  await insertSession(tx, {
    ...session,
    createdAt,
    expiresAt,
    clientAddress: from.clientAddress,
    userAgent,
    factorAt: from.hasShownFactor === true ? createdAt : null,
    acting: from.acting,
  });
  if (actor.kind === "user" && from.acting === undefined) await publishChange(tx, sessionsChanged(actor.actorId));
  const key = await getCurrentSecret(deps.db, "session-token-key");
  return {
    token: await signSessionToken(key, { ...session, issuedAt: createdAt, expiresAt }),
    sessionId: session.sessionId,
    expiresAt,
  };
}

/**
 * Switches a person to their other account. A browser's cookie is replaced, so the old session ends shortly after, once its
 * open requests are answered. Its pages are not told: a refusal would sign the person out, and the page that switched moves on
 * by itself. A program keeps the token it has.
 *
 * @param from expiresAt: of the new session, where it is not the old one's. acting: the new session is for looking at the customer's account.
 * @throws AppError `AUTH_REQUIRED` when the session has ended meanwhile, or was exchanged already.
 */
export async function exchangeSession(
  deps: Pick<Deps, "config" | "db" | "clock">,
  tx: Queryable,
  session: Session,
  actor: Pick<Session, "kind" | "actorId">,
  from: SessionOrigin & {
    hasShownFactor?: boolean;
    accountId?: string;
    expiresAt?: Date;
    acting?: { adminId: string };
  },
): Promise<OpenedSession> {
  const graceEnd = new Date(deps.clock.now().getTime() + EXCHANGE_GRACE_MS);
  const { sessionId, beganAs } = session;
  const expiresAt =
    session.via === "cookie" ? await endSessionEarly(tx, sessionId, graceEnd) : await findSessionEnd(tx, sessionId);
  if (expiresAt === undefined) throw new AppError("AUTH_REQUIRED");
  const { acting, ...rest } = from;
  return await openSession(deps, tx, actor, {
    expiresAt,
    ...rest,
    beganAs,
    ...(acting !== undefined && { acting: { ...acting, returnsUntil: expiresAt } }),
  });
}

/** Ends one session and its open streams: sign-out. */
export async function endSession(tx: Queryable, sessionId: string): Promise<void> {
  await deleteSession(tx, sessionId);
  await publishSessionEnd(tx, { sessionId });
}

/**
 * Ends a person's sessions and their open streams: block, new password, new e-mail.
 *
 * @param keep the one session that goes on, when there is one.
 */
export async function endSessionsOf(
  tx: Queryable,
  actor: Pick<Session, "kind" | "actorId">,
  keep?: string,
): Promise<void> {
  for (const sessionId of await deleteSessionsOf(tx, actor, keep)) await publishSessionEnd(tx, { sessionId });
}

/** Ends what members opened for an account and their open streams: one of them is removed, or the account is blocked. */
export async function endSessionsFor(tx: Queryable, accountId: string, personId?: string): Promise<void> {
  for (const sessionId of await deleteSessionsFor(tx, accountId, personId)) await publishSessionEnd(tx, { sessionId });
}

/** @returns which of these sessions are over, so that their open streams can be ended. */
export async function findEndedSessions(
  deps: Pick<Deps, "config" | "db" | "clock">,
  sessionIds: string[],
): Promise<string[]> {
  const now = deps.clock.now();
  const live = new Set(await selectLiveSessions(deps.db, sessionIds, { now, idleSince: idleSince(deps.config, now) }));
  return sessionIds.filter((sessionId) => !live.has(sessionId));
}

/** Reads a token's live session, and notes that its person is active unless the page read in the background. */
export function createSessionReader(deps: Pick<Deps, "config" | "db" | "clock">): SessionReader {
  const touchAfterMs = deps.config.sessionIdleSeconds * 1000 * TOUCH_FRACTION;
  return async (token, { isBackground }) => {
    const now = deps.clock.now();
    const claims = await readSessionToken((id) => findSecret(deps.db, "session-token-key", id), token, now);
    if (claims === undefined) return undefined;
    const live = await findLiveSession(deps.db, claims, { now, idleSince: idleSince(deps.config, now) });
    if (live === undefined) return undefined;
    const { lastActiveAt, hasFactor, ...who } = live;
    if (!isBackground && now.getTime() - lastActiveAt.getTime() >= touchAfterMs) {
      await touchSession(deps.db, claims.sessionId, now);
    }
    return {
      ...claims,
      ...who,
      mustSetUpFactor: claims.kind === "admin" && deps.config.isAdminFactorRequired && !hasFactor,
    };
  };
}

/**
 * Sessions whose last action is before this moment are over. It allows for the recorded time of an action being slightly too
 * early, so that nobody is signed out too soon.
 */
export function idleSince(config: Pick<Config, "sessionIdleSeconds">, now: Date): Date {
  return new Date(now.getTime() - config.sessionIdleSeconds * 1000 * (1 + TOUCH_FRACTION));
}
