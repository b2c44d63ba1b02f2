import type { FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";
import { findSessionToken } from "./session-cookie.ts";
import type { Guard, SessionReader } from "./session.ts";

/**
 * Finds out who is asking, before any body is read. A token that is not a live session makes a visitor, not an error:
 * the guards of each route say what a visitor may do.
 *
 * @returns a hook for every request; pages and their files need no session, so those cost no look-up.
 */
export function readSession(config: Pick<Config, "publicUrl">, reader: SessionReader): Guard {
  return async (request) => {
    if (!request.url.startsWith("/api/") && !request.url.startsWith("/readyz")) return;
    const found = findSessionToken(request, config);
    if (found === undefined) return;
    const session = await reader(found.token, { isBackground: isBackgroundRead(request) });
    if (session === undefined) return;
    const { mustSetUpFactor, ...who } = session;
    request[mustSetUpFactor ? "sessionInSetUp" : "session"] = { ...who, via: found.via };
  };
}

/**
 * Pages mark the reads that a pushed change or a timer made them do; a change is always a person's doing. The stream of
 * events is one of those reads, and a browser cannot mark it: it reconnects by itself for as long as a page is open.
 */
function isBackgroundRead(request: Pick<FastifyRequest, "method" | "headers" | "url">): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  return request.headers["x-background"] === "1" || request.url.split("?")[0] === "/api/events";
}
