import { isIP } from "node:net";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import type { Guard } from "../http/session.ts";
import { listKeptMails } from "./mailbox-folder.ts";
import { mailboxPage } from "./mailbox-page.ts";
import { readEml } from "./read-eml.ts";

const SHOWN_MAX = 100;

/** `/mailbox` exists only while mails are kept as files, and only for visitors on this machine. */
export function mailboxRoutes(app: App, deps: Pick<Deps, "config">): void {
  if (deps.config.smtpUrl !== undefined) return;
  app.get("/mailbox", { schema: { hide: true } }, async (request, reply) => {
    if (!isFromThisMachine(request)) throw new AppError("NOT_FOUND");
    const mails = await listKeptMails(deps.config, SHOWN_MAX);
    const page = mailboxPage(deps.config, mails.map(({ eml }) => readEml(eml)), SHOWN_MAX);
    return await reply.type("text/html; charset=utf-8").header("cache-control", "no-store").send(page);
  });
}

/**
 * The address alone does not say it: behind a proxy on this machine everybody has a loopback address, and a page of
 * another site may have made its name point here. So nothing may have forwarded the call, and it must have asked for
 * this machine by a name of its own.
 */
function isFromThisMachine(request: Parameters<Guard>[0]): boolean {
  const { forwarded, "x-forwarded-for": forwardedFor, "x-real-ip": realAddress } = request.headers;
  if (forwarded !== undefined || forwardedFor !== undefined || realAddress !== undefined) return false;
  const hostname = URL.parse(`http://${request.headers.host ?? ""}`)?.hostname ?? "";
  return isLoopback(request.socket.remoteAddress ?? "") && (hostname === "localhost" || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1")));
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
