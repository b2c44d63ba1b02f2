/**
 * Asking for a second administrator. waiting -> approved | declined (decide-approval.ts), by somebody else than who asked and
 * whom it is for; -> lapsed, when its subject was decided another way.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { v7 as uuidv7 } from "uuid";
import type { ApprovalKindName } from "@ewebal/contract";
import type { Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import { approvalDeciders } from "../../http/session/administrator-calls.ts";
import { approvalsChanged, publishChange } from "../../events/index.ts";
import { writeMail } from "../../mail/index.ts";
import {
  type Approval,
  type Decider,
  findDecider,
  hasSwitched,
  insertApproval,
  lockWaiting,
  selectDecidersOf,
  updateLapsed,
  updateState,
} from "./approval-store.ts";

/** A company with more administrators has a shared mailbox for them. */
const MAILS_MAX = 50;
const ADMINISTRATORS_MAX = 500;

export type Ask = {
  kind: ApprovalKindName;
  /** Names what is asked for, so that it waits once; undefined: every request is a new one. */
  subjectKey?: string;
  /** The customer or administrator whom it is for. */
  subject: { id: string; email: string };
  /** A sentence for the one who decides. */
  what: string;
  /** What the kind needs to carry it out. */
  details: Record<string, unknown>;
  /** The call, such as `credit-a-user`. */
  call: string;
  before?: Record<string, unknown>;
  adminId: string;
  clientAddress: string;
};

export type AskOutcome = { kind: "waiting"; approvalId: string } | { kind: "agreed"; approval: Approval };

/**
 * Makes something wait for a second administrator; a mail tells the others. An administrator who asks for exactly what waits
 * already agrees with it, if they may decide it. Something else about the same subject replaces what waits.
 *
 * @param tx in which the subject's own row, if it has one, is locked: it comes before the approval's.
 * @returns `agreed`: the approval is decided, and the caller carries it out in the same transaction.
 */
export async function askApproval(deps: Deps, tx: Tx, ask: Ask): Promise<AskOutcome> {
  const approvalId = uuidv7();
  const now = deps.clock.now();
  const { kind, subjectKey = approvalId, what, details, adminId, clientAddress } = ask;
  const row = {
    approvalId,
    kind,
    subjectKey,
    subjectId: ask.subject.id,
    subjectEmail: ask.subject.email,
    what,
    details,
    askedBy: adminId,
    createdAt: now,
  };
  if (!(await insertApproval(tx, row))) {
    const earlier = await lockWaiting(tx, row);
    if (earlier !== undefined && isDeepStrictEqual(earlier.details, details)) {
      const admin = await getAdmin(tx, adminId);
      if (!mayDecide(earlier, admin) || (await isOneself(tx, admin, ask.subject)))
        return { kind: "waiting", approvalId: earlier.approvalId };
      await settleApproval(deps, tx, earlier, { state: "approved", adminId, clientAddress });
      return { kind: "agreed", approval: earlier };
    }
    await updateLapsed(tx, kind, [subjectKey], now);
    // Decided between the two statements, and asked for again by somebody else.
    if (!(await insertApproval(tx, row))) throw new AppError("ALREADY_DECIDED");
  }
  const after = { approvalId, what, ...details };
  const { before } = ask;
  await deps.recordAudit(tx, {
    adminId,
    action: `propose-${ask.call}`,
    subjectId: ask.subject.id,
    ...(before && { before }),
    after,
    clientAddress,
  });
  await publishChange(tx, approvalsChanged());
  await tellOthers(deps, tx, { ...row, subjectEmailNow: row.subjectEmail });
  return { kind: "waiting", approvalId };
}

/** Records a decision about an approval whose row is locked and waits. */
export async function settleApproval(
  deps: Deps,
  tx: Tx,
  approval: Approval,
  decision: { state: "approved" | "declined"; adminId: string; clientAddress: string },
): Promise<void> {
  const { approvalId, kind, what, askedBy, subjectId } = approval;
  const { state, adminId, clientAddress } = decision;
  assert(
    await updateState(tx, approvalId, { state, adminId, now: deps.clock.now() }),
    "an approval that was locked while it waited was decided",
  );
  const action = state === "approved" ? "approve" : "decline";
  await deps.recordAudit(tx, {
    adminId,
    action,
    subjectId,
    before: { approvalId, kind, what, askedBy },
    after: { state },
    clientAddress,
  });
  await publishChange(tx, approvalsChanged());
}

/** Approvals of these subjects lapse: the subjects were decided another way. */
export async function lapseApprovals(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  kind: ApprovalKindName,
  subjectKeys: readonly string[],
): Promise<void> {
  await updateLapsed(tx, kind, subjectKeys, deps.clock.now());
  await publishChange(tx, approvalsChanged());
}

type Subject = Pick<Approval, "kind" | "askedBy" | "subjectEmail" | "subjectEmailNow">;

/** Whether this administrator may decide: they are another person, and their role decides this kind. */
export function mayDecide(approval: Subject, person: Pick<Decider, "adminId" | "email" | "role">): boolean {
  return hasRoleFor(approval, person) && !isSamePerson(approval, person);
}

export function hasRoleFor({ kind }: Pick<Approval, "kind">, { role }: Pick<Decider, "role">): boolean {
  return approvalDeciders[kind]?.includes(role) === true;
}

/**
 * Whether the person asked for the approval, or is the one whom it is for. One person may be customer and administrator: the
 * mailbox tells, both as it was when somebody asked and as it is now.
 */
export function isSamePerson(approval: Subject, person: Pick<Decider, "adminId" | "email">): boolean {
  return (
    approval.askedBy === person.adminId ||
    [approval.subjectEmail, approval.subjectEmailNow].some((email) => isSameMailbox(email, person.email))
  );
}

/**
 * Whether a customer's account is the administrator's own: by the mailbox, or because they switched between the two, which a new
 * e-mail of the account does not undo.
 */
export async function isOneself(
  tx: Tx,
  admin: Pick<Decider, "adminId" | "email">,
  customer: { id: string; email: string },
): Promise<boolean> {
  return isSameMailbox(customer.email, admin.email) || (await hasSwitched(tx, admin.adminId, customer.id));
}

/** An address with a plus part reaches the same person. */
function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other);
}

function mailboxOf(email: string): string {
  const [name = "", host = ""] = email.toLowerCase().split("@");
  return `${name.split("+")[0] ?? ""}@${host}`;
}

/** @throws AppError `AUTH_REQUIRED` for who is no administrator any more. */
export async function getAdmin(tx: Tx, adminId: string): Promise<Decider> {
  const admin = await findDecider(tx, adminId);
  if (admin === undefined) throw new AppError("AUTH_REQUIRED");
  return admin;
}

async function tellOthers(deps: Deps, tx: Tx, approval: Subject & Pick<Approval, "what">): Promise<void> {
  const { adminName } = await getAdmin(tx, approval.askedBy);
  const others = (await selectDecidersOf(tx, ADMINISTRATORS_MAX)).filter((admin) => mayDecide(approval, admin));
  for (const admin of others.slice(0, MAILS_MAX)) {
    await writeMail(deps, tx, {
      recipient: admin.email,
      subject: "A second administrator is needed",
      greetingName: admin.adminName,
      blocks: [
        { kind: "text", text: `${adminName} asked for this, and another administrator has to agree:` },
        { kind: "text", text: approval.what },
        { kind: "action", label: "Decide", path: "/admin-dashboard/waiting" },
      ],
    });
  }
}
