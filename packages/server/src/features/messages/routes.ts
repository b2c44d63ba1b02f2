import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { dndRoutes } from "./dnd/dnd-routes.ts";
import { draftRoutes } from "./drafts/draft-routes.ts";
import { heldRoutes } from "./held/held-routes.ts";
import { historyRoutes } from "./history/history-routes.ts";
import { dailyLimitRoutes } from "./limits/daily-limit-routes.ts";
import { programRoutes } from "./program-api/program-routes.ts";
import { scheduledRoutes } from "./scheduled/scheduled-routes.ts";
import { sendRoutes } from "./send/send-routes.ts";
import { createSendDeps } from "./send/send.ts";
import { whitelistRoutes } from "./whitelists/whitelist-routes.ts";

/** Composing, sending, watching and keeping messages, and what may be sent as. */
export async function messageRoutes(app: App, deps: Deps): Promise<void> {
  const sendDeps = createSendDeps(deps);
  app.addHook("onClose", async () => await sendDeps.bodies.close());
  await sendRoutes(app, sendDeps);
  await scheduledRoutes(app, sendDeps);
  await draftRoutes(app, sendDeps);
  await programRoutes(app, sendDeps);
  historyRoutes(app, deps);
  whitelistRoutes(app, deps);
  dndRoutes(app, deps);
  heldRoutes(app, deps);
  dailyLimitRoutes(app, deps);
}
