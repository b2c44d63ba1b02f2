import assert from "node:assert/strict";
import type { Deps } from "../../../base/deps.ts";
import { findCustomer } from "../../accounts/index.ts";
import type { ApprovalKind } from "../../approvals/index.ts";
import { settleRequest } from "./decide-whitelist-request.ts";
import { addSenderNames, recordGift } from "./give-sender-names.ts";
import { lockRequest } from "./whitelist-store.ts";

/** Sender names that read like reserved ones, or a request for one: what happens when a second administrator approves. */
export function senderApproval(deps: Deps): ApprovalKind {
  return {
    lockSubject: async (tx, { details: { requestId } }) => {
      if (typeof requestId === "string") await lockRequest(tx, requestId);
    },
    carryOut: async (tx, { subjectId, details, askedBy }, decider) => {
      const { names, requestId } = details;
      if (typeof requestId === "string") {
        await settleRequest(deps, tx, { requestId, state: "approved", reason: "", askedBy, ...decider });
        return "Approved. A mail was sent to the customer";
      }
      const customer = await findCustomer(tx, subjectId);
      assert(customer !== undefined && Array.isArray(names), "an approval of sender names names them and a customer");
      const newNames = await addSenderNames(deps, tx, { customer, names: names.map(String), adminId: decider.adminId });
      await recordGift(deps, tx, { customer, newNames, askedBy, ...decider });
      return `Approved: ${names.join(", ")}`;
    },
  };
}
