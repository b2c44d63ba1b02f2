import type { AdminRole, MemberRole } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import type { Session } from "../../../http/session/session.ts";

type SessionKey = Pick<Session, "sessionId" | "kind" | "actorId">;

export async function insertSession(
  db: Queryable,
  session: SessionKey &
    Pick<Session, "accountId" | "beganAs"> & {
      createdAt: Date;
      expiresAt: Date;
      clientAddress: string;
      userAgent: string;
      factorAt: Date | null;
      acting: { adminId: string; returnsUntil: Date } | undefined;
    },
): Promise<void> {
  await db.query(
    `insert into session (session_id, kind, actor_id, created_at, last_active_at, expires_at, client_address, user_agent, factor_at, began_as, account_id,
       acting_admin_id, returns_until)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, nullif($10::uuid, $3), $11, $12)`,
    [
      session.sessionId,
      session.kind,
      session.actorId,
      session.createdAt,
      session.expiresAt,
      session.clientAddress,
      session.userAgent,
      session.factorAt,
      session.beganAs,
      session.accountId,
      session.acting?.adminId ?? null,
      session.acting?.returnsUntil ?? null,
    ],
  );
}

export type ListedSession = {
  sessionId: string;
  createdAt: Date;
  lastActiveAt: Date;
  clientAddress: string;
  userAgent: string;
};

/** A person's live sessions, newest first; ids are in order of time. */
export async function selectSessionsOf(
  db: Queryable,
  actor: Pick<Session, "kind" | "actorId">,
  page: { now: Date; idleSince: Date; after: string | undefined; limit: number },
): Promise<ListedSession[]> {
  const { rows } = await db.query<ListedSession>(
    `select session_id as "sessionId", created_at as "createdAt", last_active_at as "lastActiveAt",
            client_address as "clientAddress", user_agent as "userAgent"
     from session
     where actor_id = $1 and kind = $2 and acting_admin_id is null and expires_at > $3 and last_active_at > $4 and ($5::uuid is null or session_id < $5)
     order by session_id desc limit $6`,
    [actor.actorId, actor.kind, page.now, page.idleSince, page.after ?? null, page.limit],
  );
  return rows;
}

/** @returns whether the person had that session. */
export async function deleteSessionOf(db: Queryable, session: SessionKey): Promise<boolean> {
  const { rowCount } = await db.query(`delete from session where session_id = $1 and kind = $2 and actor_id = $3`, [
    session.sessionId,
    session.kind,
    session.actorId,
  ]);
  return rowCount === 1;
}

/** When a session expires at the latest; undefined when it has ended. */
export async function findSessionEnd(db: Queryable, sessionId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ expiresAt: Date }>(
    `select expires_at as "expiresAt" from session where session_id = $1`,
    [sessionId],
  );
  return rows[0]?.expiresAt;
}

/** @returns when the session would have ended; undefined, and nothing is changed, when that is before `endsAt` anyway. */
export async function endSessionEarly(db: Queryable, sessionId: string, endsAt: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ expiresAt: Date }>(
    `with held as (select expires_at from session where session_id = $1 and expires_at > $2 for update)
     update session set expires_at = $2 from held where session_id = $1 returning held.expires_at as "expiresAt"`,
    [sessionId, endsAt],
  );
  return rows[0]?.expiresAt;
}

/** In a session in which an administrator looks at a customer's account: until when the administrator's own session would have lasted. */
export async function findReturn(db: Queryable, sessionId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ returnsUntil: Date }>(
    `select returns_until as "returnsUntil" from session where session_id = $1 and returns_until is not null`,
    [sessionId],
  );
  return rows[0]?.returnsUntil;
}

/** The facts of a session that its token does not hold. @property role, memberRole: as they are now. */
export type LiveSession = Pick<Session, "actorId" | "role" | "memberRole" | "beganAs" | "actingAdminId"> & {
  lastActiveAt: Date;
  hasFactor: boolean;
};

/**
 * @param limits idleSince: a session whose last action is before it is over.
 * @returns when its person last acted, and whether they have a second factor; undefined for a session that is over.
 */
