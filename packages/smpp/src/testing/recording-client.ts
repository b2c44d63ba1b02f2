import { buildParts } from "../message/build-parts.ts";
import type { ClientEvent, ClientOptions, Delivery, Submit, SubmitOutcome } from "../client/client-types.ts";
import { SmppClient } from "../client/smpp-client.ts";
import { sourceAddress } from "../message/source-address.ts";

/** A client that writes down all it is told, and what it is to do with deliveries. */
export type RecordingClient = {
  readonly client: SmppClient<string>;
  readonly outcomes: Map<string, SubmitOutcome[]>;
  readonly deliveries: Delivery[];
  readonly events: ClientEvent[];
  readonly eventKinds: () => string[];
  readonly outcomeCount: () => number;
  readonly countOf: (kind: SubmitOutcome["kind"]) => number;
};

export type RecordingOptions = {
  readonly port: number;
  /** Default: acknowledge. */
  readonly onDelivery?: (delivery: Delivery) => void;
  readonly onReady?: (client: SmppClient<string>) => void;
} & Partial<ClientOptions>;

export function recordingClient(options: RecordingOptions): RecordingClient {
  const outcomes = new Map<string, SubmitOutcome[]>();
  const deliveries: Delivery[] = [];
  const events: ClientEvent[] = [];
  const { onDelivery, onReady, ...clientOptions } = options;
  const client = new SmppClient<string>(
    {
      host: "127.0.0.1",
      systemId: "shop",
      password: "secret",
      messagesPerSecond: 1_000_000,
      reconnectBaseMs: 10,
      reconnectMaxMs: 50,
      ...clientOptions,
    },
    {
      onOutcome(context, outcome) {
        outcomes.set(context, [...(outcomes.get(context) ?? []), outcome]);
      },
      onDelivery(delivery) {
        deliveries.push(delivery);
        if (onDelivery === undefined) delivery.acknowledge();
        else onDelivery(delivery);
      },
      onReady: () => onReady?.(client),
      onEvent: (event) => events.push(event),
    },
  );
  const all = (): SubmitOutcome[] => [...outcomes.values()].flat();
  return {
    client,
    outcomes,
    deliveries,
    events,
    eventKinds: () => events.map(({ kind }) => kind),
    outcomeCount: () => all().length,
    countOf: (kind) => all().filter((outcome) => outcome.kind === kind).length,
  };
}

/** A submit that a test is not about. */
export function buildSubmit(overrides: Partial<Submit> & { text?: string } = {}): Submit {
  const { text = "Hello", ...fields } = overrides;
  const [part] = buildParts(text);
  if (part === undefined) throw new Error("a test submits an empty text");
  return { source: sourceAddress("SHOP"), destination: "2348031234567", part, ...fields };
}

/** Submits `count` messages named `<prefix>0`, `<prefix>1`, ... as fast as the client takes them. */
export function feeder(count: number, prefix = "m"): (client: SmppClient<string>) => void {
  let next = 0;
  return (client) => {
    while (next < count && client.canSubmit()) {
      client.submit(
        buildSubmit({ text: `#${next} hello`, destination: `23480${30_000_000 + next}` }),
        `${prefix}${next}`,
      );
      next += 1;
    }
  };
}
