/**
 * The SMPP server for customers: a socket, and what comes of each thing that a client may do.
 *
 *   bind             binds/judge-bind.ts        key, address, number of binds across hosts
 *   submit_sm        submits/submit-queue.ts    groups -> submit-group.ts -> messages/send/send-group.ts
 *   query_sm, ...    requests/answer-request.ts
 *   deliver_sm       deliveries/                report feed -> receipts -> delivery-pump.ts -> client
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { TlsOptions } from "node:tls";
import { commandStatus, SmppServer, type BindRequest } from "@ewebal/smpp";
import type { Deps } from "../../base/deps.ts";
import { findLiveKeys, type ProgramKey } from "../accounts/index.ts";
import { createRateReader } from "../rates/index.ts";
import { accessLimits, accessTimesMs } from "./access-limits.ts";
import { BindRegistry } from "./binds/bind-registry.ts";
import { judgeBind } from "./binds/judge-bind.ts";
import { DeliveryPump, type AccessSession } from "./deliveries/delivery-pump.ts";
import { deleteOldDeliveries, type LeasedDelivery } from "./deliveries/delivery-store.ts";
import { expireParts, makeReceipts } from "./deliveries/make-receipts.ts";
import { answerRequest } from "./requests/answer-request.ts";
import { SubmitQueue } from "./submits/submit-queue.ts";
import { deleteOldSubmits } from "./submits/submit-store.ts";
import { Timers } from "../../jobs/timers.ts";

export type AccessOptions = { host: string; port: number; tls?: TlsOptions | undefined };

export type SmppAccess = {
  port: number;
  /** Takes nothing more, answers what it has, and unbinds everybody. */
  stop: () => Promise<void>;
};

const PORT_POLL_MS = 100;
/** What the server calls itself in the answer to a bind. */
const SYSTEM_ID = "ewebal";

/** @throws the socket's error when the address cannot be had. */
export async function startSmppAccess(deps: Deps, options: AccessOptions): Promise<SmppAccess> {
  const access = new Access(deps, options);
  return { port: await access.start(), stop: () => access.stop() };
}

type Bound = { key: ProgramKey; bindId: string };

class Access {
  readonly #deps: Deps;
  readonly #registry: BindRegistry;
  readonly #queue: SubmitQueue;
  readonly #pump: DeliveryPump;
  readonly #server: SmppServer<LeasedDelivery>;
  readonly #bound = new Map<AccessSession, Bound>();
  readonly #timers: Timers;

