import type { Config } from "../base/config.ts";
import type { Deps } from "../base/deps.ts";
import { AppError } from "../base/errors.ts";
import { isStandingIn } from "../base/trial-parts.ts";
import type { App } from "../http/app-type.ts";
import { escapeHtml } from "../http/escape-html.ts";
import type { IsInsider } from "../http/session/insiders.ts";
import { listKeptMails } from "./mailbox-folder.ts";
import { readEml, type ReadMail } from "./read-eml.ts";

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

/** The page that shows the kept mails: complete without any script, so that the strictest policy lets it through. */
export function mailboxPage(
  config: Pick<Config, "brand" | "publicUrl">,
  mails: readonly ReadMail[],
  countMax: number,
): string {
  const { brand } = config;
  const list =
    mails.length === 0
      ? `<p class="empty"><strong>No mails yet</strong><br>Register or reset a password, and the mail appears here.</p>`
      : mails.map((mail) => mailArticle(config.publicUrl, mail)).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Mailbox - ${escapeHtml(brand.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<a class="brand" href="/">${escapeHtml(brand.name)}<span>${escapeHtml(brand.suffix)}</span></a>
<a class="again" href="/mailbox">Refresh</a>
</header>
<main>
<h1>Mailbox</h1>
<p class="note">No mail server is configured, so mails stay on this machine. Only visitors from this machine see this page, and whoever has the token that the start printed.${
    mails.length === countMax ? ` The newest ${countMax} are shown.` : ""
  }</p>
${list}
</main>
</body>
</html>
`;
}

/** A mail address stays in one piece in the source, however long it is: programs that read the page look for it. */
function mailArticle(publicUrl: string, mail: ReadMail): string {
  const time = new Date(mail.date);
  const shownTime = Number.isNaN(time.getTime())
    ? escapeHtml(mail.date)
    : `<time datetime="${time.toISOString()}">${time.toISOString().slice(0, 16).replace("T", " ")} UTC</time>`;
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="facts"><span>To ${escapeHtml(mail.to)}</span> ${shownTime}</p>
<div class="text">${withLinks(publicUrl, mail.text)}</div>
</article>`;
}

/** Only our own addresses become links: a mail may quote what strangers wrote into a form. */
function withLinks(publicUrl: string, text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((piece) => {
      const isOurs = piece.startsWith(`${publicUrl}/`);
      return isOurs ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece);
    })
    .join("");
}

const STYLE = `
:root { color-scheme: light dark; --page: #F5F7FB; --surface: #FFFFFF; --text: #141D2B; --muted: #566275; --brand: #0B2352; --link: #1F4A97; --line: #DDE3ED }
@media (prefers-color-scheme: dark) {
  :root { --page: #0C1320; --surface: #141D2E; --text: #E6EBF4; --muted: #A5B1C6; --brand: #FFFFFF; --link: #9DBBF0; --line: #2A3650 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
header { display: flex; align-items: center; justify-content: space-between; height: 56px; padding: 0 24px; background: var(--surface); border-bottom: 1px solid var(--line) }
.brand { font-size: 20px; font-weight: 700; color: var(--brand); text-decoration: none }
.brand span { font-weight: 400; color: var(--muted) }
main { max-width: 720px; margin: 0 auto; padding: 24px 16px 64px }
h1 { margin: 0; font-size: 24px }
.note { margin: 4px 0 24px; color: var(--muted); font-size: 14px }
article, .empty { margin: 0 0 16px; overflow-wrap: break-word; padding: 20px 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px }
.empty { color: var(--muted); text-align: center; padding: 48px 24px }
.empty strong { color: var(--text) }
h2 { margin: 0; font-size: 16px }
.facts { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; margin: 2px 0 12px; color: var(--muted); font-size: 14px; font-variant-numeric: tabular-nums }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
a { color: var(--link) }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
`;
