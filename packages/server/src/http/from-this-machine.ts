import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The address alone does not say it: behind a proxy on this machine everybody has a loopback address, and a page of
 * another site may have made its name point here. So nothing may have forwarded the call, and it must have asked for
 * this machine by a name of its own.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { forwarded, "x-forwarded-for": forwardedFor, "x-real-ip": realAddress } = request.headers;
  if (forwarded !== undefined || forwardedFor !== undefined || realAddress !== undefined) return false;
  const hostname = URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "";
  return isLoopback(request.socket.remoteAddress ?? "") && (hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1")));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
