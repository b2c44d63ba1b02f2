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
    const session = await reader(found.token, request);
    if (session === undefined) return;
    const { mustSetUpFactor, ...who } = session;
    request[mustSetUpFactor ? "sessionInSetUp" : "session"] = { ...who, via: found.via };
  };
}
