import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import { writeMail } from "../../mail/index.ts";
import type { RecordAudit } from "./audit.ts";
import { skeletonOf } from "./sender-name.ts";
import { decideRequest, hasRequest, insertAddress, insertSenderNames, type DecidedRequest } from "./whitelist-store.ts";

export type WhitelistDecision = {
  requestId: string;
  state: "approved" | "declined";
  /** For the customer; shown with a decline. */
  reason: string;
  adminId: string;
  clientAddress: string;
};

/**
 * Approves or declines a request, once, also when two administrators press at the same moment. A mail tells the customer.
 *
 * @throws AppError `NOT_FOUND`, or `ALREADY_DECIDED`.
 */
export async function decideWhitelistRequest(deps: Deps & { recordAudit: RecordAudit }, decision: WhitelistDecision): Promise<void> {
  const now = deps.clock.now();
  await withTransaction(deps.db, async (tx) => {
    const request = await decideRequest(tx, { ...decision, now });
    if (request === undefined) throw new AppError((await hasRequest(tx, decision.requestId)) ? "ALREADY_DECIDED" : "NOT_FOUND");
    const { userId, senderName, address } = request;
    if (decision.state === "approved") {
      if (senderName !== null) await insertSenderNames(tx, userId, [{ name: senderName, skeleton: skeletonOf(senderName) }], now);
      if (address !== null) await insertAddress(tx, userId, address, now);
    }
    await writeMail(deps, tx, decisionMail(request, decision));
    await deps.recordAudit(tx, {
      adminId: decision.adminId,
      action: decision.state === "approved" ? "approve-whitelist-request" : "decline-whitelist-request",
      subjectId: userId,
      before: { requestId: decision.requestId, state: "pending" },
      after: { state: decision.state, ...(senderName === null ? { ip: address } : { senderName }), reason: decision.reason },
      clientAddress: decision.clientAddress,
    });
    await publishChange(tx, { userId, topics: ["whitelists", "user"] }, { admin: true, topics: ["admin"] });
  });
}

function decisionMail(request: DecidedRequest, { state, reason }: WhitelistDecision): Parameters<typeof writeMail>[2] {
  const what = request.senderName === null ? `IP address ${request.address}` : `sender name ${request.senderName}`;
  const outcome = state === "approved" ? `Your ${what} is approved. You can use it from now on.` : `Your ${what} was not approved.`;
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
