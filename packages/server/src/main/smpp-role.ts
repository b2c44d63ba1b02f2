/** The SMPP role: what customers' clients bind to. */
import assert from "node:assert/strict";
import { ensureSmppCertificate, startSmppAccess } from "../features/smpp-access/index.ts";
import { startFigureWriter } from "../features/delivery/index.ts";
import { startHeartbeat } from "../http/monitoring/health.ts";
import { openDeps, type RoleSettings, type RunningRole } from "./role-deps.ts";

/** @returns once it listens. */
export async function startSmppRole(settings: RoleSettings): Promise<RunningRole> {
  const { smppListen } = settings.config;
  assert(smppListen !== undefined, "the role smpp has an address");
  const { host, port, hasTls } = smppListen;
  const tls = hasTls ? await ensureSmppCertificate(settings.config, settings.log) : undefined;
  const { deps, close } = await openDeps(settings);
  const access = await startSmppAccess(deps, { host, port, tls });
  const figures = startFigureWriter(deps);
  const heartbeat = startHeartbeat(deps, "smpp");
  deps.log.info({ host, port: access.port, hasTls }, "SMPP clients may bind");
  return {
    stop: async () => {
      await heartbeat.stop();
      await access.stop();
      await figures.stop();
      await close();
    },
  };
}
