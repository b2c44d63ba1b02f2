/**
 * Posts to addresses that customers gave: webhooks, callbacks. Such an address must not lead into our own network, so it is refused when it is saved
 * (`checkCallbackUrl`) and again at each connection, where every address that its name stands for is looked at and the connection goes to those and no
 * others: a name that meant something else a moment ago gains nothing. `WEBHOOK_PRIVATE=on` switches both off.
 *
 * node:http, because its agents keep connections of HTTP/1.1 open and take a `lookup`, its answers are not followed anywhere, and it reads no proxy from
 * the environment; `fetch` offers none of the three.
 */
import dns from "node:dns";
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Config } from "../../base/config.ts";
import { fieldError } from "../../base/errors.ts";
import { hostOf } from "../../base/loopback.ts";
import { isPublicAddress, isPublicHost } from "./public-address.ts";

type GuardConfig = Pick<Config, "areWebhooksPrivate">;

/** An unused connection is closed after this; servers close theirs after 5 s and more. */
const IDLE_SECONDS = 4;
const CONNECTIONS_PER_HOST_MAX = 20;
/** Of connections that nobody uses, over all hosts. */
const IDLE_CONNECTIONS_MAX = 256;

/** @throws AppError `VALIDATION` for an address that the product does not post to. */
export async function checkCallbackUrl(config: GuardConfig, field: string, text: string): Promise<void> {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text))
    throw fieldError(field, "is no address that begins with http:// or https://");
  if (url.username !== "" || url.password !== "") throw fieldError(field, "holds a user name or a password");
  if (config.areWebhooksPrivate) return;
  if (!isPublicHost(hostOf(url)) || (await leadsInside(hostOf(url))))
    throw fieldError(field, "does not lead to the public internet");
}

/** Whether a name stands for an address of ours today. One that stands for nothing may do so tomorrow; its connections are looked at then. */
async function leadsInside(host: string): Promise<boolean> {
  return await new Promise((done) => {
    dns.lookup(host, { all: true }, (error, found) =>
      done(error === null && found.some(({ address }) => !isPublicAddress(address))),
    );
  });
}

/** What refuses a connection: the message is for the customer. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
}

/** Gives a connection the addresses that its name stands for now, unless one of them is not public. */
export const lookupPublic: LookupFunction = (host, options, done) => {
  dns.lookup(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, "", 0);
    const refused = found.find(({ address }) => !isPublicAddress(address));
    if (refused !== undefined || found.length === 0)
      return done(new RefusedAddressError(`${host} does not lead to the public internet`), "", 0);
    if (options.all === true) return done(null, found);
    return done(null, found[0]?.address ?? "", found[0]?.family);
  });
};

export type Posted = {
  /** 0 without an answer. */
  status: number;
  /** The beginning of the answer, or why there is none. */
  answer: string;
  durationMs: number;
  /** The time was over. */
  isSilent: boolean;
};

export type PostRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  answerBytesMax: number;
};

/** Owns the connections that are kept open. */
export class GuardedPoster {
  readonly #isPrivateAllowed: boolean;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  constructor(config: GuardConfig, lookup: LookupFunction = lookupPublic) {
    this.#isPrivateAllowed = config.areWebhooksPrivate;
    const options = {
      keepAlive: true,
      maxSockets: CONNECTIONS_PER_HOST_MAX,
      maxTotalSockets: Infinity,
      maxFreeSockets: IDLE_CONNECTIONS_MAX / CONNECTIONS_PER_HOST_MAX,
      timeout: IDLE_SECONDS * 1_000,
      ...(!config.areWebhooksPrivate && { lookup }),
    };
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
  }

  /** Never rejects: what went wrong is the answer. Redirects are answers like any other. */
  async post(wish: PostRequest): Promise<Posted> {
    const startedAtMs = performance.now();
    const durationMs = (): number => Math.round(performance.now() - startedAtMs);
    const url = URL.parse(wish.url);
    // An address in the place of a name is connected to without a look-up.
    if (url === null || (!this.#isPrivateAllowed && !isPublicHost(hostOf(url))))
      return { status: 0, answer: "The address does not lead to the public internet", durationMs: 0, isSilent: false };
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), wish.timeoutMs);
    try {
      const response = await this.#send(url, wish, abort.signal);
      const answer = await readBeginning(response, wish.answerBytesMax);
      return { status: response.statusCode ?? 0, answer, durationMs: durationMs(), isSilent: false };
    } catch (error) {
      const isSilent = abort.signal.aborted;
      const answer = isSilent ? `No answer within ${wish.timeoutMs / 1_000} s` : describe(error);
      return { status: 0, answer, durationMs: durationMs(), isSilent };
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #send(url: URL, { headers, body }: PostRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const isSecure = url.protocol === "https:";
    const request = isSecure ? requestHttps : requestHttp;
    const bytes = Buffer.from(body);
    return await new Promise((done, fail) => {
      const sent = request(
        url,
        {
          method: "POST",
          agent: isSecure ? this.#https : this.#http,
          headers: { ...headers, "content-length": String(bytes.byteLength) },
          signal,
        },
        done,
      );
      sent.on("error", fail);
      sent.end(bytes);
    });
  }
}

/** Reads so much and no more: an endless answer ends with its connection. */
async function readBeginning(response: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = [];
  let byteCount = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    byteCount += part.byteLength;
    if (byteCount > bytesMax) break;
  }
  // PostgreSQL keeps no NUL, and what was cut in the middle of a character is none.
  const text = Buffer.concat(parts).subarray(0, bytesMax).toString("utf8");
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

function describe(error: unknown): string {
  if (error instanceof RefusedAddressError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return FAULTS[code] ?? (error instanceof Error ? error.message.slice(0, 200) : "The connection failed");
}

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was cut before an answer",
  ENOTFOUND: "The host's name stands for no address",
  EAI_AGAIN: "The host's name could not be looked up",
  EHOSTUNREACH: "The host cannot be reached",
  ETIMEDOUT: "The host cannot be reached",
  CERT_HAS_EXPIRED: "The certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is signed by nobody who is known",
};
