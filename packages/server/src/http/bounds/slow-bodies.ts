/** Ends requests whose bodies hardly arrive: each holds memory and a connection for as long as its sender likes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { answerBrokenRequest } from "../errors/broken-requests.ts";

/** A phone on the slowest network that people still use sends five times as much. */
const FLOOR_BYTES_PER_SECOND = 1_024;
/** The floor is asked for over this long: a network may be gone for a moment. */
const WINDOW_MS = 10_000;
const CHECK_EVERY_MS = 1_000;

type Body = { request: IncomingMessage; response: ServerResponse; windowStartedAtMs: number; windowBytes: number };

export class SlowBodies {
  readonly #open = new Set<Body>();
  #timer: NodeJS.Timeout | undefined;

  /** Looks after a body until it has ended. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    // A request that a test injects came over no network.
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

  /** @param nowMs the time, so that tests need not wait for it. */
  check(nowMs: number): void {
    for (const body of this.#open) {
      const { request } = body;
      const { bytesRead } = request.socket;
      if (nowMs - body.windowStartedAtMs < WINDOW_MS) continue;
      // Bytes that lie here unread, or a stream that is held back, wait for us and not for the sender.
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

/** When a body has arrived, or never will: who has been answered already ends without a word of their request's own. */
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
  // Who has their answer already and still owes the rest of a body gets no second one.
  if (response.headersSent) socket.destroy();
  else
    answerBrokenRequest(
      Object.assign(new Error("The body hardly arrives"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    );
}
