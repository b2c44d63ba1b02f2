/**
 * One carrier's connections of HTTP/1.1, kept open between requests, and what became of each request.
 *
 * What matters is whether any of a request may have reached the carrier. On an open connection a request counts as written as soon as the connection
 * is given it. On a new connection it counts as written once the connection is open; with TLS, once the handshake has ended. This client sends nothing
 * twice: node:http repeats no request by itself, and a redirect is an answer like any other.
 */
import { Agent as HttpAgent, request as requestHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** An unused connection is closed after this; servers close theirs after 5 s and more, and say so in `Keep-Alive`. */
const IDLE_MS = 4_000;
/** A connection that is not open by then is given up. */
const CONNECT_MS = 10_000;
/** The longest answer that is read. An answer to one message has some hundred bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;

export type HttpRequest = {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
};

/**
 * answered: `isWhole` false for one that is too long; `text` is its beginning.
 * notWritten: the carrier certainly has nothing of the request.
 * lost: the carrier may have the request, and no whole answer came.
 */
export type HttpOutcome =
  | {
      kind: "answered";
      status: number;
      text: string;
      isWhole: boolean;
      retryAfter: string | undefined;
      address: string | undefined;
    }
  | { kind: "notWritten"; reason: string }
  | { kind: "lost"; reason: string };

export class HttpClient {
  readonly #agents: { "http:": HttpAgent; "https:": HttpsAgent };
  readonly #timeoutMs: number;
  readonly #open = new Set<ClientRequest>();

  /** @param settings connectionsMax: requests that are ever under way at one time. */
  constructor(settings: { connectionsMax: number; timeoutMs: number; lookup: LookupFunction | undefined }) {
    const { connectionsMax, lookup } = settings;
    const options = {
      keepAlive: true,
      maxSockets: connectionsMax,
      maxFreeSockets: connectionsMax,
      timeout: IDLE_MS,
      scheduling: "lifo" as const,
      ...(lookup !== undefined && { lookup }),
    };
    this.#agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
    this.#timeoutMs = settings.timeoutMs;
  }

  /** Never rejects. */
  async send(wish: HttpRequest): Promise<HttpOutcome> {
    try {
      return await new Promise((done) => new Exchange(wish, this.#agents, this.#timeoutMs, this.#open, done));
    } catch (error) {
      // Before any connection: node:http refuses what would be no request.
      return { kind: "notWritten", reason: describe(error) };
    }
  }

  /** Requests that are under way have lost their answers. */
  close(): void {
    for (const request of this.#open) request.destroy(new Error("the link was closed"));
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

class Exchange {
  readonly #request: ClientRequest;
  readonly #open: Set<ClientRequest>;
  readonly #done: (outcome: HttpOutcome) => void;
  #isWritten = false;
  #isOver = false;
  #timer: NodeJS.Timeout;

  constructor(
    { url, method, headers, body }: HttpRequest,
    agents: { "http:": HttpAgent; "https:": HttpsAgent },
    timeoutMs: number,
    open: Set<ClientRequest>,
    done: (outcome: HttpOutcome) => void,
  ) {
    this.#open = open;
    this.#done = done;
    const isSecure = url.protocol === "https:";
    const send = isSecure ? requestHttps : requestHttp;
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { "content-length": String(bytes.byteLength) };
    this.#request = send(url, {
      method,
      agent: isSecure ? agents["https:"] : agents["http:"],
      headers: { ...headers, ...length },
    });
    open.add(this.#request);
    this.#request.on("socket", (socket) => this.#watch(socket, isSecure));
    this.#request.on("response", (response) => this.#read(response));
    this.#request.on("error", (error) => this.#fail(describe(error)));
    // A peer may close without a word, or speak of another protocol.
    this.#request.on("close", () => this.#fail("The connection was closed before the answer"));
    this.#request.on("upgrade", (_response, socket) => socket.destroy());
    const connectMs = Math.min(CONNECT_MS, timeoutMs);
    this.#timer = setTimeout(() => {
      if (!this.#isWritten || connectMs === timeoutMs) return this.#giveUp(timeoutMs);
      this.#timer = setTimeout(() => this.#giveUp(timeoutMs), timeoutMs - connectMs);
      return undefined;
    }, connectMs);
    this.#request.end(bytes);
  }

  #watch(socket: Socket, isSecure: boolean): void {
    const stands =
      this.#request.reusedSocket || (!socket.connecting && (!isSecure || (socket as TLSSocket).authorized));
    if (stands) this.#isWritten = true;
    else
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        this.#isWritten = true;
      });
  }

  #read(response: IncomingMessage): void {
    const parts: Buffer[] = [];
    let byteCount = 0;
    // At the end the connection may be another request's.
    const address = response.socket.remoteAddress;
    const answer = (isWhole: boolean): void =>
      this.#end({
        kind: "answered",
        status: response.statusCode ?? 0,
        text: Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX).toString("utf8"),
        isWhole,
        retryAfter: response.headers["retry-after"],
        address,
      });
    response.on("data", (part: Buffer) => {
      parts.push(part);
      byteCount += part.byteLength;
      if (byteCount <= ANSWER_BYTES_MAX) return;
      answer(false);
      this.#request.destroy();
    });
    response.on("end", () => answer(true));
    response.on("error", (error) => this.#fail(describe(error)));
  }

  #giveUp(timeoutMs: number): void {
    this.#fail(
      this.#isWritten ? `No whole answer within ${timeoutMs / 1_000} s` : "The connection was not established in time",
    );
    this.#request.destroy();
  }

  #fail(reason: string): void {
    this.#end(this.#isWritten ? { kind: "lost", reason } : { kind: "notWritten", reason });
  }

  #end(outcome: HttpOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#open.delete(this.#request);
    this.#done(outcome);
  }
}

/** Without the address: a secret may be part of it. */
function describe(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAULTS[code] ?? (code === "" ? "The connection failed" : `The connection failed (${code})`);
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was cut",
  EPIPE: "The connection was cut",
  ENOTFOUND: "The host's name stands for no address",
  EAI_AGAIN: "The host's name could not be looked up",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
  ETIMEDOUT: "The host cannot be reached",
  CERT_HAS_EXPIRED: "The host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The host's certificate is signed by nobody who is known",
  SELF_SIGNED_CERT_IN_CHAIN: "The host's certificate is signed by nobody who is known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The host's certificate is signed by nobody who is known",
  ERR_TLS_CERT_ALTNAME_INVALID: "The host's certificate is for another name",
};