export async function findLiveSession(
  db: Queryable,
  session: Pick<Session, "sessionId" | "kind" | "accountId">,
  limits: { now: Date; idleSince: Date },
): Promise<LiveSession | undefined> {
  type Row = Omit<LiveSession, "role" | "memberRole" | "actingAdminId"> & {
    role: AdminRole | null;
    memberRole: MemberRole | null;
    actingAdminId: string | null;
  };
  const { rows } = await db.query<Row>({
    name: "live-session",
    text: `select session.actor_id as "actorId", session.last_active_at as "lastActiveAt", began_as as "beganAs", admin.role, acting_admin_id as "actingAdminId",
       case when kind = 'user' and account_id is null then 'owner' else m.role end as "memberRole", exists (
       select 1 from second_factor f where f.kind = session.kind and f.actor_id = session.actor_id and f.confirmed_at is not null
     ) as "hasFactor"
     from session left join admin on session.kind = 'admin' and admin.admin_id = session.actor_id
       left join account_member m on m.user_id = session.account_id and m.person_id = session.actor_id
     where session_id = $1 and kind = $2 and coalesce(account_id, actor_id) = $3 and session.expires_at > $4 and last_active_at > $5
       and (account_id is null or m.role is not null)
       and (acting_admin_id is null or exists (
         select 1 from admin a where a.admin_id = acting_admin_id and a.blocked_at is null and a.removed_at is null and a.role in ('owner', 'admin')
       ))`,
    values: [session.sessionId, session.kind, session.accountId, limits.now, limits.idleSince],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { role, memberRole, actingAdminId, ...facts } = row;
  return {
    ...facts,
    role: role ?? undefined,
    memberRole: memberRole ?? undefined,
    ...(actingAdminId !== null && { actingAdminId }),
  };
}

export async function touchSession(db: Queryable, sessionId: string, now: Date): Promise<void> {
  await db.query(`update session set last_active_at = $2 where session_id = $1 and last_active_at < $2`, [
    sessionId,
    now,
  ]);
}

export async function deleteSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query(`delete from session where session_id = $1`, [sessionId]);
}

/** @returns the ids of the sessions that ended. */
export async function deleteSessionsOf(
  db: Queryable,
  actor: Pick<Session, "kind" | "actorId">,
  keep: string | undefined,
): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `delete from session where kind = $1 and actor_id = $2 and session_id is distinct from $3 returning session_id as "sessionId"`,
    [actor.kind, actor.actorId, keep ?? null],
  );
  return rows.map((row) => row.sessionId);
}

/** @param personId one member's; undefined for every member's, whose own account it is not. @returns the ids of the sessions that ended. */
export async function deleteSessionsFor(
  db: Queryable,
  accountId: string,
  personId: string | undefined,
): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `delete from session where account_id = $1 and ($2::uuid is null or actor_id = $2) returning session_id as "sessionId"`,
    [accountId, personId ?? null],
  );
  return rows.map((row) => row.sessionId);
}

export async function selectLiveSessions(
  db: Queryable,
  sessionIds: string[],
  limits: { now: Date; idleSince: Date },
): Promise<string[]> {
  const { rows } = await db.query<{ sessionId: string }>(
    `select session_id as "sessionId" from session where session_id = any ($1::uuid[]) and expires_at > $2 and last_active_at > $3`,
    [sessionIds, limits.now, limits.idleSince],
  );
  return rows.map((row) => row.sessionId);
}

/** @returns the number of sessions that were over. */
export async function deleteEndedSessions(db: Queryable, limits: { now: Date; idleSince: Date }): Promise<number> {
  const { rowCount } = await db.query(`delete from session where expires_at <= $1 or last_active_at <= $2`, [
    limits.now,
    limits.idleSince,
  ]);
  return rowCount ?? 0;
}

type Actor = Pick<Session, "kind" | "actorId">;

/** Marks kept for each person; a phone and a computer leave two each. */
const MARKS_KEPT_MAX = 50;

/** @returns how many marks the person has, and which of the given ones are among them. */
export async function findMarks(
  db: Queryable,
  { kind, actorId }: Actor,
  markHashes: Buffer[],
): Promise<{ count: number; known: Buffer[] }> {
  const { rows } = await db.query<{ markHash: Buffer; isAsked: boolean }>(
    `select mark_hash as "markHash", mark_hash = any($3::bytea[]) as "isAsked" from known_device where kind = $1 and actor_id = $2`,
    [kind, actorId, markHashes],
  );
  return { count: rows.length, known: rows.filter(({ isAsked }) => isAsked).map(({ markHash }) => markHash) };
}

export async function putMarks(
  db: Queryable,
  { kind, actorId }: Actor,
  markHashes: Buffer[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into known_device (kind, actor_id, mark_hash, last_seen_at) select $1, $2, mark, $4 from unnest($3::bytea[]) as mark
     on conflict (kind, actor_id, mark_hash) do update set last_seen_at = excluded.last_seen_at`,
    [kind, actorId, markHashes, now],
  );
  await db.query(
    `delete from known_device where kind = $1 and actor_id = $2 and mark_hash in (
       select mark_hash from known_device where kind = $1 and actor_id = $2 order by last_seen_at desc offset $3
     )`,
    [kind, actorId, MARKS_KEPT_MAX],
  );
}

/** @returns false only for a customer who turned the mail off. */
export async function wantsNewDeviceMail(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query("select from notification where user_id = $1 and not has_new_device_mail", [
    userId,
  ]);
  return rowCount === 0;
}
