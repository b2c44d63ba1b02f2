import { commandStatus, esmClass, SmppServer, type IncomingSubmit, type ServerSession } from "@ewebal/smpp";
import type { SmppCarrierSettings } from "../../../base/config-readers.ts";

export type PeerSubmit = {
  phoneNo: string;
  sender: string;
  body: Buffer;
  esmClass: number;
  atMs: number;
  accept: (id: string) => void;
};
export type OnPeerSubmit = (submit: IncomingSubmit, count: number) => void;

/** A carrier's side of SMPP over loopback that does what the test says. */
export class SmppPeer {
  readonly submits: PeerSubmit[] = [];
  readonly acknowledged: unknown[] = [];
  readonly refused: unknown[] = [];
  readonly #server: SmppServer<string>;
  port = 0;

  constructor(onSubmit: OnPeerSubmit = (submit, count) => submit.accept(String(count))) {
    this.#server = new SmppServer<string>(
      { host: "127.0.0.1", port: 0, systemId: "PEER", deliverWindow: 1_000 },
      {
        onBind: () => commandStatus.ESME_ROK,
        onBound: () => undefined,
        onSubmit: (_session, submit) => {
          this.submits.push({
            phoneNo: submit.destination.address,
            sender: submit.source.address,
            body: submit.body,
            esmClass: submit.esmClass,
            atMs: performance.now(),
            accept: (id) => void submit.accept(id),
          });
          onSubmit(submit, this.submits.length);
        },
        onDelivered: (_session, context, outcome) => {
          if (outcome.kind === "acknowledged") this.acknowledged.push(context);
          if (outcome.kind === "refused") this.refused.push(context);
        },
        onReady: () => undefined,
        onClosed: () => undefined,
      },
    );
  }

  async listen(): Promise<this> {
    this.port = await this.#server.listen();
    return this;
  }

  get sessions(): ServerSession<string>[] {
    return [...this.#server.sessions];
  }

  settings(facts: Partial<SmppCarrierSettings> = {}): SmppCarrierSettings {
    return {
      name: "peer",
      kind: "smpp",
      host: "127.0.0.1",
      port: this.port,
      systemId: "test",
      password: "secret",
      tls: false,
      binds: 1,
      window: 50,
      messagesPerSecond: 10_000,
      prefixes: [],
      weight: 1,
      receiptIds: "asIs",
      longMessages: "udh8",
      ...facts,
    };
  }

  /** A receipt as text only, as most carriers write it. */
  receipt(facts: { id: string; phoneNo: string; sender?: string; word?: string; errorCode?: string }): void {
    const { id, phoneNo, sender = "Ewebal", word = "DELIVRD", errorCode = "000" } = facts;
    const body = `id:${id} sub:001 dlvrd:001 submit date:2501010000 done date:2501010001 stat:${word} err:${errorCode} text:`;
    const source = { ton: 1, npi: 1, address: phoneNo };
    const destination = { ton: 5, npi: 0, address: sender };
    const session = this.sessions.findLast((candidate) => candidate.canDeliver());
    if (
      session?.deliver({ source, destination, esmClass: esmClass.deliveryReceipt, dataCoding: 0, body }, id) !== true
    ) {
      throw new Error("nobody is bound to take the receipt");
    }
  }

  /** A message from a phone. */
  bring(facts: {
    id: string;
    body: Buffer;
    from?: string;
    to?: string;
    dataCoding?: number;
    hasHeader?: boolean;
    /** As if it were a receipt. */
    isMarked?: boolean;
  }): void {
    const {
      id,
      body,
      from = "+2348030000001",
      to = "32811",
      dataCoding = 0,
      hasHeader = false,
      isMarked = false,
    } = facts;
    const source = { ton: 1, npi: 1, address: from };
    const destination = { ton: 0, npi: 1, address: to };
    const [header, mark] = [hasHeader ? esmClass.userDataHeader : 0, isMarked ? esmClass.deliveryReceipt : 0];
    const session = this.sessions.findLast((candidate) => candidate.canDeliver());
    if (session?.deliver({ source, destination, esmClass: header | mark, dataCoding, body }, id) !== true) {
      throw new Error("nobody is bound to take the message");
    }
  }

  dropAll(): void {
    for (const session of this.sessions) session.destroy();
  }

  async close(): Promise<void> {
    await this.#server.close({ isPolite: false });
  }
}
