/**
 * The open event streams of this process. Hints come in over one LISTEN connection and go out to the streams they
 * concern. While that connection is away hints are lost; when it is back every stream is told to ask again for all.
 */
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { AppError } from "../base/errors.ts";
import { createListener } from "../db/listen.ts";
import { EVENT_CHANNEL, readHint } from "./hint.ts";
import { type StreamOwner, StreamRegistry } from "./stream-registry.ts";

/** Proxies close what is silent for 30 to 60 s. */
export const HEARTBEAT_INTERVAL_MS = 25_000;
/** A client that took nothing for this many heartbeats is gone or does not read. */
const STUCK_BEATS_MAX = 4;
/** How long a stopping process waits for clients to take the end of their stream. */
const CLOSE_GRACE_MS = 1_000;

/** A connection that listens, reconnects by itself, and says when it does. */
export type Listener = { close: () => Promise<void> };
export type Listen = (
  channel: string,
  handlers: { onPayload: (payload: string) => void; onConnect: () => void; onDisconnect: () => void },
) => Listener;

export type EventHubOptions = {
  listen: Listen;
  log: Pick<Logger, "warn">;
  /**
   * Which of these sessions are over: idle and longest time end a session without any event. Asked at each heartbeat.
   */
  findEndedSessions: (sessionIds: string[]) => Promise<Iterable<string>>;
  heartbeatIntervalMs?: number;
};

export type EventHub = {
  /**
   * @returns the bytes of a `text/event-stream`; destroy it when the client is gone.
   * @throws AppError `RATE_LIMITED` when the session has too many open, `UNAVAILABLE` when the process has or is
   *   stopping.
   */
  open: (owner: StreamOwner) => Readable;
  /** Ends every stream and stops listening. */
  close: () => Promise<void>;
};

export function createEventHub(options: EventHubOptions): EventHub {
  const streams = new StreamRegistry();
  let isConnected = false;
  let isClosed = false;

  const listener = options.listen(EVENT_CHANNEL, {
    onPayload: (payload) => {
      if (!dispatch(streams, payload))
        options.log.warn({ characters: payload.length }, "an event of unknown form was ignored");
    },
    onConnect: () => {
      isConnected = true;
      for (const stream of streams.all()) stream.ready();
    },
    onDisconnect: () => {
      isConnected = false;
    },
  });
  const heartbeat = setInterval(() => {
    beat(streams, options.findEndedSessions).catch((error: unknown) => {
      options.log.warn({ err: error }, "open event streams could not be compared with their sessions");
    });
  }, options.heartbeatIntervalMs ?? HEARTBEAT_INTERVAL_MS);
  heartbeat.unref();

  return {
    open: (owner) => {
      if (isClosed) throw new AppError("UNAVAILABLE");
      const stream = streams.open(owner);
      // Before the connection listens a `ready` would promise hints that nobody delivers; a heartbeat opens the stream.
      if (isConnected) stream.ready();
      else stream.beat();
      return stream.readable;
    },
    close: async () => {
      isClosed = true;
      clearInterval(heartbeat);
      for (const stream of streams.all()) stream.end();
      setTimeout(() => {
        for (const stream of streams.all()) stream.readable.destroy();
      }, CLOSE_GRACE_MS).unref();
      await listener.close();
    },
  };
}

/** @returns false for what is no hint. */
function dispatch(streams: StreamRegistry, payload: string): boolean {
  const hint = readHint(payload);
  if (hint === undefined) return false;
  if (hint.kind === "end") {
    const ended =
      hint.sessionId === undefined ? streams.ofActor(hint.actorId ?? "") : streams.ofSession(hint.sessionId);
    for (const stream of ended) stream.endSignedOut();
    return true;
  }
  for (const stream of streams.ofAudience(hint.audience)) {
    if (hint.topics === undefined) stream.ready();
    else stream.change(hint.topics);
  }
  return true;
}

async function beat(streams: StreamRegistry, findEndedSessions: EventHubOptions["findEndedSessions"]): Promise<void> {
  for (const stream of streams.all()) {
    if (stream.beat() > STUCK_BEATS_MAX) stream.readable.destroy();
  }
  const sessionIds = streams.sessionIds();
  if (sessionIds.length === 0) return;
  for (const sessionId of await findEndedSessions(sessionIds)) {
    for (const stream of streams.ofSession(sessionId)) stream.endSignedOut();
  }
}

/**
 * Connects an event hub to the database.
 *
 * @param onError called when the connection is lost or refused; it is retried until the hub closes.
 */
export function createListen(url: () => string, onError: (error: unknown) => void): Listen {
  return (channel, handlers) => {
    const listener = createListener({ url: url(), onError, applicationName: "ewebal-events" });
    listener.listen(channel, handlers);
    return { close: () => listener.close() };
  };
}