  constructor(deps: Deps, { host, port, tls }: AccessOptions) {
    this.#deps = deps;
    this.#registry = new BindRegistry(deps);
    this.#queue = new SubmitQueue(deps, createRateReader(deps));
    this.#pump = new DeliveryPump(deps, this.#registry.hostId);
    this.#timers = new Timers((task, error) =>
      deps.log.warn({ err: error, task }, "a task of the SMPP server failed and comes again"),
    );
    this.#server = new SmppServer<LeasedDelivery>(
      {
        host,
        port,
        systemId: SYSTEM_ID,
        ...(tls && { tls }),
        connectionsMax: accessLimits.connectionsMax,
        unboundMax: accessLimits.unboundMax,
        openSubmitsMax: accessLimits.openSubmitsPerBindMax,
        readPauseAtSubmits: accessLimits.openSubmitsPerBind,
        deliverWindow: accessLimits.deliverWindow,
        enquireAfterMs: accessTimesMs.enquireAfter,
        deadlineMs: accessTimesMs.deadline,
        responseTimeoutMs: accessTimesMs.deliverAnswer,
      },
      {
        onBind: (request, session) => this.#judge(request, session),
        onBound: (session) => this.#onBound(session),
        onSubmit: (session, submit) => {
          const bound = this.#bound.get(session);
          if (bound === undefined) submit.refuse(commandStatus.ESME_RINVBNDSTS);
          else
            this.#queue.add({
              submit,
              key: bound.key,
              clientAddress: session.remoteAddress,
              drop: () => session.destroy(),
            });
        },
        onRequest: (session, incoming) => {
          const bound = this.#bound.get(session);
          if (bound === undefined) incoming.refuse(commandStatus.ESME_RINVBNDSTS);
          else void answerRequest(deps, bound.key, incoming);
        },
        onDelivered: (_session, delivery, outcome) => this.#pump.onDelivered(delivery, outcome),
        onReady: () => this.#pump.kick(),
        onClosed: (session) => this.#forget(session),
      },
    );
  }

  async start(): Promise<number> {
    await this.#registry.start();
    const port = await this.#listen();
    this.#timers.every("beat of the host", accessTimesMs.hostBeat, () => this.#registry.beat());
    this.#timers.every("keys of binds", accessTimesMs.keyPoll, () => this.#lookAtKeys());
    this.#timers.every("report feed", accessTimesMs.feedPoll, () => this.#readFeed());
    this.#timers.every("parts that are missing", accessTimesMs.expiryPoll, async () => {
      if ((await expireParts(this.#deps.db)) > 0) this.#pump.kick();
    });
    this.#timers.every("deliveries", accessTimesMs.deliveryPoll, () => this.#pump.kick());
    this.#timers.every("clean up", accessTimesMs.cleanUp, async () => {
      await deleteOldDeliveries(this.#deps.db, accessTimesMs.kept);
      await deleteOldSubmits(this.#deps.db);
    });
    return port;
  }

  /** The process before, whose parent was killed, needs a moment to answer what it has and to close its port. */
  async #listen(): Promise<number> {
    const deadlineMs = performance.now() + accessTimesMs.portWait;
    for (;;) {
      try {
        return await this.#server.listen();
      } catch (error) {
        const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
        if (!isTaken || performance.now() > deadlineMs) {
          await this.#registry.close();
          throw error;
        }
        await sleep(PORT_POLL_MS);
      }
    }
  }

  async stop(): Promise<void> {
    this.#timers.stop();
    const closed = this.#server.close();
    // What was read is answered before its connection goes; a client that does not agree to the unbind is cut off.
    await this.#queue.settled();
    const cut = setTimeout(() => {
      for (const session of this.#server.sessions) session.destroy();
    }, accessTimesMs.drain);
    await closed;
    clearTimeout(cut);
    await this.#timers.settled();
    await this.#pump.stop();
    await this.#registry.close();
  }

  async #judge(request: BindRequest, session: AccessSession): Promise<number> {
    const judged = await judgeBind(this.#deps, this.#registry, request);
    if (judged.kind === "refused") return judged.status;
    if (!this.#server.sessions.has(session)) {
      // It left meanwhile, and would keep its place among the key's binds.
      this.#registry.remove(judged.bindId);
      return commandStatus.ESME_RBINDFAIL;
    }
    this.#bound.set(session, judged);
    return commandStatus.ESME_ROK;
  }

  #onBound(session: AccessSession): void {
    const bound = this.#bound.get(session);
    if (bound === undefined) session.destroy();
    else if (session.isReceiver) this.#pump.addSession(bound.key, session);
  }

  #forget(session: AccessSession): void {
    const bound = this.#bound.get(session);
    if (bound === undefined) return;
    this.#bound.delete(session);
    this.#pump.removeSession(bound.key.keyId, session);
    this.#registry.remove(bound.bindId);
  }

  /** A key that changes, is revoked, expires, or whose owner is blocked: what it may do holds for those that are bound, too. */
  async #lookAtKeys(): Promise<void> {
    const keyIds = [...new Set([...this.#bound.values()].map(({ key }) => key.keyId))];
    if (keyIds.length === 0) return;
    const live = new Map((await findLiveKeys(this.#deps, keyIds)).map((key) => [key.keyId, key]));
    for (const [session, bound] of this.#bound) {
      const key = live.get(bound.key.keyId);
      if (key === undefined) session.unbind();
      else bound.key = key;
    }
  }

  async #readFeed(): Promise<void> {
    let isMore = true;
    while (isMore) isMore = await makeReceipts(this.#deps.db);
    this.#pump.kick();
  }
}
