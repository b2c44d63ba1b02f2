/** Messages of an account's senders that wait for its approvers. */
import { teamRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer, sessionOf } from "../../../http/session/session.ts";
import { actorOf, findCustomer } from "../../accounts/index.ts";
import { listAwaitingApproval } from "../../delivery/index.ts";
import { presentMessages } from "../present-message.ts";
import { approveWaitingMessage, declineWaitingMessage, setApprovalLimit } from "./decide-message.ts";

export function messageApprovalRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.approvalLimit,
    onRequest: requireCustomer,
    handler: async ({ params: { userId } }) => {
      const account = await findCustomer(deps.db, userId);
      if (account === undefined) throw new AppError("NOT_FOUND");
      return { message: "Approval limit", data: { recipients: account.approvalAbove } };
    },
  });
  app.route({
    ...contract.setApprovalLimit,
    onRequest: requireCustomer,
    handler: async (request) => {
      const { recipients } = request.body;
      await setApprovalLimit(deps, request.params.userId, recipients, actorOf(request));
      const above = recipients?.toLocaleString("en");
      const message =
        above === undefined
          ? "No message waits for approval any more"
          : `Messages of senders to more than ${above} recipients wait for an approver`;
      return { message, data: { recipients } };
    },
  });
  app.route({
    ...contract.approvals,
    onRequest: requireCustomer,
    handler: async ({ params: { userId }, query }) => {
      const { rows, next } = await listAwaitingApproval(deps.db, userId, query);
      return { data: await presentMessages(deps, rows), next };
    },
  });
  app.route({
    ...contract.approveMessage,
    onRequest: requireCustomer,
    handler: async (request) => {
      const decision = { ...request.params, approverId: sessionOf(request).actorId };
      const isReleased = await approveWaitingMessage(deps, decision);
      return {
        message: isReleased ? "Approved. The message goes out" : "Approved. We look at this message before it is sent",
      };
    },
  });
  app.route({
    ...contract.declineMessage,
    onRequest: requireCustomer,
    handler: async (request) => {
      const decision = { ...request.params, approverId: sessionOf(request).actorId };
      await declineWaitingMessage(deps, { ...decision, reason: request.body?.reason ?? "" });
      return { message: "Refused. Nobody gets the message, and its units came back" };
    },
  });
}
