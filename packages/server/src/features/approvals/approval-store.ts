/** All SQL about what waits for a second administrator. */
import type { AdminRole, ApprovalKindName } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";
import type { Tx } from "../../db/transaction.ts";

export type ApprovalState = "waiting" | "approved" | "declined" | "lapsed";

export type Approval = {
  approvalId: string;
  kind: ApprovalKindName;
  subjectKey: string;
  /** The customer or administrator whom it is for. */
  subjectId: string;
  /** When it was asked, and now; the same text when nothing changed, or nobody is left. */
  subjectEmail: string;
  subjectEmailNow: string;
  what: string;
  details: Record<string, unknown>;
  askedBy: string;
  askedByName: string;
  askedByEmail: string;
  state: ApprovalState;
  createdAt: Date;
};

const SELECT_APPROVAL = `
  select p.approval_id as "approvalId", p.kind, p.subject_key as "subjectKey", p.subject_id as "subjectId",
    p.subject_email as "subjectEmail", coalesce(u.email, subject.email, p.subject_email) as "subjectEmailNow", p.what, p.details,
    p.asked_by as "askedBy", asker.admin_name as "askedByName", asker.email as "askedByEmail", p.state, p.created_at as "createdAt"
  from approval p
  join admin asker on asker.admin_id = p.asked_by
  left join app_user u on u.user_id = p.subject_id
  left join admin subject on subject.admin_id = p.subject_id`;

export type NewApproval = Pick<
  Approval,
  "approvalId" | "kind" | "subjectKey" | "subjectId" | "subjectEmail" | "what" | "details" | "askedBy" | "createdAt"
>;

/** @returns false when something waits about this subject already; whoever is writing it is waited for. */
export async function insertApproval(tx: Tx, approval: NewApproval): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into approval (approval_id, kind, subject_key, subject_id, subject_email, what, details, asked_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9)
     on conflict (kind, subject_key) where state = 'waiting' do nothing`,
    [
      approval.approvalId,
      approval.kind,
      approval.subjectKey,
      approval.subjectId,
      approval.subjectEmail,
      approval.what,
      JSON.stringify(approval.details),
      approval.askedBy,
      approval.createdAt,
    ],
  );
  return rowCount === 1;
}

/** Holds the row until the transaction ends. */
export async function lockApproval(tx: Tx, approvalId: string): Promise<Approval | undefined> {
  const { rows } = await tx.query<Approval>(`${SELECT_APPROVAL} where p.approval_id = $1 for no key update of p`, [
    approvalId,
  ]);
  return rows[0];
}

/** What waits about this subject. Holds the row until the transaction ends. */
export async function lockWaiting(
  tx: Tx,
  subject: Pick<Approval, "kind" | "subjectKey">,
): Promise<Approval | undefined> {
  const { rows } = await tx.query<Approval>(
    `${SELECT_APPROVAL} where p.kind = $1 and p.subject_key = $2 and p.state = 'waiting' for no key update of p`,
    [subject.kind, subject.subjectKey],
  );
  return rows[0];
}

export async function findApproval(db: Queryable, approvalId: string): Promise<Approval | undefined> {
  const { rows } = await db.query<Approval>(`${SELECT_APPROVAL} where p.approval_id = $1`, [approvalId]);
  return rows[0];
}

/** What waits, newest first: the ids are in order of time. `after` is the id that the last page ended with. */
export async function selectWaiting(
  db: Queryable,
  page: { after: string | undefined; limit: number },
): Promise<Approval[]> {
  const { rows } = await db.query<Approval>(
    `${SELECT_APPROVAL} where p.state = 'waiting' and ($1::uuid is null or p.approval_id < $1) order by p.approval_id desc limit $2`,
    [page.after ?? null, page.limit],
  );
  return rows;
}

export async function countWaitingApprovals(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(created_at) as "oldestAt" from approval where state = 'waiting'`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** What waits behind that place, the oldest first. */
export async function selectWaitingApprovals(
  db: Queryable,
  page: { afterTime: Date; afterId: string; limit: number },
): Promise<Approval[]> {
  const { rows } = await db.query<Approval>(
    `${SELECT_APPROVAL} where p.state = 'waiting' and (date_trunc('milliseconds', p.created_at), p.approval_id) > ($1, $2)
     order by date_trunc('milliseconds', p.created_at), p.approval_id limit $3`,
    [page.afterTime, page.afterId, page.limit],
  );
  return rows;
}

/** @returns false when it does not wait any more. */
export async function updateState(
  tx: Tx,
  approvalId: string,
  decision: { state: "approved" | "declined"; adminId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update approval set state = $2, decided_by = $3, decided_at = $4 where approval_id = $1 and state = 'waiting'`,
    [approvalId, decision.state, decision.adminId, decision.now],
  );
  return rowCount === 1;
}

/** Approvals of these subjects lapse: the subjects were decided another way. */
export async function updateLapsed(
  tx: Tx,
  kind: ApprovalKindName,
  subjectKeys: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update approval set state = 'lapsed', decided_at = $3 where kind = $1 and subject_key = any ($2::text[]) and state = 'waiting'`,
    [kind, subjectKeys, now],
  );
}

export type Decider = { adminId: string; adminName: string; email: string; role: AdminRole };

const SELECT_DECIDERS = `select admin_id as "adminId", admin_name as "adminName", email, role from admin`;

export async function findDecider(db: Queryable, adminId: string): Promise<Decider | undefined> {
  const { rows } = await db.query<Decider>(`${SELECT_DECIDERS} where admin_id = $1`, [adminId]);
  return rows[0];
}

/** Administrators who can sign in, the first who registered first. */
export async function selectDecidersOf(db: Queryable, limit: number): Promise<Decider[]> {
  const { rows } = await db.query<Decider>(
    `${SELECT_DECIDERS} where verified_at is not null and approved_at is not null and blocked_at is null order by created_at, admin_id limit $1`,
    [limit],
  );
  return rows;
}

/** Whether this administrator switched to or from this account: then it is theirs, whatever its e-mail is now. */
export async function hasSwitched(db: Queryable, adminId: string, userId: string): Promise<boolean> {
  const { rows } = await db.query(
    `select from audit_entry where subject_id = $2 and admin_id = $1 and action in ('switch-to-user', 'switch-to-admin') limit 1`,
    [adminId, userId],
  );
  return rows.length > 0;
}
