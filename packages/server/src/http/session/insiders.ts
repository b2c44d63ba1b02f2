/**
 * Decides who may see the local pages: kept mails, metrics and virtual phones, which show the links, texts and figures
 * of all customers. Visitors from this machine may, while the product serves this machine only; everybody else needs
 * the token that the start prints.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";
import { isLoopback, isLoopbackUrl } from "../../base/loopback.ts";

export type IsInsider = (request: FastifyRequest) => boolean;

/** Addresses that may carry the token; a query of that name elsewhere is ignored. */
const LOCAL_PATH = /^\/(?:api\/)?(?:mailbox|metrics|virtual-phones)(?:[/?]|$)/;

/** Headers that proxies add. A plain nginx adds none of them, but speaks HTTP 1.0 to the server behind it. */
const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
];

/** @param localToken the token that the start printed; undefined when there is none. */
export function createInsiderCheck(config: Pick<Config, "publicUrl">, localToken: string | undefined): IsInsider {
  const isLocalProduct = isLoopbackUrl(config.publicUrl);
  const name = cookieName(config);
  return (request) =>
    (isLocalProduct && isFromThisMachine(request)) ||
    [
      request.cookies[name],
      readQueryToken(request),
      /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1],
    ].some((given) => isSameToken(given, localToken));
}

/**
 * @returns a hook for every request. It keeps the token of an address in a session cookie, for the calls of that page.
 */
export function keepLocalToken(config: Pick<Config, "publicUrl">, localToken: string | undefined) {
  const cookie = {
    httpOnly: true,
    sameSite: "strict",
    secure: config.publicUrl.startsWith("https:"),
    path: "/",
  } as const;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (localToken !== undefined && isSameToken(readQueryToken(request), localToken))
      void reply.setCookie(cookieName(config), localToken, cookie);
  };
}

export function hasForwardingHeader({ headers }: FastifyRequest): boolean {
  return FORWARDING_HEADERS.some((header) => headers[header] !== undefined);
}

/**
 * The address alone proves nothing: behind a proxy on this machine everybody has a loopback address, and another site
 * may point its name at this machine. So the request must not be forwarded, and its host must be a loopback name.
 */
function isFromThisMachine(request: FastifyRequest): boolean {
  if (hasForwardingHeader(request) || request.raw.httpVersion === "1.0") return false;
  return isLoopback(request.socket.remoteAddress ?? "") && isLoopbackUrl(`http://${request.headers.host ?? ""}`);
}

function cookieName({ publicUrl }: Pick<Config, "publicUrl">): string {
  return publicUrl.startsWith("https:") ? "__Host-ewebal_local" : "ewebal_local";
}

function readQueryToken({ url, query }: FastifyRequest): string | undefined {
  if (!LOCAL_PATH.test(url)) return undefined;
  const { token } = query as { token?: unknown };
  return typeof token === "string" ? token : undefined;
}

/** Compares digests, because `timingSafeEqual` needs equal lengths. */
function isSameToken(given: string | undefined, expected: string | undefined): boolean {
  return given !== undefined && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
