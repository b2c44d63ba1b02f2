/** A person's own sessions: the list, ending others, and signing out. */
import type { ListQuery } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { customerSignedOut, publishChange, publishSessionEnd, sessionsChanged } from "../../../events/index.ts";
import type { Session } from "../../../http/session/session.ts";
import { describeDevice } from "./describe-device.ts";
import { deleteSessionOf, deleteSessionsOf, type ListedSession, selectSessionsOf } from "./session-store.ts";
import { endSession, idleSince } from "./sessions.ts";

/** @property isCurrent whether it is the session that asks. */
export type OwnSession = Omit<ListedSession, "userAgent"> & { device: string; isCurrent: boolean };

/**
 * Where the person is signed in, newest first.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listSessions(
  deps: Pick<Deps, "config" | "db" | "clock">,
  session: Session,
  query: ListQuery,
): Promise<{ rows: OwnSession[]; next: string | null }> {
  assertIdCursor(query.after);
  const now = deps.clock.now();
  const page = { now, idleSince: idleSince(deps.config, now), after: query.after };
  const select = (limit: number) => selectSessionsOf(deps.db, session, { ...page, limit });
  const { rows, next } = await readPage(query.limit, select, ({ sessionId }) => sessionId);
  const own = rows.map(({ userAgent, ...row }) => {
    return { ...row, device: describeDevice(userAgent), isCurrent: row.sessionId === session.sessionId };
  });
  return { rows: own, next };
}

/** Signs the person out in one other place. @throws AppError `NOT_FOUND` for a session that is over or somebody else's. */
export async function endOneSession(deps: Pick<Deps, "db">, session: Session, sessionId: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if (!(await deleteSessionOf(tx, { ...session, sessionId }))) throw new AppError("NOT_FOUND");
    await publishSessionEnd(tx, { sessionId });
    await publishEnded(tx, session);
  });
}

/** Signs the person out everywhere but here. @returns how many sessions ended. */
export async function endOtherSessions(deps: Pick<Deps, "db">, session: Session): Promise<number> {
  return await withTransaction(deps.db, async (tx) => {
    const ended = await deleteSessionsOf(tx, session, session.sessionId);
    for (const sessionId of ended) await publishSessionEnd(tx, { sessionId });
    await publishEnded(tx, session);
    return ended.length;
  });
}

async function publishEnded(tx: Parameters<typeof publishChange>[0], session: Session): Promise<void> {
  if (session.kind === "user") await publishChange(tx, sessionsChanged(session.actorId));
}

/** Ends this session; the person's other sessions go on. */
export async function signOut(deps: Pick<Deps, "db">, session: Session): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await endSession(tx, session.sessionId);
    if (session.kind === "user") await publishChange(tx, customerSignedOut());
  });
}
