import {
  messageClasses,
  type CarrierAnswer,
  type CarrierHealthAnswer,
  type HttpCarrierAnswer,
  type SendingAnswer,
  type SmppCarrierAnswer,
} from "@ewebal/contract";
import type { HttpCarrierSettings } from "../../../../base/config-readers.ts";
import { openHttpLink } from "./kept-http-carriers.ts";
import { selectKeptHttpCarriers, type KeptHttpCarrier } from "./kept-http-store.ts";
import type { SmppDeliveryCarrier } from "./read-carriers.ts";
import { keepFresh } from "../../../../db/keep-fresh.ts";
import type { Deps } from "../../../../base/deps.ts";
import { isStandingIn } from "../../../../base/trial-parts.ts";
import { countWaitingRecipients, findOldestQueued } from "../../queue/batch-store.ts";
import { closedLanesAt, readQuietHours } from "../../quiet-hours/quiet-hours.ts";
import { listWorkers } from "../../../../http/monitoring/health.ts";
import { selectCarrierHealth, type CarrierHealthSum } from "../carrier-store.ts";
import { SIMULATOR_NAME, simulatorCarrier } from "./simulator-carrier.ts";
import { hasKeptCarriers, selectKeptCarriers, type KeptCarrier } from "./kept-carrier-store.ts";
import { openSecret } from "../../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../../secrets/secrets-key.ts";

