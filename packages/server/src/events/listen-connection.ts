import { setTimeout as sleep } from "node:timers/promises";
import { createPool } from "../db/pool.ts";
import type { Listen } from "./event-hub.ts";

/** Doubled up to the longest, with jitter: every process of an installation loses its connection at the same moment. */
const RECONNECT_DELAY_MS = 100;
const RECONNECT_DELAY_MAX_MS = 5_000;
/** A connection that only listens would not notice a server that vanished; this asks it for a sign of life. */
const PROBE_INTERVAL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * @param url read at each attempt, because the embedded server may come back elsewhere.
 * @param onError told why a connection was lost or refused; it is tried again until `close`.
 */
export function createListen(url: () => string, onError: (error: unknown) => void): Listen {
  return (channel, handlers) => {
    const stop = new AbortController();
    const running = listenUntilStopped({ url, channel, onError, ...handlers, signal: stop.signal });
    return {
      close: async () => {
        stop.abort();
        await running;
      },
    };
  };
}

type Settings = Parameters<Listen>[1] & { url: () => string; channel: string; onError: (error: unknown) => void; signal: AbortSignal };

async function listenUntilStopped(settings: Settings): Promise<void> {
  const { signal } = settings;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const onConnect = (): void => {
      failures = 0;
      settings.onConnect();
    };
    try {
      await listenOnce({ ...settings, onConnect });
    } catch (error) {
      settings.onError(error);
    }
    settings.onDisconnect();
    const delayMs = Math.min(RECONNECT_DELAY_MS * 2 ** failures, RECONNECT_DELAY_MAX_MS) * (0.5 + Math.random() / 2);
    // Racing instead of letting the sleep throw: being stopped is no error.
    if (!signal.aborted) await Promise.race([sleep(delayMs, undefined, { ref: false }), aborted(signal)]);
  }
}

/** Ends when stopped; throws what ended it otherwise. */
async function listenOnce(settings: Settings): Promise<void> {
  // A pool of one, apart from the program's: a connection that never comes back would be missing there.
  const pool = createPool({
    url: settings.url(),
    applicationName: "ewebal-events",
    connectionsMax: 1,
    statementTimeoutMs: PROBE_TIMEOUT_MS,
  });
  try {
    const client = await pool.connect();
    const lost = Promise.withResolvers<Error>();
    client.on("error", lost.resolve);
    client.on("end", () => lost.resolve(new Error("The connection that listens for events ended")));
    client.on("notification", (message) => settings.onPayload(message.payload ?? ""));
    const probe = setInterval(() => void client.query("select 1").catch(lost.resolve), PROBE_INTERVAL_MS).unref();
    try {
      await client.query(`listen "${settings.channel}"`);
      settings.onConnect();
      const error = await Promise.race([lost.promise, aborted(settings.signal)]);
      if (error !== undefined) throw error;
    } finally {
      clearInterval(probe);
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((done) => {
    if (signal.aborted) done(undefined);
    else signal.addEventListener("abort", () => done(undefined), { once: true });
  });
}
