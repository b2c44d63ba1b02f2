import type { LookupFunction } from "node:net";
import { messageClasses, type HttpRouteFields } from "@ewebal/contract";
import type { Config } from "../../../../base/config.ts";
import type { HttpCarrierSettings, SmppCarrierSettings } from "../../../../base/config-readers.ts";
import type { Deps } from "../../../../base/deps.ts";
import type { Carrier, LinkHealth, PreparedText } from "../carrier.ts";
import { HttpCarrier } from "../http/http-carrier.ts";
import { normalErrorCode } from "../smpp/read-report.ts";
import { SmppCarrier } from "../smpp/smpp-carrier.ts";
import type { CarrierDefinition } from "../../engine/routing/carrier-pool.ts";
import type { Handover } from "../../engine/in-flight.ts";
import { lookupCarrier } from "./check-host.ts";
import { selectKeptCarriers, type KeptCarrier } from "./kept-carrier-store.ts";
import { openHttpLink } from "./kept-http-carriers.ts";
import { selectKeptHttpCarriers, type KeptHttpCarrier } from "./kept-http-store.ts";
import { openSecret } from "../../../../secrets/seal-secret.ts";
import { getSecretsKeys } from "../../../../secrets/secrets-key.ts";

export type SmppDeliveryCarrier = SmppCarrierSettings & {
  /** Carriers with the lowest number are used first; default 0. */
  priority?: number;
  /** Codes in `err:` of this carrier's receipts that say a number is on the do-not-disturb list. */
  dndErrorCodes?: readonly string[];
};
export type DeliveryCarrier = SmppDeliveryCarrier | HttpCarrierSettings;

type ReaderDeps = Pick<Deps, "db" | "log"> & { config: Pick<Config, "secretsKey" | "oldSecretsKeys" | "dataDir"> };

/**
 * Reads the current carriers: those of the configuration, and those that administrators keep and have switched on. The simulator
 * carries only while no carrier of either kind exists. Otherwise messages for a carrier that is switched off would count as
 * delivered by the simulator.
 */
export function createCarrierReader(
  deps: ReaderDeps,
  options: { carriers: readonly DeliveryCarrier[]; standIn?: DeliveryCarrier | undefined },
) {
  const configured = options.carriers.map((settings) => defineCarrier(settings, deps.log, ""));
  const names = new Set(configured.map(({ name }) => name));
  return async (): Promise<CarrierDefinition[]> => {
    const [rows, httpRows] = [await selectKeptCarriers(deps.db), await selectKeptHttpCarriers(deps.db)];
    if (rows.length + httpRows.length === 0) {
      const { standIn } = options;
      return configured.length > 0 || standIn === undefined ? configured : [defineCarrier(standIn, deps.log, "")];
    }
    const keys = await getSecretsKeys(deps.config);
    const isUsed = (row: { isEnabled: boolean; name: string }): boolean => row.isEnabled && !names.has(row.name);
    const kept = rows.filter(isUsed).map((row) => defineKept(row, keys, deps.log));
    return [...configured, ...kept, ...httpRows.filter(isUsed).map((row) => defineKeptHttp(row, keys, deps.log))];
  };
}

function defineKept(row: KeptCarrier, keys: readonly Buffer[], log: Deps["log"]): CarrierDefinition {
  const { keptCarrierId, sealedPassword, isEnabled: _, ...facts } = row;
  const password = openSecret(keys, keptCarrierId, sealedPassword);
  const { prefixes: _prefixes, weight: _weight, priority: _priority, classes: _classes, ...rest } = facts;
  const { reachesDnd: _reachesDnd, ...link } = rest;
  const linkKey = JSON.stringify([link, sealedPassword.toString("base64"), password === undefined]);
  const definition = defineCarrier({ ...facts, kind: "smpp", password: password ?? "" }, log, linkKey, lookupCarrier);
  return password === undefined ? { ...definition, connect: () => new LockedCarrier(row.name) } : definition;
}

function defineKeptHttp(row: KeptHttpCarrier, keys: readonly Buffer[], log: Deps["log"]): CarrierDefinition {
  const { name, facts, sealedLink } = row;
  const linkKey = JSON.stringify([sealedLink.toString("base64"), facts.window, facts.messagesPerSecond]);
  const link = openHttpLink(row, keys);
  if (link === undefined) return { ...defineHttp({ ...facts, name }, linkKey), connect: () => new LockedCarrier(name) };
  return {
    ...defineHttp({ ...facts, name }, linkKey),
    connect: (handlers) => new HttpCarrier<Handover>({ ...facts, name, link, lookup: lookupCarrier, log }, handlers),
  };
}

/** One share, which one worker holds: its pace and its window are those of all workers together. */
function defineHttp(facts: HttpRouteFields & { name: string }, linkKey: string): Omit<CarrierDefinition, "connect"> {
  const { name, prefixes, weight, priority, classes, reachesDnd, messagesPerSecond } = facts;
  return { name, prefixes, weight, priority, classes, reachesDnd, bindCount: 1, messagesPerSecond, linkKey };
}

function defineCarrier(
  settings: DeliveryCarrier,
  log: Deps["log"],
  linkKey: string,
  lookup?: LookupFunction,
): CarrierDefinition {
  if (settings.kind === "http")
    return {
      ...defineHttp(settings, linkKey),
      connect: (handlers) => new HttpCarrier<Handover>({ ...settings, log }, handlers),
    };
  const dndErrorCodes = new Set((settings.dndErrorCodes ?? []).map(normalErrorCode));
  return {
    name: settings.name,
    prefixes: settings.prefixes,
    weight: settings.weight,
    priority: settings.priority ?? 0,
    classes: settings.classes ?? messageClasses,
    reachesDnd: settings.reachesDnd ?? false,
    bindCount: settings.binds,
    messagesPerSecond: settings.messagesPerSecond,
    linkKey,
    connect: (handlers) => new SmppCarrier<Handover>({ settings, dndErrorCodes, lookup, log }, handlers),
  };
}

/** A carrier whose secrets cannot be decrypted. It is never up, so that its messages wait until an administrator enters them again. */
class LockedCarrier implements Carrier<Handover> {
  readonly name: string;
  readonly windowSize = 0;
  readonly isUp = false;
  readonly health: LinkHealth = {
    boundCount: 0,
    openCount: 0,
    lastError: { text: "Its secrets cannot be read with this installation's key. Enter them again", at: new Date() },
  };

  constructor(name: string) {
    this.name = name;
  }

  async holdBinds(): Promise<void> {}

  prepare(): PreparedText {
    return { partCount: 1 };
  }

  canTake(): boolean {
    return false;
  }

  take(): void {
    throw new Error("nothing is given to a carrier that cannot take");
  }

  async close(): Promise<void> {}
}
