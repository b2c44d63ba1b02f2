/**
 * Ends requests whose bodies arrive too slowly: each one holds memory and a connection for as long as its sender likes.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { answerBrokenRequest } from "../errors/broken-requests.ts";

/** A phone on the slowest network that people still use sends five times as much. */
const FLOOR_BYTES_PER_SECOND = 1_024;
/** The rate is averaged over this time, because a network may fail for a moment. */
const WINDOW_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

type Body = { request: IncomingMessage; response: ServerResponse; windowStartedAtMs: number; windowBytes: number };

export class SlowBodies {
  readonly #open = new Set<Body>();
  #timer: NodeJS.Timeout | undefined;

  /** Watches a body until it has ended. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    // Requests injected by tests have no network socket.
    if (!(request.socket instanceof Socket)) return;
    const body = { request, response, windowStartedAtMs: Date.now(), windowBytes: request.socket.bytesRead };
    this.#open.add(body);
    const forget = (): void => {
      this.#open.delete(body);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    whenBodyEnds(request, forget);
    this.#timer ??= setInterval(() => this.check(Date.now()), CHECK_EVERY_MS).unref();
  }

  /** @param nowMs the current time; tests pass a later one. */
  check(nowMs: number): void {
    for (const body of this.#open) {
      const { request } = body;
      const { bytesRead } = request.socket;
      if (nowMs - body.windowStartedAtMs < WINDOW_MS) continue;
      // Unread bytes and a paused stream wait for this process, not for the sender.
      const isOurs = request.readableLength > 0 || request.isPaused();
      if (
        isOurs ||
        bytesRead - body.windowBytes >= (FLOOR_BYTES_PER_SECOND * (nowMs - body.windowStartedAtMs)) / 1_000
      ) {
        body.windowStartedAtMs = nowMs;
        body.windowBytes = bytesRead;
      } else {
        end(body);
      }
    }
  }
}

/**
 * Calls back when a body has arrived or its connection is closed. A request that was answered early emits no event of
 * its own.
 */
export function whenBodyEnds(request: IncomingMessage, callback: () => void): void {
  const { socket } = request;
  const done = (): void => {
    request.off("end", done).off("close", done);
    socket.off("close", done);
    callback();
  };
  request.once("end", done).once("close", done);
  socket.once("close", done);
}

function end({ request, response }: Body): void {
  const { socket } = request;
  // A sender that was answered before the end of its body gets no second answer.
  if (response.headersSent) socket.destroy();
  else
    answerBrokenRequest(
      Object.assign(new Error("The body arrives too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    );
}
