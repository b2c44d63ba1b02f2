import { v7 as uuidv7 } from "uuid";
import type { Role } from "../../base/config.ts";
import type { Deps } from "../../base/deps.ts";
import { beat, deleteHeartbeat, deleteOldHeartbeats } from "./health-store.ts";

/** Three beats fit into the time after which a silent worker counts as gone. */
const BEAT_INTERVAL_MS = 5_000;

/**
 * Says every five seconds that this process is alive, until it is stopped. A beat that fails is logged and followed by
 * the next one: a database that is away must not end the process that waits for it.
 */
export function startHeartbeat(deps: Pick<Deps, "db" | "log">, role: Role): { stop: () => Promise<void> } {
  const process = { processId: uuidv7(), roles: [role] };
  const tryTo = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => deps.log.warn({ err: error }, "a sign of life could not be written"));
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
