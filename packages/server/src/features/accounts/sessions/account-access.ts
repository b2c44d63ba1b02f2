/** When administrators looked at a customer's account, and why: written when they begin, read by the customer. */
import type { ListQuery } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Session } from "../../../http/session/session.ts";
import { findUser } from "../users/user-store.ts";
import { type AccountAccess, insertAccess, selectAccess } from "./account-access-store.ts";
import { findReturn } from "./session-store.ts";
import { exchangeSession, idleSince, type OpenedSession, type SessionOrigin } from "./sessions.ts";

const LOOK_MS = 30 * 60_000;

/**
 * Exchanges an administrator's session for one in which they see a customer's account as the customer does, for 30 minutes.
 *
 * @param look of an administrator who may; `adminName` is what the customer reads.
 * @throws AppError `NOT_FOUND` when there is no such customer.
 */
export async function openLook(
  deps: Pick<Deps, "config" | "db" | "clock">,
  tx: Tx,
  session: Session,
  look: { userId: string; adminName: string; reason: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  const { userId, adminName, reason } = look;
  const beganAt = deps.clock.now();
  const user = await findUser(tx, userId, { now: beganAt, idleSince: idleSince(deps.config, beganAt) });
  if (user === undefined) throw new AppError("NOT_FOUND");
  const endsAt = new Date(beganAt.getTime() + LOOK_MS);
  const opened = await exchangeSession(
    deps,
    tx,
    session,
    { kind: "user", actorId: userId },
    { ...from, accountId: userId, expiresAt: endsAt, acting: { adminId: session.actorId } },
  );
  await insertAccess(tx, { userId, accessId: opened.sessionId, adminName, reason, beganAt, endsAt });
  return opened;
}

/**
 * Back to the administrator's own side, for as long as their session would have lasted.
 *
 * @param session one that `openLook` opened.
 */
export async function endLook(
  deps: Pick<Deps, "config" | "db" | "clock">,
  tx: Tx,
  session: Session & { actingAdminId: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  const expiresAt = await findReturn(tx, session.sessionId);
  if (expiresAt === undefined) throw new AppError("AUTH_REQUIRED");
  const admin = { kind: "admin", actorId: session.actingAdminId } as const;
  return await exchangeSession(deps, tx, session, admin, { ...from, expiresAt });
}

/** @throws AppError `VALIDATION` for a cursor that is none. */
export async function listAccess(
  deps: Pick<Deps, "db">,
  userId: string,
  query: ListQuery,
): Promise<{ rows: AccountAccess[]; next: string | null }> {
  assertIdCursor(query.after);
  const select = (limit: number) => selectAccess(deps.db, userId, { limit, after: query.after });
  return await readPage(query.limit, select, ({ accessId }) => accessId);
}
