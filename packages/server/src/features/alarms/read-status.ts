/** How the service does, as everybody may know it: it follows from the open alarms, silenced or not, and from whether a worker is there. */
import type { AlarmKind } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import { keepFresh } from "../../db/keep-fresh.ts";
import { selectOpenAlarms } from "./alarm-store.ts";

export type State = "operational" | "degraded" | "down";
type Part = { name: string; state: State; since: string | null };
export type Status = { state: State; parts: Part[] };

export const STATUS_KEPT_SECONDS = 10;

const partNames = ["Website and API", "Sending", "E-mails", "Webhooks"] as const;
type PartName = (typeof partNames)[number];

/** What an open alarm means to customers; the others are ours alone. */
const effects: Partial<Record<AlarmKind, PartName>> = {
  "carrier-down": "Sending",
  "queue-old": "Sending",
  "mails-stuck": "E-mails",
  "webhooks-stuck": "Webhooks",
};
/** What only workers do. */
const workersParts: readonly PartName[] = ["Sending", "E-mails", "Webhooks"];

/**
 * The status, read once in ten seconds at most, however many ask.
 *
 * @param hasWorker whether a worker was seen lately.
 */
export function createStatusReader(
  deps: Pick<Deps, "db" | "log" | "clock">,
  hasWorker: () => Promise<boolean>,
): () => Promise<Status> {
  // Since when each part has its state, as this process saw it. Where an alarm is open, its time counts.
  const seen = new Map<PartName, { state: State; since: Date }>();
  const read = async (): Promise<Status> => {
    const now = deps.clock.now();
    const found = await findStates(deps, hasWorker);
    const parts = partNames.map((name): Part => {
      const { state, since } = found.get(name) ?? { state: "operational", since: undefined };
      const last = seen.get(name);
      if (last?.state !== state) seen.set(name, { state, since: since ?? now });
      // Of a part that works since the start of this process nobody knows since when.
      const known = since ?? (last === undefined && state === "operational" ? undefined : seen.get(name)?.since);
      return { name, state, since: known?.toISOString() ?? null };
    });
    return { state: worstOf(parts.map(({ state }) => state)), parts };
  };
  // A read that fails says so in its answer.
  const onError = (): void => undefined;
  return keepFresh({ keptMs: STATUS_KEPT_SECONDS * 1_000, read, isEqual: () => false, onError });
}

type Found = { state: State; since: Date | undefined };

async function findStates(
  deps: Pick<Deps, "db" | "log">,
  hasWorker: () => Promise<boolean>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  try {
    const [alarms, isWorking] = await Promise.all([selectOpenAlarms(deps.db), hasWorker()]);
    for (const { kind, openedAt } of alarms) {
      const name = effects[kind];
      if (name === undefined) continue;
      const earlier = found.get(name)?.since;
      const since = earlier !== undefined && earlier < openedAt ? earlier : openedAt;
      found.set(name, { state: "degraded", since });
    }
    if (!isWorking) for (const name of workersParts) found.set(name, { state: "down", since: undefined });
  } catch (error) {
    // A database that does not answer is what this page says, not an error of it.
    deps.log.warn({ err: error }, "the database does not answer");
    for (const name of partNames) found.set(name, { state: "down", since: undefined });
  }
  return found;
}

function worstOf(states: readonly State[]): State {
  if (states.includes("down")) return "down";
  return states.includes("degraded") ? "degraded" : "operational";
}
