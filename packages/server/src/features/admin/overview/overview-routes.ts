import { overviewRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, sessionOf } from "../../../http/session/session.ts";
import { presentCharts, presentOverview, presentWaiting, presentWaitingCounts } from "./present-overview.ts";
import { viewOverview, viewOverviewCharts } from "./view-overview.ts";
import { countWaiting, viewWaiting } from "./view-waiting.ts";

export function overviewRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewOverview,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Overview", data: presentOverview(await viewOverview(deps)) }),
  });
  app.route({
    ...contract.viewWaiting,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await viewWaiting(deps.db, sessionOf(request).actorId, request.query);
      return { data: rows.map(presentWaiting), next };
    },
  });
  app.route({
    ...contract.viewWaitingCounts,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Waiting", data: presentWaitingCounts(await countWaiting(deps.db)) }),
  });
  app.route({
    ...contract.viewOverviewCharts,
    onRequest: requireAdmin,
    handler: async (request) => ({
      message: "Overview",
      data: presentCharts(await viewOverviewCharts(deps, Number(request.query.days))),
    }),
  });
}
