import { draftRoutes as contract, scheduledRoutes as scheduledContract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { bytesOf, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { requireAdmin, requireCustomer, requireCustomerOrAdmin } from "../../../http/session/session.ts";
import { limitSends } from "../limits/call-limit.ts";
import { presentDraft, presentSavedDraft } from "../present-message.ts";
import { dashboardCaller } from "../send/send-routes.ts";
import { presentScheduled, presentDashboardSent, scheduledStatus } from "../send/present-send.ts";
import type { SendDeps } from "../send/send.ts";
import { deleteDraft, editDraft, getDraft, listDrafts, saveDraft, scheduleDraft, sendDraft } from "./drafts.ts";

/** Messages that are written and not sent. */
export async function draftRoutes(app: App, deps: SendDeps): Promise<void> {
  readingRoutes(app, deps);
  await app.register(async (scope: App) => {
    takeJsonAsBytes(scope);
    writingRoutes(scope, deps);
  });
}

function readingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.populateDrafts,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const { rows, next } = await listDrafts(deps.db, request.params.userId, request.query);
      return { data: rows.map(presentDraft), next };
    },
  });
  app.route({
    ...contract.viewAllDrafts,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listDrafts(deps.db, undefined, request.query);
      return { data: rows.map(presentDraft), next };
    },
  });
  app.route({
    ...contract.viewOneDraft,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => ({ message: "Draft", data: presentDraft(await getDraft(deps.db, request.params)) }),
  });
  app.route({
    ...contract.deleteDraft,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await deleteDraft(deps, params);
      return { message: "Deleted Successfully" };
    },
  });
}

/** A draft may hold a million numbers. */
function writingRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.draftMessage,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const key = request.headers["idempotency-key"];
      const { draftId } = await saveDraft(deps, request.params.userId, bytesOf(request), key);
      return await reply.code(201).send(presentSavedDraft(draftId));
    },
  });
  app.route({
    ...contract.editDraft,
    onRequest: requireCustomer,
    handler: async (request) => {
      await editDraft(deps, request.params, bytesOf(request));
      return { message: "Draft saved" };
    },
  });
  app.route({
    ...contract.sendDraftSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const { draftId } = request.params;
      const caller = dashboardCaller(request);
      const send = { draftId, bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const { status, body } = presentDashboardSent(await sendDraft(deps, caller, send));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...scheduledContract.scheduleDraftSms,
    onRequest: [requireCustomer, limitSends(deps)],
    handler: async (request, reply) => {
      const { draftId } = request.params;
      const caller = dashboardCaller(request);
      const send = { draftId, bytes: bytesOf(request), key: request.headers["idempotency-key"] };
      const outcome = await scheduleDraft(deps, caller, send);
      return await reply.code(scheduledStatus(outcome)).send(presentScheduled(outcome));
    },
  });
}
