import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerChanged, messageApproved, messageInReview, publishChange } from "../../../events/index.ts";
import { type MailContent, plainName, writeMail } from "../../../mail/index.ts";
import { findCustomer, selectFullNames, updateApprovalLimit } from "../../accounts/index.ts";
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
    const { isReleased } = await approveMessage(tx, decision, deps.clock.now());
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
    const names = await selectFullNames(tx, [decision.approverId]);
    const { sentBy, senderName } = await declineMessage(tx, decision, deps.clock.now());
    const sender = sentBy === null ? undefined : await findCustomer(tx, sentBy);
    const by = names.get(decision.approverId) ?? "An approver";
    if (sender !== undefined) await writeMail(deps, tx, messageDeclinedMail(sender, { by, senderName, reason }));
    await publishChange(tx, messageApproved(decision));
  });
}

/** A message of a blocked account waits, as a scheduled one does. */
async function refuseBlocked(tx: Tx, userId: string): Promise<void> {
  if ((await findCustomer(tx, userId))?.isBlocked !== false) throw new AppError("BLOCKED");
}

function messageDeclinedMail(
  reader: { email: string; userName: string },
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
export async function setApprovalLimit(deps: Deps, userId: string, recipients: number | null): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await updateApprovalLimit(tx, userId, recipients);
    await publishChange(tx, customerChanged(userId));
  });
}
