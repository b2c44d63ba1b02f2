import type { Config } from "../../base/config.ts";
import { AppError } from "../../base/errors.ts";
import type { Guard } from "./session.ts";

/** The page behind the opt-out link of a message. */
const OPT_OUT_PATH = /^\/o\/[A-Za-z0-9]+$/;

/**
 * A browser sends our cookie with requests that other sites make it send. SameSite=Lax stops most of them; this stops
 * the rest: a change whose `Origin` is another site is refused. Calls without an `Origin` (programs, older browsers'
 * same-origin requests) carry no cookie of a victim's browser that SameSite would not have stopped.
 *
 * @returns a hook for every request.
 */
export function refuseForeignOrigin(config: Pick<Config, "publicUrl">): Guard {
  const { origin: publicOrigin, protocol } = new URL(config.publicUrl);
  const isSecure = protocol === "https:";
  return async (request) => {
    if (request.method === "GET" || request.method === "HEAD" || request.method === "OPTIONS") return;
    // Looks at no session: whoever has the link's code may press. Browsers inside other apps send the form without an origin.
    if (OPT_OUT_PATH.test(request.url)) return;
    const { origin, host } = request.headers;
    if (origin === undefined || origin === publicOrigin) return;
    // The same server under another of its names (127.0.0.1 for localhost, a second domain) is not another site. Its twin
    // without TLS is: whoever sits on the visitor's line can write that one's pages.
    const from = URL.parse(origin);
    if (from?.host === host && (from?.protocol === "https:" || !isSecure)) return;
    throw new AppError("ORIGIN_REFUSED");
  };
}
