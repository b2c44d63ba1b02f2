/** A carrier that is not ours: the C simulator beside the project, compiled when a compiler is there. */
import { buildSmscsim, type SmscsimPlace } from "@ewebal/smpp/testing/smscsim";

export type CarrierStats = {
  accepted: number;
  /** Distinct number and text among the accepted. */
  unique: number;
  duplicates: number;
  malformed: number;
  dlr_acked: number;
  /** Submits that it refused because they were more than `throttle-rate` allows. */
  throttled: number;
  /** Links that it closed on purpose, see `drop-every`. */
  dropped_conns: number;
};

export type ForeignCarrier = {
  smppPort: number;
  stats: () => Promise<CarrierStats>;
  set: (option: string, value: string | number) => Promise<void>;
  stop: () => Promise<void>;
};

const build = buildSmscsim("-O2");

/** The reason why it cannot run here, or undefined. */
export const reasonWithoutForeignCarrier = typeof build === "string" ? build : undefined;

if (typeof build !== "string") process.once("exit", build.remove);

/** @param options of smscsim, such as `{ "dlr-delay-ms": 50 }`; duplicates are found by number and text. */
export async function startForeignCarrier(
  options: Record<string, string | number> = {},
  place?: SmscsimPlace,
): Promise<ForeignCarrier> {
  if (typeof build === "string") throw new Error(build);
  const settings = Object.entries({ dup: "dest-text", ...options });
  const carrier = await build.start(
    settings.map(([name, value]) => `--${name}=${value}`),
    place,
  );
  return {
    smppPort: carrier.port,
    stats: async () => (await carrier.stats()) as unknown as CarrierStats,
    set: async (option, value) => {
      await carrier.control(`set ${option} ${value}`);
    },
    stop: carrier.stop,
  };
}

/** The `CARRIERS` setting of a product that sends through a port of this machine. */
export function carrierSetting(
  { smppPort }: Pick<ForeignCarrier, "smppPort">,
  more: Record<string, unknown> = {},
): string {
  return JSON.stringify([
    {
      name: "Foreign",
      kind: "smpp",
      host: "127.0.0.1",
      port: smppPort,
      systemId: "ewebal",
      password: "secret",
      window: 100,
      messagesPerSecond: 100_000,
      ...more,
    },
  ]);
}
