/**
 * Who sees the local pages: kept mails, metrics and virtual phones, which hold everybody's links, texts and figures.
 * Visitors of this machine do while the product is for this machine alone; anybody else has the token of this start.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";
import { isLoopback, isLoopbackUrl } from "../../base/loopback.ts";

export type IsInsider = (request: FastifyRequest) => boolean;

/** Where the token may stand in the address; elsewhere a query of that name is no business of ours. */
const LOCAL_PATH = /^\/(?:api\/)?(?:mailbox|metrics|virtual-phones)(?:[/?]|$)/;

/** What proxies add. A plain nginx adds none of these, but speaks HTTP 1.0 to what is behind it. */
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

/** @param localToken printed by the start; undefined: nobody has one. */
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

/** @returns a hook for every request: the token of an address is kept for the page's own calls, until the browser is closed. */
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
 * The address alone does not say it: behind a proxy on this machine everybody has a loopback address, and a page of
 * another site may have made its name point here. So nothing may have forwarded the call, and it must have asked for
 * this machine by a name of its own.
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

/** Of digests, as the comparison takes equal lengths only. */
function isSameToken(given: string | undefined, expected: string | undefined): boolean {
  return given !== undefined && expected !== undefined && timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
