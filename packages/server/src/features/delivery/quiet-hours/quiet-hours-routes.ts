import { quietHoursRoutes as contract, type QuietHoursAnswer } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listQuietHours, removeQuietHours, setQuietHours, viewDeferred, type QuietHoursRow } from "./quiet-hours.ts";

/** When promotional messages may leave, by country code. */
export function quietHoursRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewQuietHours,
    onRequest: requireAdmin,
    handler: async () => ({ data: (await listQuietHours(deps.db)).map(presentQuietHours), next: null }),
  });
  app.route({
    ...contract.viewDeferred,
    onRequest: requireAdmin,
    handler: async () => ({
      message: "What waits for quiet hours to end",
      data: {
        isOn: deps.config.hasQuietHours,
        codes: (await viewDeferred(deps)).map(({ until, ...counts }) => ({ ...counts, until: until.toISOString() })),
      },
    }),
  });
  app.route({
    ...contract.setQuietHours,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      const row = await setQuietHours(deps, body, { adminId, clientAddress: ip });
      return { message: "The quiet hours are changed", data: presentQuietHours(row) };
    },
  });
  app.route({
    ...contract.removeQuietHours,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId, quietHoursId }, ip }) => {
      await removeQuietHours(deps, quietHoursId, { adminId, clientAddress: ip });
      return { message: "Messages to this code may leave at any time" };
    },
  });
}

function presentQuietHours({ quietHoursId, ...hours }: QuietHoursRow): QuietHoursAnswer {
  return { _id: quietHoursId, ...hours };
}
