/** A carrier that is not ours: the C simulator beside the project, compiled when a compiler is there. */
import assert from "node:assert/strict";
import type { AddCarrierBody } from "@ewebal/contract";
import { SmppPeer } from "@ewebal/server/src/features/delivery/testing/smpp-peer.ts";
import { buildSmscsim, type SmscsimPlace } from "@ewebal/smpp/testing/smscsim";
import { signIn, type ApiClient } from "./api-client.ts";
import { waitUntil, type Product } from "./product.ts";

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

const SHORT_CODE = "32811";
const RECEIPT_AFTER_MS = 50;
/** As the simulator has it. */
const UNKNOWN_ENDING = "9902";

/**
 * Gives a customer a short code, and puts a carrier in the simulator's place whose phones can answer. It delivers to every number but
 * those that end as the simulator's unknown ones.
 *
 * @returns what sends their words; numbers without a plus.
 */
export async function connectPhones(
  product: Product,
  customer: ApiClient,
): Promise<{ bring: (from: string, text: string) => void; close: () => Promise<void> }> {
  const receipts = new Set<NodeJS.Timeout>();
  const peer = new SmppPeer((submit, count) => {
    const [id, phoneNo] = [String(count), submit.destination.address];
    submit.accept(id);
    const outcome = phoneNo.endsWith(UNKNOWN_ENDING) ? { word: "UNDELIV", errorCode: "001" } : {};
    const receipt = setTimeout(() => {
      receipts.delete(receipt);
      peer.receipt({ id, phoneNo, sender: submit.source.address, ...outcome });
    }, RECEIPT_AFTER_MS);
    receipts.add(receipt);
  });
  await peer.listen();
  const admin = await signIn(product, product.demo.admin, "admin");
  const carrier: AddCarrierBody = {
    name: "Answers",
    host: "127.0.0.1",
    port: peer.port,
    systemId: "answers",
    password: "secret",
    systemType: "",
    tls: false,
    binds: 1,
    window: 10,
    messagesPerSecond: 50,
    prefixes: [],
    weight: 1,
    priority: 0,
    receiptIds: "asIs",
    longMessages: "udh8",
    dndErrorCodes: [],
    classes: ["promotional", "transactional"],
    reachesDnd: false,
  };
  assert.equal((await admin.call("POST", `/api/${admin.actorId}/add-carrier`, carrier)).status, 201);
  const number = { number: SHORT_CODE, userID: customer.actorId };
  assert.equal((await admin.call("POST", `/api/${admin.actorId}/assign-number`, number)).status, 201);
  await waitUntil(async () => peer.sessions.some((session) => session.canDeliver()), "the carrier's bind", {
    withinMs: 30_000,
  });
  return {
    bring: (from, text) => peer.bring({ id: text, body: Buffer.from(text), from: `+${from}`, to: SHORT_CODE }),
    close: async () => {
      for (const receipt of receipts) clearTimeout(receipt);
      await peer.close();
    },
  };
}
