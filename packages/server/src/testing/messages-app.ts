import { buildApp } from "../app.ts";
import { recordAudit } from "../features/admin/index.ts";
import { messageRoutes } from "../features/messages/index.ts";
import { test as base, type AppFixtures } from "./app.ts";

export { expect, overlap } from "./app.ts";

/** The app with the routes of messages. */
export const test = base.extend<Pick<AppFixtures, "app">>({
  app: async ({ deps }, use) => {
    const app = await buildApp(deps);
    if (!app.hasRoute({ method: "POST", url: "/api/:userId/send-bulk-sms" })) {
      await messageRoutes(app, { ...deps, recordAudit: (tx, entry) => recordAudit(deps, tx, entry) });
    }
    await app.ready();
    await use(app);
    await app.close();
  },
});
