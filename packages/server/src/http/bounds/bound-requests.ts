/**
 * Limits the connections, requests, open bodies and bytes that one address, one customer and the whole process may have
 * in progress. A request over a limit is refused before its body is read and before anything is looked up.
 */
import type { Socket } from "node:net";
import { limits } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";
import { clientKey } from "../rate-limits/client-address.ts";
import { isSharedAddress } from "../rate-limits/client-address.ts";
import { SlowBodies, whenBodyEnds } from "./slow-bodies.ts";

/** From the first byte of a request to its last. A file of 20 MB takes this long at half a megabit a second. */
export const REQUEST_ARRIVES_WITHIN_MS = 300_000;
/** How often Node looks for requests that exceed it. */
export const CONNECTIONS_CHECK_EVERY_MS = 5_000;

/** A whole office behind one address, each with a browser's six connections. */
const CONNECTIONS_PER_ADDRESS_MAX = 1_000;
/** Streams of events count as well. */
const REQUESTS_PER_ADDRESS_MAX = 1_000;
/** Ordinary bodies arrive together with their headers and are never counted as open. */
const OPEN_BODIES_PER_ADDRESS_MAX = 50;
/** Five sends of a million numbers at once, for one address and for one customer. */
const BYTES_PER_KEY_MAX = 5 * limits.sendBodyBytesMax;
/** For all callers together. Each byte may take two in memory, which is far below the memory limit of the process. */
const BYTES_MAX = 512 * 1024 * 1024;
/** The longest body that any call accepts, including the form around a file. */
const BODY_BYTES_MAX = limits.sendBodyBytesMax + 64 * 1024;
const RETRY_AFTER_SECONDS = 5;

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Announced length of the body; 0 without one. */
    bodyBytes: number;
  }
}

/**
 * Adds hooks to every request; call it before any other hook is added. Without `RATE_LIMITS` only the limits of the
 * process hold.
 */
export function boundRequests(app: App, config: Pick<Config, "isRateLimited" | "trustedProxyCount">): void {
  const slowBodies = new SlowBodies();
  const [requests, openBodies, bytes, customerBytes] = [new Usage(), new Usage(), new Usage(), new Usage()];
  boundConnections(app, config);
  app.decorateRequest("bodyBytes", 0);

  app.addHook("onRequest", async (request, reply) => {
    const address = clientKey(request.ip);
    const isBounded = config.isRateLimited && !isSharedAddress(request.ip);
    const release = [requests.take(address, 1)];
    whenAnswered(reply, () => release.forEach((giveBack) => giveBack()));
    if (hasBody(request)) {
      request.bodyBytes = announcedBytes(request);
      whenBodyEnds(request.raw, openBodies.take(address, 1));
      release.push(bytes.take(address, request.bodyBytes));
      slowBodies.watch(request.raw, reply.raw);
    }
    if (isBounded && requests.of(address) > REQUESTS_PER_ADDRESS_MAX) throw tooMuch("RATE_LIMITED");
    if (request.bodyBytes === 0) return;
    if (bytes.total > BYTES_MAX) throw tooMuch("UNAVAILABLE");
    if (isBounded && (openBodies.of(address) > OPEN_BODIES_PER_ADDRESS_MAX || bytes.of(address) > BYTES_PER_KEY_MAX))
      throw tooMuch("RATE_LIMITED");
  });

  // Runs after the guards, which identify the customer, and before the body is read.
  app.addHook("preParsing", async (request, reply) => {
    const customer = customerOf(request);
    if (request.bodyBytes === 0 || customer === undefined || !config.isRateLimited) return;
    whenAnswered(reply, customerBytes.take(customer, request.bodyBytes));
    if (customerBytes.of(customer) > BYTES_PER_KEY_MAX) throw tooMuch("RATE_LIMITED");
  });
}

/** Behind our own proxies the connections belong to the proxies; visitors are limited by their requests instead. */
function boundConnections(
  app: App,
  { isRateLimited, trustedProxyCount }: Pick<Config, "isRateLimited" | "trustedProxyCount">,
): void {
  if (!isRateLimited || trustedProxyCount > 0) return;
  const connections = new Usage();
  app.server.on("connection", (socket: Socket) => {
    const { remoteAddress = "" } = socket;
    const address = clientKey(remoteAddress);
    if (connections.of(address) >= CONNECTIONS_PER_ADDRESS_MAX && !isSharedAddress(remoteAddress)) {
      socket.destroy();
      return;
    }
    socket.once("close", connections.take(address, 1));
  });
}

function whenAnswered({ raw }: FastifyReply, release: () => void): void {
  raw.once("finish", release).once("close", release);
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A body without a length counts as the longest that its call accepts. */
function announcedBytes({ headers, routeOptions }: FastifyRequest): number {
  const isForm = headers["content-type"]?.startsWith("multipart/") === true;
  const announced = Number(
    headers["content-length"] ?? (isForm ? BODY_BYTES_MAX : (routeOptions.bodyLimit ?? limits.jsonBodyBytesMax)),
  );
  return Math.min(Number.isFinite(announced) ? announced : BODY_BYTES_MAX, BODY_BYTES_MAX);
}

function customerOf(request: FastifyRequest): string | undefined {
  // Calls for programs set `program`; this file does not know their feature.
  const { session, program } = request as FastifyRequest & { program?: { userId: string } | null };
  return session?.accountId ?? program?.userId;
}

function tooMuch(code: "RATE_LIMITED" | "UNAVAILABLE"): AppError {
  const message = "Too many requests are in progress. Please try again in a few seconds";
  return new AppError(code, { message, extra: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}

/** Counts what each key has in use: requests, open bodies or bytes. */
export class Usage {
  readonly #byKey = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  /** @returns a function that gives the amount back; calling it twice gives it back once. */
  take(key: string, amount: number): () => void {
    this.#add(key, amount);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(key, -amount);
      isTaken = false;
    };
  }

  #add(key: string, amount: number): void {
    const left = this.of(key) + amount;
    if (left === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, left);
    this.#total += amount;
  }
}
