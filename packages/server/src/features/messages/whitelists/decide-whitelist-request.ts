import assert from "node:assert/strict";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange, whitelistDecided } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { recordEvent } from "../../../outbox/index.ts";
import { findCustomer } from "../../accounts/index.ts";
import { askApproval, lapseApprovals, type ApprovalKind } from "../../approvals/index.ts";
import { addSenderNames, describeGift, findWarnings, recordGift } from "./give-sender-names.ts";
import { refuseSenderNames } from "../rules/content-rules.ts";
import { skeletonOf } from "./look-alikes.ts";
import {
  decideRequest,
  insertAddress,
  insertSenderNames,
  lockRequest,
  type DecidedRequest,
} from "./whitelist-store.ts";

export type WhitelistDecision = {
  requestId: string;
  state: "approved" | "declined";
  /** For the customer; shown with a decline. */
  reason: string;
  adminId: string;
  clientAddress: string;
};

/**
 * Approves or declines a request, once, also when two administrators press at the same moment. A mail tells the customer. The
 * approval of a name that reads like a reserved one waits for a second administrator; the request stays pending.
 *
 * @returns the approval's id when it waits.
 * @throws AppError `NOT_FOUND`, or `ALREADY_DECIDED`.
 */
export async function decideWhitelistRequest(
  deps: Deps,
  decision: WhitelistDecision,
): Promise<{ approvalId: string } | undefined> {
  const { requestId, adminId, clientAddress } = decision;
  return await withTransaction(deps.db, async (tx) => {
    const request = await lockRequest(tx, requestId);
    if (request === undefined) throw new AppError("NOT_FOUND");
    const { state, senderName, userId, email } = request;
    if (state !== "pending") throw new AppError("ALREADY_DECIDED");
    if (decision.state === "approved" && senderName !== null) await refuseSenderNames(tx, [senderName]);
    let askedBy: string | undefined;
    if (decision.state === "approved" && senderName !== null && findWarnings(deps, senderName).length > 0) {
      const outcome = await askApproval(deps, tx, {
        kind: "sender",
        subjectKey: requestId,
        subject: { id: userId, email },
        what: describeGift(deps, request, [senderName]),
        details: { requestId, senderName },
        call: "approve-whitelist-request",
        adminId,
        clientAddress,
      });
      if (outcome.kind === "waiting") return outcome;
      ({ askedBy } = outcome.approval);
    }
    await settleRequest(deps, tx, { ...decision, ...(askedBy !== undefined && { askedBy }) });
    return undefined;
  });
}

/**
 * Carries out a decision about a request: approves what was requested or not, with mail and audit entry.
 *
 * @param decision askedBy: the administrator who asked for a second one, if there was one.
 * @throws AppError `ALREADY_DECIDED`
 */
async function settleRequest(deps: Deps, tx: Tx, decision: WhitelistDecision & { askedBy?: string }): Promise<void> {
  const { requestId, state, reason, adminId, askedBy, clientAddress } = decision;
  const now = deps.clock.now();
  const request = await decideRequest(tx, { requestId, state, reason, adminId, now });
  if (request === undefined) throw new AppError("ALREADY_DECIDED");
  await lapseApprovals(deps, tx, "sender", [requestId]);
  const { userId, senderName, address } = request;
  if (state === "approved") {
    if (senderName !== null)
      await insertSenderNames(tx, userId, [{ name: senderName, skeleton: skeletonOf(senderName) }], now);
    if (address !== null) await insertAddress(tx, userId, address, now);
  }
  if (senderName !== null)
    await recordEvent(tx, { userId, type: "sender.decided", data: { senderName, decision: state } });
  await writeMail(deps, tx, decisionMail(request, decision));
  await deps.recordAudit(tx, {
    adminId,
    action: state === "approved" ? "approve-whitelist-request" : "decline-whitelist-request",
    subjectId: userId,
    before: { requestId, state: "pending" },
    after: {
      state,
      ...(senderName === null ? { ip: address } : { senderName }),
      reason,
      ...(askedBy !== undefined && { askedBy }),
    },
    clientAddress,
  });
  await publishChange(tx, whitelistDecided(userId));
}

function decisionMail(request: DecidedRequest, { state, reason }: WhitelistDecision): Parameters<typeof writeMail>[2] {
  const what = request.senderName === null ? `IP address ${request.address}` : `sender name ${request.senderName}`;
  const outcome =
    state === "approved" ? `Your ${what} is approved. You can use it from now on.` : `Your ${what} was not approved.`;
  return {
    recipient: request.email,
    subject: state === "approved" ? `Approved: ${what}` : `Not approved: ${what}`,
    greetingName: request.userName,
    blocks: [
      { kind: "text", text: reason === "" ? outcome : `${outcome}\n\n${reason}` },
      { kind: "action", label: "Your whitelists", path: "/user-dashboard/whitelists" },
    ],
  };
}

/** What happens when a second administrator approves sender names that read like reserved ones, or a request for one. */
export function senderApproval(deps: Deps): ApprovalKind {
  return {
    lockSubject: async (tx, { details: { requestId } }) => {
      if (typeof requestId === "string") await lockRequest(tx, requestId);
    },
    carryOut: async (tx, { subjectId, details, askedBy }, decider) => {
      const { names, requestId } = details;
      if (typeof requestId === "string") {
        if (typeof details["senderName"] === "string") await refuseSenderNames(tx, [details["senderName"]]);
        await settleRequest(deps, tx, { requestId, state: "approved", reason: "", askedBy, ...decider });
        return "Approved. A mail was sent to the customer";
      }
      const customer = await findCustomer(tx, subjectId);
      assert(customer !== undefined && Array.isArray(names), "an approval of sender names names them and a customer");
      await refuseSenderNames(tx, names.map(String));
      const newNames = await addSenderNames(deps, tx, { customer, names: names.map(String), adminId: decider.adminId });
      await recordGift(deps, tx, { customer, newNames, askedBy, ...decider });
      return `Approved: ${names.join(", ")}`;
    },
  };
}
