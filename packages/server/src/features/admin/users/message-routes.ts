import { adminMessageRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { viewAnyDraft, viewAnyMessage } from "../../messages/index.ts";

/** The administrators' look at single messages and drafts; their lists are the messages feature's own. */
export function messageRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewAnySms,
    onRequest: requireAdmin,
    handler: async (request) => ({ message: "Message", data: await viewAnyMessage(deps.db, request.params.messageId) }),
  });
  app.route({
    ...contract.viewAnyDraft,
    onRequest: requireAdmin,
    handler: async (request) => ({ message: "Draft", data: await viewAnyDraft(deps.db, request.params.draftId) }),
  });
}
