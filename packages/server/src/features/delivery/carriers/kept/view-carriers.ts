import type { CarrierAnswer, CarrierHealthAnswer } from "@ewebal/contract";
import type { CarrierSettings } from "../../../../base/config.ts";
import { keepFresh } from "../../../../db/keep-fresh.ts";
import type { Deps } from "../../../../base/deps.ts";
import { isStandingIn } from "../../../../base/trial-parts.ts";
import { selectCarrierHealth, type CarrierHealthSum } from "../carrier-health-store.ts";
import { SIMULATOR_NAME, simulatorCarrier } from "./simulator-carrier.ts";
import { hasKeptCarriers, selectKeptCarriers, type KeptCarrier } from "./kept-carrier-store.ts";
import { openSecret } from "../../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../../secrets/secrets-key.ts";

/** All carriers: the configuration's, then those that administrators keep by name; the simulator when there is none and it may stand in. No passwords. */
export async function viewCarriers(deps: Pick<Deps, "db" | "config">): Promise<CarrierAnswer[]> {
  const [kept, sums] = await Promise.all([selectKeptCarriers(deps.db), selectCarrierHealth(deps.db)]);
  const healthOf = (name: string): CarrierHealthAnswer => presentHealth(sums.find((sum) => sum.name === name));
  const configured = deps.config.carriers ?? [];
  const rows = configured.map((carrier) => ({ ...presentConfigured(carrier), health: healthOf(carrier.name) }));
  if (kept.length > 0) {
    const keys = await getSecretsKeys(deps.config);
    rows.push(...kept.map((carrier) => ({ ...presentKept(carrier, keys), health: healthOf(carrier.name) })));
  }
  if (rows.length > 0 || !isStandingIn(deps.config, "phones")) return rows;
  return [{ ...presentSimulator(), health: healthOf(SIMULATOR_NAME) }];
}

/** Whether messages go to the simulator: it may stand in, and there is no carrier of either kind, not even one that is switched off. */
export async function isSimulated({ db, config }: Pick<Deps, "db" | "config">): Promise<boolean> {
  return isStandingIn(config, "phones") && !(await hasKeptCarriers(db));
}

const SIMULATED_KEPT_MS = 500;

/** The same for what is drawn many times a second; never older than half a second. */
export function createSimulationReader(deps: Pick<Deps, "db" | "config" | "log">): () => Promise<boolean> {
  const isEqual = (one: boolean, other: boolean): boolean => one === other;
  const onError = (error: unknown): void =>
    deps.log.warn({ err: error }, "whether the simulator carries could not be read again");
  return keepFresh({ keptMs: SIMULATED_KEPT_MS, read: () => isSimulated(deps), isEqual, onError });
}

function presentConfigured(settings: CarrierSettings): Omit<CarrierAnswer, "health"> {
  const { password: _password, kind: _kind, ...carrier } = settings;
  return {
    ...carrier,
    systemType: carrier.systemType ?? "",
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
): Omit<CarrierAnswer, "health"> {
  return {
    _id: keptCarrierId,
    ...carrier,
    source: "administrators",
    isLocked: openSecret(keys, keptCarrierId, sealedPassword) === undefined,
  };
}

/** Its address is a loopback port that changes with every start. */
function presentSimulator(): Omit<CarrierAnswer, "health"> {
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
