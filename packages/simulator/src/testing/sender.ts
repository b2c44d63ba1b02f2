import {
  buildParts,
  SmppClient,
  sourceAddress,
  type ClientEvent,
  type ClientOptions,
  type Receipt,
  type SubmitOutcome,
} from "@ewebal/smpp";

/** A customer of the simulator who writes down all that happens to what they send. */
export type Sender = {
  readonly client: SmppClient<string>;
  readonly outcomes: Map<string, SubmitOutcome>;
  readonly receipts: Receipt[];
  readonly events: ClientEvent[];
  /** Queues a message; it is submitted as soon as the window allows. Its parts are named `name`, `name/2`, ... */
  readonly send: (name: string, recipient: string, text: string, registeredDelivery?: number) => void;
  readonly idOf: (name: string) => string;
  readonly statesOf: (name: string) => string[];
  readonly close: () => Promise<void>;
};

export type SenderOptions = {
  readonly port: number;
  /** Default: acknowledge. */
  readonly onReceipt?: (receipt: Receipt) => void;
} & Partial<ClientOptions>;

export function startSender(options: SenderOptions): Sender {
  const { onReceipt = (receipt) => void receipt.acknowledge(), ...clientOptions } = options;
  const outcomes = new Map<string, SubmitOutcome>();
  const receipts: Receipt[] = [];
  const events: ClientEvent[] = [];
  const queue: (() => void)[] = [];
  const pump = (): void => {
    while (client.canSubmit() && queue.length > 0) queue.shift()?.();
  };
  const client = new SmppClient<string>(
    {
      host: "127.0.0.1",
      systemId: "shop",
      password: "secret",
      messagesPerSecond: 100_000,
      reconnectBaseMs: 10,
      reconnectMaxMs: 100,
      ...clientOptions,
    },
    {
      onOutcome: (name, outcome) => outcomes.set(name, outcome),
      onDelivery(delivery) {
        if (delivery.kind !== "receipt") return;
        receipts.push(delivery);
        onReceipt(delivery);
      },
      onReady: pump,
      onEvent: (event) => events.push(event),
    },
  );
  client.start();
  const idOf = (name: string): string => {
    const outcome = outcomes.get(name);
    return outcome?.kind === "accepted" ? outcome.messageId : "";
  };
  return {
    client,
    outcomes,
    receipts,
    events,
    send(name, recipient, text, registeredDelivery = 1) {
      queue.push(() => {
        const reference = client.nextReference(recipient);
        for (const [index, part] of buildParts(text).entries()) {
          const submit = { source: sourceAddress("SHOP"), destination: recipient, part, reference, registeredDelivery };
          client.submit(submit, index === 0 ? name : `${name}/${index + 1}`);
        }
      });
      pump();
    },
    idOf,
    statesOf: (name) => receipts.filter(({ messageId }) => messageId === idOf(name)).map(({ state }) => state),
    close: () => client.close({ drainMs: 200 }),
  };
}
