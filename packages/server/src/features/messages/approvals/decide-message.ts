import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerChanged, messageApproved, messageInReview, publishChange } from "../../../events/index.ts";
import { type MailContent, plainName, writeMail } from "../../../mail/index.ts";
import { type AccountActor, findCustomer, selectFullNames, updateApprovalLimit } from "../../accounts/index.ts";
import { approveMessage, type ApproverDecision, declineMessage } from "../../delivery/index.ts";

/**
 * An approver of the account lets a member's message go. One that an administrator is to look at as well waits for them.
 *
 * @returns whether it goes out now.
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `SAME_PERSON`; `BLOCKED`.
 */
export async function approveWaitingMessage(deps: Deps, decision: ApproverDecision): Promise<boolean> {
  return await withTransaction(deps.db, async (tx) => {
    await refuseBlocked(tx, decision.userId);
    const { isReleased, sentBy, senderName } = await approveMessage(tx, decision, deps.clock.now());
    await tellSender(deps, tx, sentBy, async (sender) => {
      const by = await nameOf(tx, decision.approverId);
      return messageApprovedMail(sender, { by, senderName, isReleased });
    });
    await publishChange(tx, messageApproved(decision));
    if (!isReleased) await publishChange(tx, messageInReview());
    return isReleased;
  });
}

/** Its units come back, and its sender is told why. @throws AppError as `approveWaitingMessage`. */
export async function declineWaitingMessage(
  deps: Deps,
  { reason, ...decision }: ApproverDecision & { reason: string },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const by = await nameOf(tx, decision.approverId);
    const { sentBy, senderName } = await declineMessage(tx, decision, deps.clock.now());
    await tellSender(deps, tx, sentBy, (sender) => messageDeclinedMail(sender, { by, senderName, reason }));
    await publishChange(tx, messageApproved(decision));
  });
}

type MailReader = { email: string; userName: string };

/** Who sent it may have left meanwhile. */
async function tellSender(
  deps: Deps,
  tx: Tx,
  sentBy: string | null,
  mailFor: (sender: MailReader) => MailContent | Promise<MailContent>,
): Promise<void> {
  const sender = sentBy === null ? undefined : await findCustomer(tx, sentBy);
  if (sender !== undefined) await writeMail(deps, tx, await mailFor(sender));
}

async function nameOf(tx: Tx, personId: string): Promise<string> {
  return (await selectFullNames(tx, [personId])).get(personId) ?? "An approver";
}

/** A message of a blocked account waits, as a scheduled one does. */
async function refuseBlocked(tx: Tx, userId: string): Promise<void> {
  if ((await findCustomer(tx, userId))?.isBlocked !== false) throw new AppError("BLOCKED");
}

function messageApprovedMail(
  reader: MailReader,
  { by, senderName, isReleased }: { by: string; senderName: string; isReleased: boolean },
): MailContent {
  const next = isReleased ? "It goes out." : "We look at it as well before it goes out.";
  return {
    recipient: reader.email,
    subject: "Your message was approved",
    greetingName: reader.userName,
    blocks: [
      { kind: "text", text: `${plainName(by)} approved a message that you sent as ${senderName}. ${next}` },
      { kind: "action", label: "See the history", path: "/user-dashboard/sms-history" },
    ],
  };
}

function messageDeclinedMail(
  reader: MailReader,
  { by, senderName, reason }: { by: string; senderName: string; reason: string },
): MailContent {
  return {
    recipient: reader.email,
    subject: "Your message was not approved",
    greetingName: reader.userName,
    blocks: [
      {
        kind: "text",
        text: `${plainName(by)} refused a message that you sent as ${senderName}. Nobody got it, and its units came back.`,
      },
      ...(reason === "" ? [] : [{ kind: "facts" as const, rows: [["Reason", reason] as [string, string]] }]),
      { kind: "action", label: "See the history", path: "/user-dashboard/sms-history" },
    ],
  };
}

/** @param recipients null: nothing waits. */
export async function setApprovalLimit(
  deps: Deps,
  userId: string,
  recipients: number | null,
  by: AccountActor,
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const account = await findCustomer(tx, userId);
    const change = { before: { recipients: account?.approvalAbove }, after: { recipients } };
    await deps.recordAudit(tx, { ...by, action: "set-approval-limit", subjectId: userId, ...change });
    await updateApprovalLimit(tx, userId, recipients);
    await publishChange(tx, customerChanged(userId));
  });
}
