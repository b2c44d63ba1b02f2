/**
 * `/healthz` (alive) and `/readyz` (ready to serve), for supervisors and load balancers; administrators see details.
 */
import { statfs } from "node:fs/promises";
import { hostname } from "node:os";
import { v7 as uuidv7 } from "uuid";
import type { Role } from "../../base/config.ts";
import type { Deps } from "../../base/deps.ts";
import { readVersions } from "../../db/migrate.ts";
import type { Queryable } from "../../db/pool.ts";
import type { App } from "../app-type.ts";
import {
  beat,
  type Beat,
  deleteHeartbeat,
  deleteOldHeartbeats,
  type SeenBeat,
  type SeenProcess,
  selectAppliedVersions,
  selectBeats,
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
  const neededVersions = await readVersions();

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
 * by the next one: a database outage must not end the process, which tells of it when it is over.
 */
export function startHeartbeat(
  deps: Pick<Deps, "db" | "log" | "config" | "clock">,
  role: Role,
): { stop: () => Promise<void> } {
  const processId = uuidv7();
  let lostAt: Date | undefined;
  let outage: Beat["outage"];
  const tryTo = async (work: () => Promise<void>): Promise<void> => {
    const startedAt = deps.clock.now();
    try {
      await work();
    } catch (error) {
      lostAt ??= startedAt;
      deps.log.warn({ err: error }, "a heartbeat could not be written");
    }
  };
  const tell = async (): Promise<void> => {
    const diskFreePercent = await readFreePercent(deps.config.dataDir);
    const own = { processId, roles: [role], host: hostname(), diskFreePercent };
    const found = lostAt && { lostAt, backAt: deps.clock.now() };
    await beat(deps.db, { ...own, outage: found ?? outage });
    outage = found ?? outage;
    lostAt = undefined;
  };
  let running = tryTo(async () => {
    await deleteOldHeartbeats(deps.db);
    await tell();
  });
  const timer = setInterval(() => {
    running = running.then(async () => await tryTo(tell));
  }, BEAT_INTERVAL_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await tryTo(async () => await deleteHeartbeat(deps.db, processId));
    },
  };
}

/** @returns whole percent of the disk that a folder lies on; null where the system does not say. */
async function readFreePercent(folder: string): Promise<number | null> {
  try {
    const { bavail, blocks } = await statfs(folder);
    return blocks === 0 ? null : Math.floor((bavail * 100) / blocks);
  } catch {
    // The folder is made by the first file; until then there is nothing to say of it.
    return null;
  }
}

/** The workers that run, those that started first first. */
export async function listWorkers(db: Queryable): Promise<Pick<SeenBeat, "host" | "startedAt" | "diskFreePercent">[]> {
  const beats = await selectBeats(db, WORKER_SEEN_SECONDS);
  return beats
    .filter(({ roles }) => roles.includes("worker"))
    .toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
}

/** What processes with a worker's beat tell of their machines, for the alarms. */
export async function readBeats(db: Queryable): ReturnType<typeof selectBeats> {
  return await selectBeats(db, WORKER_SEEN_SECONDS);
}
