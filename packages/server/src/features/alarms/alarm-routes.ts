import { alarmRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin } from "../../http/session/session.ts";
import { silenceAlarm, viewAlarms } from "./manage-alarms.ts";
import { presentAlarm } from "./present-alarm.ts";

export function alarmRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewAlarms,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await viewAlarms(deps, query);
      return { data: rows.map((row) => presentAlarm(row, deps.clock.now())), next };
    },
  });
  app.route({
    ...contract.silenceAlarm,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId, alarmId }, body, ip }) => {
      const until = new Date(body.until);
      const alarm = await silenceAlarm(deps, { alarmId, until }, { adminId, clientAddress: ip });
      return { message: "The alarm is silent until then", data: presentAlarm(alarm, deps.clock.now()) };
    },
  });
}
