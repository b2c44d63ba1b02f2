/** All SQL of memberships. The account's own user has no row: they are always an owner. */
import type { MemberRole } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

/** @property personId null while the mailbox is only invited. */
export type Member = {
  memberId: string;
  personId: string | null;
  email: string;
  userName: string;
  fullName: string;
  role: MemberRole;
  createdAt: Date;
};

/** A person with an account is listed with their present e-mail, not with the one that was invited. */
const MEMBER_COLUMNS = `
  m.member_id as "memberId", m.person_id as "personId", coalesce(p.email, m.email) as email,
  coalesce(p.user_name, '') as "userName", coalesce(p.full_name, '') as "fullName", m.role, m.created_at as "createdAt"`;

/**
 * The account's own user, then the others in the order in which they were invited; few enough to be read together.
 *
 * @param now invitations that are over by then are left out.
 */
export async function selectMembers(db: Queryable, userId: string, now: Date): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `select user_id as "memberId", user_id as "personId", email, user_name as "userName", full_name as "fullName", 'owner' as role,
       created_at as "createdAt" from app_user where user_id = $1
     union all
     (select ${MEMBER_COLUMNS} from account_member m left join app_user p on p.user_id = m.person_id
      where m.user_id = $1 and (m.person_id is not null or m.expires_at > $2) order by m.member_id)`,
    [userId, now],
  );
  return rows;
}

/** Holds the row until the transaction ends. */
export async function lockMember(tx: Queryable, userId: string, memberId: string): Promise<Member | undefined> {
  await tx.query("select from account_member where user_id = $1 and member_id = $2 for update", [userId, memberId]);
  const { rows } = await tx.query<Member>(
    `select ${MEMBER_COLUMNS} from account_member m left join app_user p on p.user_id = m.person_id
     where m.user_id = $1 and m.member_id = $2`,
    [userId, memberId],
  );
  return rows[0];
}

/** An invitation that is over makes room for the new one. */
export async function deleteOverInvitations(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query("delete from account_member where user_id = $1 and person_id is null and expires_at <= $2", [
    userId,
    now,
  ]);
}

export async function insertMember(
  tx: Queryable,
  member: {
    userId: string;
    memberId: string;
    personId: string | undefined;
    email: string;
    role: MemberRole;
    invitedBy: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into account_member (user_id, member_id, person_id, email, role, invited_by, created_at, joined_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, case when $3::uuid is not null then $7::timestamptz end, $8)`,
    [
      member.userId,
      member.memberId,
      member.personId ?? null,
      member.email,
      member.role,
      member.invitedBy,
      member.now,
      member.expiresAt,
    ],
  );
}

export async function updateMemberRole(
  tx: Queryable,
  userId: string,
  memberId: string,
  role: MemberRole,
): Promise<void> {
  await tx.query("update account_member set role = $3 where user_id = $1 and member_id = $2", [userId, memberId, role]);
}

export async function deleteMember(tx: Queryable, userId: string, memberId: string): Promise<void> {
  await tx.query("delete from account_member where user_id = $1 and member_id = $2", [userId, memberId]);
}

export type UsedInvitation = { userId: string; role: MemberRole; invitedBy: string };

/**
 * Uses every live invitation of a mailbox. The first one becomes the person's home: what their sessions are for.
 *
 * @returns the accounts that let the person in, in the order of their invitations.
 */
export async function takeInvitations(
  tx: Queryable,
  person: { personId: string; email: string; now: Date },
): Promise<UsedInvitation[]> {
  const { rows } = await tx.query<UsedInvitation>(
    `with live as (
       select user_id, member_id, row_number() over (order by created_at, member_id) = 1 as is_first from (
         select user_id, member_id, created_at from account_member
         where email = $1 and person_id is null and expires_at > $3 and user_id <> $2 for update
       ) as held
     )
     update account_member m set person_id = $2, joined_at = $3, is_home = live.is_first
     from live where m.user_id = live.user_id and m.member_id = live.member_id
     returning m.user_id as "userId", m.role, m.invited_by as "invitedBy"`,
    [person.email, person.personId, person.now],
  );
  return rows;
}

/** The account that the person came to by an invitation; undefined for who registered for themselves. */
export async function findHomeAccount(db: Queryable, personId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from account_member where person_id = $1 and is_home`,
    [personId],
  );
  return rows[0]?.userId;
}

/** @returns undefined for who is no member, and while the account is blocked. */
export async function findMemberRole(
  db: Queryable,
  personId: string,
  accountId: string,
): Promise<MemberRole | undefined> {
  const { rows } = await db.query<{ role: MemberRole }>(
    `select m.role from account_member m join app_user a on a.user_id = m.user_id
     where m.person_id = $1 and m.user_id = $2 and a.blocked_at is null`,
    [personId, accountId],
  );
  return rows[0]?.role;
}

export type ActableAccount = { userId: string; userName: string; role: MemberRole };

/** The accounts that a person may act for, their own first. */
export async function selectAccountsOf(db: Queryable, personId: string): Promise<ActableAccount[]> {
  const { rows } = await db.query<ActableAccount>(
    `select user_id as "userId", user_name as "userName", role from (
       select user_id, user_name, 'owner' as role, 0 as rank from app_user where user_id = $1
       union all
       select a.user_id, a.user_name, m.role, 1 from account_member m join app_user a on a.user_id = m.user_id
       where m.person_id = $1 and a.blocked_at is null
     ) as accounts order by rank, user_name, user_id`,
    [personId],
  );
  return rows;
}

/** Who may decide on an account's messages, its own user among them; nobody who is blocked. */
export async function selectApprovers(
  db: Queryable,
  accountId: string,
): Promise<{ personId: string; email: string; userName: string }[]> {
  const { rows } = await db.query<{ personId: string; email: string; userName: string }>(
    `select user_id as "personId", email, user_name as "userName" from app_user where user_id = $1 and blocked_at is null
     union all
     select p.user_id, p.email, p.user_name from account_member m join app_user p on p.user_id = m.person_id
     where m.user_id = $1 and m.role in ('approver', 'owner') and p.blocked_at is null`,
    [accountId],
  );
  return rows;
}
