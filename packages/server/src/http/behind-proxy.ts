/**
 * Detects a proxy in front although `TRUST_PROXY` is off. All visitors then have the proxy's address: the log warns the
 * operator once, and limits stop counting by that address, so that one stranger cannot shut everybody out.
 */
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import type { Config } from "../base/config.ts";
import type { Deps } from "../base/deps.ts";
import { hostOf, isLoopback } from "../base/loopback.ts";
import { noteSharedAddress } from "./rate-limits/client-address.ts";
import { hasForwardingHeader } from "./session/insiders.ts";

/** Paths that monitoring on this machine asks for, under any host name. */
const WATCHED_PATH = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;
/**
 * Addresses that no visitor from the internet has: 10/8, 172.16/12, 192.168/16, 100.64/10, link-local and unique local.
 */
const PRIVATE_ADDRESS =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|169\.254\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;

const ADVICE =
  "Requests come through a proxy, and TRUST_PROXY is off: all visitors count as one address, so nothing is limited by it any more. " +
  "Set TRUST_PROXY to the number of proxies in front (1 for one nginx) and let them set X-Forwarded-For, and PUBLIC_URL to the address that people open";

/** @returns a hook for every request. It refuses nothing, and warns once in a process. */
export function watchForProxies(config: Pick<Config, "publicUrl" | "host" | "trustedProxyCount">, log: Deps["log"]) {
  let hasTold = false;
  return async (request: FastifyRequest): Promise<void> => {
    if (config.trustedProxyCount > 0) return;
    const sign = findSign(config, request);
    if (sign === undefined) return;
    const address = request.socket.remoteAddress ?? "";
    if (mayBeProxy(config, address)) noteSharedAddress(address);
    if (hasTold) return;
    hasTold = true;
    log.warn({ sign, address }, ADVICE);
  };
}

/** @returns the sign by which a request shows that it was forwarded. */
function findSign(config: Pick<Config, "publicUrl" | "host">, request: FastifyRequest): string | undefined {
  if (hasForwardingHeader(request)) return "a forwarding header";
  if (WATCHED_PATH.test(request.url)) return undefined;
  if (request.raw.httpVersion === "1.0") return "HTTP 1.0";
  return isOurHost(config, request) ? undefined : "a Host that is not ours";
}

/** Only a full name or an address points to a proxy: programs send all sorts of single words. */
function isOurHost({ publicUrl, host }: Pick<Config, "publicUrl" | "host">, request: FastifyRequest): boolean {
  const asked = hostOf(URL.parse(`http://${request.headers.host ?? ""}`));
  if (!asked.includes(".") || isLoopback(asked) || asked.endsWith(".localhost")) return true;
  const ours = [
    hostOf(URL.parse(publicUrl)),
    host.toLowerCase(),
    hostname().toLowerCase(),
    request.socket.localAddress?.replace(/^::ffff:/i, ""),
  ];
  return ours.includes(asked);
}

/**
 * A visitor without a proxy could escape all limits by sending a forwarding header. So a public address counts as a
 * proxy only where there must be one: PUBLIC_URL is https, and this server speaks no TLS.
 */
function mayBeProxy({ publicUrl }: Pick<Config, "publicUrl">, address: string): boolean {
  return (
    publicUrl.startsWith("https:") || isLoopback(address) || PRIVATE_ADDRESS.test(address.replace(/^::ffff:/i, ""))
  );
}
