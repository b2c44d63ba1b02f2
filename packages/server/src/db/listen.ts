/**
 * One connection per process that hears what others `notify`, apart from the pool: it is busy all its life.
 *
 *     idle -> connecting -> listening -> idle (closed)
 *                ^              |
 *                +--- waiting <-+  lost, with growing delay and jitter
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client, escapeIdentifier } from "pg";
import assert from "node:assert/strict";
import type { Queryable } from "./pool.ts";
import { connectionSettings } from "./primary.ts";

export type ListenHandlers = {
  onPayload: (payload: string) => void;
  /** Every hint from now on arrives. Earlier ones may have been missed: read everything once. */
  onConnect: () => void;
  /** Hints are missed from now on. */
  onDisconnect?: () => void;
};

export type Subscription = { close: () => Promise<void> };

export type Listener = {
  listen: (channel: string, handlers: ListenHandlers) => Subscription;
  /** Ends the connection and every subscription. */
  close: () => Promise<void>;
};

export type ListenerSettings = {
  url: string;
  /**
   * Called when the connection is lost or refused, and when a handler throws. The connection is retried until `close`.
   */
  onError: (error: unknown) => void;
  applicationName?: string;
};

/** Doubled up to the longest, with jitter: every process of an installation loses its connection at the same moment. */
export const LISTEN_RECONNECT_DELAY_MS = 100;
export const LISTEN_RECONNECT_DELAY_MS_MAX = 5_000;
/** A connection that only listens does not notice a server that vanished, so it sends a probe. */
const PROBE_INTERVAL_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Nothing connects before the first subscription. */
export function createListener(settings: ListenerSettings): Listener {
  const connection = new ListenConnection(settings);
  return {
    listen: (channel, handlers) => connection.subscribe(channel, handlers),
    close: () => connection.close(),
  };
}

class ListenConnection {
  readonly #settings: ListenerSettings;
  readonly #subscribers = new Map<string, Set<ListenHandlers>>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  /** Set while the connection listens. */
  #client: Client | undefined;

  constructor(settings: ListenerSettings) {
    this.#settings = settings;
  }

  subscribe(channel: string, handlers: ListenHandlers): Subscription {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers.add(handlers));
    this.#running ??= this.#run();
    if (this.#client !== undefined) this.#listenTo(this.#client, channel, [handlers]).catch(this.#settings.onError);
    return { close: () => this.#unsubscribe(channel, handlers) };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#subscribers.clear();
    await this.#running;
  }

  async #unsubscribe(channel: string, handlers: ListenHandlers): Promise<void> {
    const subscribers = this.#subscribers.get(channel);
    if (subscribers?.delete(handlers) !== true || subscribers.size > 0) return;
    this.#subscribers.delete(channel);
    try {
      await this.#client?.query(`unlisten ${escapeIdentifier(channel)}`);
    } catch (error) {
      this.#settings.onError(error); // The next connection does not listen to it anyway.
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failureCount = 0; !signal.aborted; failureCount += 1) {
      try {
        await this.#listenUntilLost(() => (failureCount = 0));
      } catch (error) {
        this.#settings.onError(error);
      }
      const delayMs = Math.min(LISTEN_RECONNECT_DELAY_MS * 2 ** failureCount, LISTEN_RECONNECT_DELAY_MS_MAX);
      // Racing instead of letting the sleep throw: being closed is no error.
      if (!signal.aborted) await Promise.race([sleep(delayMs * (0.5 + Math.random() / 2)), aborted(signal)]);
    }
  }

  /** @throws what ended the connection; returns when closed. */
  async #listenUntilLost(onListening: () => void): Promise<void> {
    const client = new Client({
      ...connectionSettings(this.#settings.url),
      application_name: this.#settings.applicationName ?? "ewebal listener",
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    const lost = Promise.withResolvers<never>();
    // The race below reads this rejection; until then it must not count as unhandled.
    lost.promise.catch(ignore);
    client.on("error", lost.reject);
    client.on("end", () => lost.reject(new Error("The connection that listens has ended")));
    client.on("notification", ({ channel, payload }) => this.#deliver(channel, payload ?? ""));
    const probe = setInterval(() => void client.query("select 1").catch(lost.reject), PROBE_INTERVAL_MS);
    try {
      await client.connect();
      // Later subscriptions run their own LISTEN.
      const waiting = [...this.#subscribers].map(([channel, subscribers]) => ({
        channel,
        subscribers: [...subscribers],
      }));
      this.#client = client;
      for (const { channel, subscribers } of waiting) await this.#listenTo(client, channel, subscribers);
      onListening();
      await Promise.race([lost.promise, aborted(this.#stop.signal)]);
    } finally {
      clearInterval(probe);
      if (this.#client === client) this.#reportLoss();
      this.#client = undefined;
      await client.end();
    }
  }

  async #listenTo(client: Client, channel: string, subscribers: ListenHandlers[]): Promise<void> {
    await client.query(`listen ${escapeIdentifier(channel)}`);
    for (const subscriber of subscribers) this.#call(() => subscriber.onConnect());
  }

  #deliver(channel: string, payload: string): void {
    for (const subscriber of this.#subscribers.get(channel) ?? []) this.#call(() => subscriber.onPayload(payload));
  }

  #reportLoss(): void {
    for (const subscribers of this.#subscribers.values()) {
      for (const subscriber of subscribers) this.#call(() => subscriber.onDisconnect?.());
    }
  }

  /** A handler that throws harms neither the other subscribers nor the connection. */
  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#settings.onError(error);
    }
  }
}

function ignore(): void {
  // The error is reported where it is awaited.
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

/** PostgreSQL refuses payloads of 8,000 bytes and more. */
export const NOTIFY_PAYLOAD_BYTES_MAX = 7_999;

/**
 * Sends hints to whoever listens to the channel. In a transaction they are delivered after its commit, or never; equal
 * ones of one transaction arrive once. Commits that notify queue for one lock of the whole server, so whoever commits
 * hundreds of times a second gathers its hints instead.
 *
 * @param payloads ids and names, never data: they are not stored, and are lost while a listener reconnects.
 */
export async function notify(db: Queryable, channel: string, payloads: readonly string[]): Promise<void> {
  for (const payload of payloads) {
    assert(
      Buffer.byteLength(payload) <= NOTIFY_PAYLOAD_BYTES_MAX,
      `A hint of ${Buffer.byteLength(payload)} bytes is too long`,
    );
  }
  await db.query({
    name: "notify",
    text: "select pg_notify($1, payload) from unnest($2::text[]) as payload",
    values: [channel, payloads],
  });
}