/** Lists all carriers without their passwords: those of the configuration, then those that administrators keep, by name; or the simulator in their place. */
export async function viewCarriers(deps: Pick<Deps, "db" | "config">): Promise<CarrierAnswer[]> {
  const [kept, keptHttp, sums] = await Promise.all([
    selectKeptCarriers(deps.db),
    selectKeptHttpCarriers(deps.db),
    selectCarrierHealth(deps.db),
  ]);
  const healthOf = (name: string): CarrierHealthAnswer => presentHealth(sums.find((sum) => sum.name === name));
  const configured = deps.config.carriers ?? [];
  const rows: CarrierAnswer[] = configured.map((carrier) => ({
    ...(carrier.kind === "http" ? presentConfiguredHttp(carrier) : presentConfigured(carrier)),
    health: healthOf(carrier.name),
  }));
  if (kept.length + keptHttp.length > 0) {
    const keys = await getSecretsKeys(deps.config);
    const all = [
      ...kept.map((carrier) => presentKept(carrier, keys)),
      ...keptHttp.map((carrier) => presentKeptHttp(carrier, keys)),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    rows.push(...all.map((carrier) => ({ ...carrier, health: healthOf(carrier.name) })));
  }
  if (rows.length > 0 || !isStandingIn(deps.config, "phones")) return rows;
  return [{ ...presentSimulator(), health: healthOf(SIMULATOR_NAME) }];
}

/** Whether messages go to the simulator: it is allowed, and no carrier of either kind exists, not even one that is switched off. */
export async function isSimulated({ db, config }: Pick<Deps, "db" | "config">): Promise<boolean> {
  return isStandingIn(config, "phones") && !(await hasKeptCarriers(db));
}

/** Workers tell how their carriers do about every second; more readers than one share an answer. */
const SENDING_KEPT_MS = 1_000;

/**
 * How many recipients wait, which workers run, and how the carriers do. The reader asks the database once a second at most, however many
 * administrators look: 20 ms with 20,000 batches of 500 recipients that wait (2026-11-23, a busy machine of two cores).
 */
export function createSendingReader(deps: Pick<Deps, "db" | "config" | "log" | "clock">): () => Promise<SendingAnswer> {
  const read = async (): Promise<SendingAnswer> => {
    const closedLanes = closedLanesAt(await readQuietHours(deps, deps.db), deps.clock.now());
    const [waitingRecipients, waitingSince, workers, carriers] = await Promise.all([
      countWaitingRecipients(deps.db),
      findOldestQueued(deps.db, closedLanes),
      listWorkers(deps.db),
      viewCarriers(deps),
    ]);
    return {
      waitingRecipients,
      waitingSince: waitingSince?.toISOString() ?? null,
      workers: workers.map(({ host, startedAt, diskFreePercent }) => ({
        host,
        startedAt: startedAt.toISOString(),
        diskFreePercent,
      })),
      carriers,
    };
  };
  const onError = (error: unknown): void =>
    deps.log.warn({ err: error }, "what is on its way to the carriers could not be read again");
  return keepFresh({ keptMs: SENDING_KEPT_MS, read, isEqual: () => false, onError });
}

const SIMULATED_KEPT_MS = 500;

/** `isSimulated` for pages that ask many times a second. The answer is at most half a second old. */
export function createSimulationReader(deps: Pick<Deps, "db" | "config" | "log">): () => Promise<boolean> {
  const isEqual = (one: boolean, other: boolean): boolean => one === other;
  const onError = (error: unknown): void =>
    deps.log.warn({ err: error }, "whether the simulator carries could not be read again");
  return keepFresh({ keptMs: SIMULATED_KEPT_MS, read: () => isSimulated(deps), isEqual, onError });
}

function presentConfigured(settings: SmppDeliveryCarrier): Omit<SmppCarrierAnswer, "health"> {
  const { password: _password, ...carrier } = settings;
  return {
    ...carrier,
    systemType: carrier.systemType ?? "",
    classes: carrier.classes ?? [...messageClasses],
    reachesDnd: carrier.reachesDnd ?? false,
    priority: 0,
    dndErrorCodes: [],
    source: "configuration",
    isEnabled: true,
    isLocked: false,
  };
}

function presentKept(
  { keptCarrierId, sealedPassword, ...carrier }: KeptCarrier,
  keys: readonly Buffer[],
): Omit<SmppCarrierAnswer, "health"> {
  return {
    _id: keptCarrierId,
    kind: "smpp",
    ...carrier,
    source: "administrators",
    isLocked: openSecret(keys, keptCarrierId, sealedPassword) === undefined,
  };
}

function presentConfiguredHttp({ link, ...carrier }: HttpCarrierSettings): Omit<HttpCarrierAnswer, "health"> {
  return {
    ...carrier,
    preset: carrier.preset ?? null,
    url: link.url.literals.join("-").split("?")[0] ?? "",
    method: link.method,
    headerNames: link.headers.map(({ name }) => name),
    secretNames: [],
    takesReports: link.report?.secret !== undefined,
    binds: 1,
    source: "configuration",
    isEnabled: true,
    isLocked: false,
  };
}

function presentKeptHttp(carrier: KeptHttpCarrier, keys: readonly Buffer[]): Omit<HttpCarrierAnswer, "health"> {
  const { keptCarrierId, name, isEnabled } = carrier;
  const { address, ...facts } = carrier.facts;
  return {
    ...facts,
    _id: keptCarrierId,
    kind: "http",
    name,
    url: address,
    binds: 1,
    source: "administrators",
    isEnabled,
    isLocked: openHttpLink(carrier, keys) === undefined,
  };
}

/** Leaves out the simulator's address, a loopback port that changes with every start. */
function presentSimulator(): Omit<SmppCarrierAnswer, "health"> {
  const { dndErrorCodes, ...settings } = simulatorCarrier({ smppPort: 0, systemId: "", password: "" });
  return { ...presentConfigured(settings), dndErrorCodes, source: "simulator" };
}

function presentHealth(sum: CarrierHealthSum | undefined): CarrierHealthAnswer {
  if (sum === undefined || sum.heldCount === 0) {
    return {
      link: "idle",
      since: null,
      boundBinds: 0,
      heldBinds: 0,
      lastError: sum?.lastError ?? null,
      lastErrorAt: sum?.lastErrorAt?.toISOString() ?? null,
      messagesPerSecond: 0,
      inFlight: 0,
      goodCount: sum?.goodCount ?? 0,
      badCount: sum?.badCount ?? 0,
    };
  }
  return {
    link: sum.boundCount > 0 ? "bound" : "connecting",
    since: sum.changedAt.toISOString(),
    boundBinds: sum.boundCount,
    heldBinds: sum.heldCount,
    lastError: sum.lastError,
    lastErrorAt: sum.lastErrorAt?.toISOString() ?? null,
    messagesPerSecond: sum.messagesPerSecond,
    inFlight: sum.inFlight,
    goodCount: sum.goodCount,
    badCount: sum.badCount,
  };
}
