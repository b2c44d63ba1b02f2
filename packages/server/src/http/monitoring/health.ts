/**
 * `/healthz` (alive) and `/readyz` (ready to serve), for supervisors and load balancers; administrators see details.
 */
import { v7 as uuidv7 } from "uuid";
import type { Role } from "../../base/config.ts";
import type { Deps } from "../../base/deps.ts";
import { readMigrations } from "../../db/migrate.ts";
import type { Queryable } from "../../db/pool.ts";
import type { App } from "../app-type.ts";
import {
  beat,
  deleteHeartbeat,
  deleteOldHeartbeats,
  type SeenProcess,
  selectAppliedVersions,
  selectProcesses,
} from "./health-store.ts";

/** A worker without a heartbeat for this long counts as gone. */
const WORKER_SEEN_SECONDS = 15;

/** Details for administrators, which features add. */
export type HealthDetails = (db: Queryable) => Promise<Record<string, unknown>>;

/** Whether messages wait for the decision of an administrator after a restore. */
export type IsRestored = (db: Queryable) => Promise<boolean>;

type Checks = { database: boolean; migrations: boolean; worker: boolean };

export async function healthRoutes(
  app: App,
  deps: Pick<Deps, "db" | "log">,
  details: HealthDetails,
  isRestored: IsRestored,
): Promise<void> {
  const neededVersions = (await readMigrations()).map(({ version }) => version);

  app.get("/healthz", { schema: { hide: true } }, async (_request, reply) => {
    return await reply.header("cache-control", "no-store").send({ status: "alive" });
  });

  app.get("/readyz", { schema: { hide: true } }, async (request, reply) => {
    const { checks, processes } = await look(deps, neededVersions);
    const isReady = Object.values(checks).every(Boolean);
    const answer = isReady
      ? { status: "ready", checks }
      : { status: "not ready", message: "The service is not ready", code: "UNAVAILABLE", checks };
    const restored = checks.migrations && (await isRestored(deps.db)) ? { restored: true } : {};
    const more =
      request.session?.kind === "admin" && checks.database
        ? { details: { processes, ...(await details(deps.db)) } }
        : {};
    return await reply
      .code(isReady ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ ...answer, ...restored, ...more });
  });
}

/** @returns how many live processes have this role. */
export async function countProcesses(db: Queryable, role: string): Promise<number> {
  return (await selectProcesses(db, WORKER_SEEN_SECONDS)).filter(({ roles }) => roles.includes(role)).length;
}

async function look(
  deps: Pick<Deps, "db" | "log">,
  neededVersions: readonly number[],
): Promise<{ checks: Checks; processes: SeenProcess[] }> {
  try {
    const applied = new Set(await selectAppliedVersions(deps.db));
    const migrations = neededVersions.every((version) => applied.has(version));
    const processes = migrations ? await selectProcesses(deps.db, WORKER_SEEN_SECONDS) : [];
    return {
      checks: { database: true, migrations, worker: processes.some(({ roles }) => roles.includes("worker")) },
      processes,
    };
  } catch (error) {
    // A database that does not answer is a result of this check, not an error.
    deps.log.warn({ err: error }, "the database does not answer");
    return { checks: { database: false, migrations: false, worker: false }, processes: [] };
  }
}

/** Three beats fit into the time after which a silent worker counts as gone. */
const BEAT_INTERVAL_MS = 5_000;

/**
 * Writes a heartbeat of this process every five seconds until it is stopped. A beat that fails is logged and followed
 * by the next one: a database outage must not end the process.
 */
export function startHeartbeat(deps: Pick<Deps, "db" | "log">, role: Role): { stop: () => Promise<void> } {
  const process = { processId: uuidv7(), roles: [role] };
  const tryTo = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => deps.log.warn({ err: error }, "a heartbeat could not be written"));
  };
  let running = tryTo(deleteOldHeartbeats(deps.db).then(async () => await beat(deps.db, process)));
  const timer = setInterval(() => {
    running = running.then(async () => await tryTo(beat(deps.db, process)));
  }, BEAT_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await tryTo(deleteHeartbeat(deps.db, process.processId));
    },
  };
}
