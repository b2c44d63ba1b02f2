import type { Deps } from "../base/deps.ts";
import { AppError } from "../base/errors.ts";
import type { App } from "../http/app-type.ts";
import type { IsInsider } from "../http/session/insiders.ts";
import { isStandingIn } from "../base/trial-parts.ts";
import { listKeptMails } from "./mailbox-folder.ts";
import { mailboxPage } from "./mailbox-page.ts";
import { readEml } from "./read-eml.ts";

const SHOWN_MAX = 100;

/** `/mailbox` exists only while mails are kept as files, and only for insiders. */
export function mailboxRoutes(app: App, deps: Pick<Deps, "config">, isInsider: IsInsider): void {
  if (!isStandingIn(deps.config, "mailbox")) return;
  app.get("/mailbox", { schema: { hide: true } }, async (request, reply) => {
    if (!isInsider(request)) throw new AppError("NOT_FOUND");
    const mails = await listKeptMails(deps.config, SHOWN_MAX);
    const page = mailboxPage(
      deps.config,
      mails.map(({ eml }) => readEml(eml)),
      SHOWN_MAX,
    );
    return await reply.type("text/html; charset=utf-8").header("cache-control", "no-store").send(page);
  });
}
