/** The web role: calls, pages and live events on one port. */
import { buildApp } from "./app.ts";
import { createEventHub, createListen, eventRoutes } from "../events/index.ts";
import { findEndedSessions } from "../features/accounts/index.ts";
import { createSimulationReader, startFigureWriter } from "../features/delivery/index.ts";
import { createRateReader } from "../features/rates/index.ts";
import { openDocuments } from "../features/site/index.ts";
import { createInsiderCheck } from "../http/session/insiders.ts";
import { servePages } from "../http/pages.ts";
import { virtualPhoneRoutes } from "../http/virtual-phone-routes.ts";
import type { StartMessage } from "../process-tree/messages.ts";
import { webDistFolder } from "../process-tree/web-build.ts";
import { openDeps, type RoleSettings, type RunningRole } from "./role-deps.ts";

/** How long running requests may take once the process was told to stop. */
const DRAIN_MS = 10_000;

/** @returns once it listens. */
export async function startWebRole(
  settings: RoleSettings & Pick<StartMessage, "simulator" | "localToken">,
): Promise<RunningRole> {
  const { config, databaseUrl, log } = settings;
  const { deps, close } = await openDeps(settings);
  const app = await buildApp(deps, settings.localToken);
  const hub = createEventHub({
    listen: createListen(
      () => databaseUrl,
      (error) => log.warn({ err: error }, "the connection for live events was lost"),
    ),
    log,
    findEndedSessions: (sessionIds) => findEndedSessions(deps, sessionIds),
  });
  eventRoutes(app, hub);
  virtualPhoneRoutes(app, settings.simulator, createInsiderCheck(config, settings.localToken));
  await servePages(
    app,
    webDistFolder,
    await openDocuments(
      {
        ...deps,
        readRates: createRateReader(deps),
        readTransactional: createRateReader(deps, "transactional"),
        readIsSimulated: createSimulationReader(deps),
      },
      webDistFolder,
    ),
  );
  const figures = startFigureWriter(deps);
  await app.listen({ host: config.host, port: config.port });
  return {
    stop: async () => {
      // `close` stops listening and waits for running requests; a client that never finishes is cut off.
      const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      await app.close();
      clearTimeout(timer);
      await figures.stop();
      await close();
    },
  };
}
