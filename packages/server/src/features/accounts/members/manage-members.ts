/**
 * The states of a member: invited -> active (the mailbox registers and proves itself) -> removed. A person who has an account here
 * already is active at once. The account's own user is always an owner, so that an account never lacks one.
 */
import { limits, type MemberRole } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerChanged, membersChanged, publishChange } from "../../../events/index.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import type { Session } from "../../../http/session/session.ts";
import { writeMail } from "../../../mail/index.ts";
import { refuseCompanyAddress } from "../registration/register-user.ts";
import { endSessionsFor, exchangeSession, type OpenedSession, type SessionOrigin } from "../sessions/sessions.ts";
import { findCredentialsByEmail, lockCredentials } from "../users/user-store.ts";
import { memberAddedMail, memberInvitedMail } from "./member-mails.ts";
import {
  deleteMember,
  deleteOverInvitations,
  findMemberRole,
  insertMember,
  lockMember,
  type Member,
  selectMembers,
  updateMemberRole,
} from "./member-store.ts";

export type { Member } from "./member-store.ts";

/** Who of the account's people acts, for the audit. */
export type AccountActor = { personId: string; clientAddress: string };

const INVITATION_LIFE_MS = 7 * 86_400_000;

/** Who shares the account, its own user first. */
export async function listMembers(deps: Pick<Deps, "db" | "clock">, userId: string): Promise<Member[]> {
  return await selectMembers(deps.db, userId, deps.clock.now());
}

/**
 * Invites a mailbox. A customer, whose password already proves the mailbox, is a member at once. Both get a mail.
 *
 * @param invite by: the owner who acts.
 * @throws AppError `EMAIL_TAKEN` for a member, and for a mailbox that is invited already; `HOST_NOT_ALLOWED` for a mailbox of the company; `VALIDATION` above
 *   `membersMax`; `RATE_LIMITED` by the mailbox.
 */
export async function inviteMember(
  deps: Deps,
  invite: { userId: string; email: string; role: MemberRole; by: AccountActor },
): Promise<Member> {
  const { userId, email, role, by } = invite;
  refuseCompanyAddress(deps.config, email);
  return await withTransaction(deps.db, async (tx) => {
    // The account's row: two invitations at once come one after the other.
    const account = await lockCredentials(tx, userId);
    if (account === undefined) throw new AppError("NOT_FOUND");
    const now = deps.clock.now();
    await deleteOverInvitations(tx, userId, now);
    const members = await selectMembers(tx, userId, now);
    if (members.some((member) => member.email === email))
      throw new AppError("EMAIL_TAKEN", { message: "This person is in your team already, or is invited" });
    if (members.length > limits.membersMax) throw fieldError("email", `is one more than ${limits.membersMax} people`);
    await countTry(deps, tx, rateRules.mailTo, email);
    const known = await findCredentialsByEmail(tx, email);
    const person = known?.isVerified === true ? known : undefined;
    const memberId = uuidv7();
    const expiresAt = new Date(now.getTime() + INVITATION_LIFE_MS);
    await insertMember(tx, {
      userId,
      memberId,
      personId: person?.userId,
      email,
      role,
      invitedBy: by.personId,
      now,
      expiresAt,
    });
    await deps.recordAudit(tx, { ...by, action: "invite-member", subjectId: userId, after: { email, role } });
    const about = { email, role, accountName: account.fullName };
    const mail =
      person === undefined
        ? memberInvitedMail(deps.config, about)
        : memberAddedMail(deps.config, { ...about, userName: person.userName });
    await writeMail(deps, tx, mail);
    await publishChange(tx, membersChanged(userId));
    if (person !== undefined) await publishChange(tx, customerChanged(person.userId));
    const { userName = "", fullName = "" } = person ?? {};
    return { memberId, personId: person?.userId ?? null, email, userName, fullName, role, createdAt: now };
  });
}

type MemberKey = { userId: string; memberId: string };

/** @throws AppError `NOT_FOUND`; `LAST_OWNER` for the account's own user. */
export async function changeMemberRole(
  deps: Deps,
  key: MemberKey,
  role: MemberRole,
  by: AccountActor,
): Promise<Member> {
  return await withTransaction(deps.db, async (tx) => {
    const member = await lockOther(tx, key);
    await updateMemberRole(tx, key.userId, key.memberId, role);
    const { email } = member;
    const change = { before: { email, role: member.role }, after: { email, role } };
    await deps.recordAudit(tx, { ...by, action: "edit-member", subjectId: key.userId, ...change });
    await publishMember(tx, key.userId, member);
    return { ...member, role };
  });
}

/** The sessions that the member opened for the account end. @throws AppError `NOT_FOUND`; `LAST_OWNER` for the account's own user. */
export async function removeMember(deps: Deps, key: MemberKey, by: AccountActor): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const member = await lockOther(tx, key);
    await deleteMember(tx, key.userId, key.memberId);
    const before = { email: member.email, role: member.role };
    await deps.recordAudit(tx, { ...by, action: "remove-member", subjectId: key.userId, before });
    if (member.personId !== null) await endSessionsFor(tx, key.userId, member.personId);
    await publishMember(tx, key.userId, member);
  });
}

async function lockOther(tx: Tx, { userId, memberId }: MemberKey): Promise<Member> {
  if (memberId === userId)
    throw new AppError("LAST_OWNER", { message: "The account is this person's. They stay its owner" });
  const member = await lockMember(tx, userId, memberId);
  if (member === undefined) throw new AppError("NOT_FOUND");
  return member;
}

async function publishMember(tx: Tx, userId: string, { personId }: Member): Promise<void> {
  await publishChange(tx, membersChanged(userId));
  if (personId !== null) await publishChange(tx, customerChanged(personId));
}

/** Goes on as the same person in another account. @throws AppError `FORBIDDEN` for one that they may not act for. */
export async function switchAccount(
  deps: Deps,
  session: Session,
  accountId: string,
  from: SessionOrigin,
): Promise<OpenedSession> {
  return await withTransaction(deps.db, async (tx) => {
    if (accountId !== session.actorId) {
      const account = await lockCredentials(tx, accountId);
      const role = await findMemberRole(tx, session.actorId, accountId);
      if (account === undefined || role === undefined) throw new AppError("FORBIDDEN");
    }
    return await exchangeSession(deps, tx, session, session, { ...from, accountId });
  });
}
