import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { messageApprovalRoutes } from "./approvals/approval-routes.ts";
import { dndRoutes } from "./dnd/dnd-routes.ts";
import { contentRuleRoutes } from "./rules/content-rule-routes.ts";
import { draftRoutes } from "./drafts/draft-routes.ts";
import { heldRoutes } from "./held/held-routes.ts";
import { historyRoutes } from "./history/history-routes.ts";
import { dailyLimitRoutes } from "./limits/daily-limit-routes.ts";
import { inboxRoutes } from "./inbox/reply.ts";
import { linkRoutes } from "./links/link-routes.ts";
import { optOutRoutes } from "./opt-outs/opt-out-routes.ts";
import { programRoutes } from "./program-api/program-routes.ts";
import { resultRoutes } from "./results/result-routes.ts";
import { scheduledRoutes } from "./scheduled/scheduled-routes.ts";
import { sendRoutes } from "./send/send-routes.ts";
import { createSendDeps } from "./send/send.ts";
import { templateRoutes } from "./templates/template-routes.ts";
import { codeResultRoute } from "./verifications/verification-routes.ts";
import { twilioRoutes } from "./twilio/twilio-routes.ts";
import { whitelistRoutes } from "./whitelists/whitelist-routes.ts";

/** Composing, sending, watching and keeping messages, and what may be sent as. */
export async function messageRoutes(app: App, deps: Deps): Promise<void> {
  const sendDeps = createSendDeps(deps);
  app.addHook("onClose", async () => await sendDeps.bodies.close());
  await sendRoutes(app, sendDeps);
  await scheduledRoutes(app, sendDeps);
  await draftRoutes(app, sendDeps);
  await programRoutes(app, sendDeps);
  await twilioRoutes(app, sendDeps);
  inboxRoutes(app, sendDeps);
  templateRoutes(app, deps);
  await optOutRoutes(app, deps);
  await linkRoutes(app, deps);
  historyRoutes(app, deps);
  messageApprovalRoutes(app, deps);
  resultRoutes(app, deps);
  codeResultRoute(app, deps);
  whitelistRoutes(app, deps);
  dndRoutes(app, deps);
  heldRoutes(app, deps);
  contentRuleRoutes(app, deps);
  dailyLimitRoutes(app, deps);
}
