import type { SmppCarrierSettings } from "../../../../base/config-readers.ts";
import type { SimulatorAddress } from "../../../../base/deps.ts";

export const SIMULATOR_NAME = "Simulator";

type Access = Pick<SimulatorAddress, "smppPort" | "systemId" | "password">;

/** The built-in simulator as a carrier. Messages reach it over SMPP, as they reach every carrier. */
export function simulatorCarrier({
  smppPort,
  systemId,
  password,
}: Access): SmppCarrierSettings & { dndErrorCodes: string[] } {
  return {
    name: SIMULATOR_NAME,
    kind: "smpp",
    host: "127.0.0.1",
    port: smppPort,
    systemId,
    password,
    tls: false,
    binds: 1,
    window: 100,
    messagesPerSecond: 5_000,
    prefixes: [],
    weight: 1,
    receiptIds: "asIs",
    longMessages: "udh8",
    dndErrorCodes: ["088"],
  };
}
