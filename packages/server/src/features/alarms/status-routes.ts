/**
 * `/status` and `/status.json`: how the service does, for everybody. Both follow from the open alarms, silenced or not, and say nothing of carriers,
 * machines or figures. The page needs no script and no other file, so it is whole when the rest is not.
 */
import type { Brand } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { escapeHtml } from "../../http/escape-html.ts";
import { createStatusReader, STATUS_KEPT_SECONDS, type State, type Status } from "./read-status.ts";

/** @param hasWorker whether a worker was seen lately. */
export function statusRoutes(app: App, deps: Deps, hasWorker: () => Promise<boolean>): void {
  const readKept = createStatusReader(deps, hasWorker);
  const cacheControl = `public, max-age=${STATUS_KEPT_SECONDS}`;
  app.get("/status.json", { schema: { hide: true } }, async (_request, reply) => {
    return await reply.header("cache-control", cacheControl).send(await readKept());
  });
  app.get("/status", { schema: { hide: true } }, async (_request, reply) => {
    const page = renderStatus(deps.config.brand, await readKept());
    return await reply.type("text/html; charset=utf-8").header("cache-control", cacheControl).send(page);
  });
}

const words: Record<State, string> = { operational: "Works", degraded: "Slower than usual", down: "Does not work" };
const headings: Record<State, string> = {
  operational: "Everything works",
  degraded: "Something is slower than usual",
  down: "Something does not work",
};

/** The tokens of `web/ui/theme/tokens.css` that this page uses; a test compares them. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ew-page: #f5f7fb; --ew-surface: #ffffff; --ew-text: #141d2e; --ew-muted: #566275; --ew-brand: #0b2352; --ew-link: #1f4a97;
  --ew-focus: #2f5fb5; --ew-line: #e1e7f0; --ew-ok: #12663b; --ew-ok-soft: #e6f5ec; --ew-warn: #87480a; --ew-warn-soft: #fdf1df;
  --ew-error: #b42318; --ew-error-soft: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ew-page: #0c1320; --ew-surface: #141d2e; --ew-text: #e6ebf4; --ew-muted: #a5b1c6; --ew-brand: #ffffff; --ew-link: #9dbbf0;
    --ew-focus: #9dbbf0; --ew-line: #263248; --ew-ok: #74d3a2; --ew-ok-soft: #12291f; --ew-warn: #f0b860; --ew-warn-soft: #2e2412;
    --ew-error: #ff9f95; --ew-error-soft: #351b1d;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ew-page); color: var(--ew-text); font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
header { display: flex; align-items: center; height: 56px; padding: 0 16px; background: var(--ew-surface); border-bottom: 1px solid var(--ew-line) }
.brand { color: var(--ew-brand); font-size: 20px; font-weight: 700; text-decoration: none }
.brand span { color: var(--ew-muted); font-weight: 400 }
main { max-width: 640px; margin: 0 auto; padding: 32px 16px }
.whole { display: flex; align-items: center; gap: 12px; margin: 0 0 16px; padding: 20px; border-radius: 12px }
.whole h1 { margin: 0; font-size: 20px; line-height: 1.3 }
.whole::before { content: ""; flex: none; width: 12px; height: 12px; border-radius: 50%; background: currentcolor }
.operational { background: var(--ew-ok-soft); color: var(--ew-ok) }
.degraded { background: var(--ew-warn-soft); color: var(--ew-warn) }
.down { background: var(--ew-error-soft); color: var(--ew-error) }
dl { margin: 0; padding: 0 20px; background: var(--ew-surface); border: 1px solid var(--ew-line); border-radius: 12px }
dl > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 4px 16px; padding: 16px 0 }
dl > div + div { border-top: 1px solid var(--ew-line) }
dt { font-weight: 600 }
dd { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; margin: 0 }
dd span { padding: 2px 10px; border-radius: 12px; font-size: 14px; font-weight: 600 }
dd small, .note { color: var(--ew-muted); font-size: 14px }
.note { margin: 16px 0 0 }
a { color: var(--ew-link) }
a:focus-visible { outline: 2px solid var(--ew-focus); outline-offset: 2px; border-radius: 4px }`;

function renderStatus({ name, suffix }: Brand, { state, parts }: Status): string {
  const rows = parts.map(({ name: part, state: own, since }) => {
    const time =
      since === null
        ? ""
        : `<small>since <time datetime="${since}">${since.slice(0, 16).replace("T", " ")} UTC</time></small>`;
    return `<div><dt>${escapeHtml(part)}</dt><dd>${time}<span class="${own}">${words[own]}</span></dd></div>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Status - ${escapeHtml(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><a class="brand" href="/">${escapeHtml(name)}<span>${escapeHtml(suffix)}</span></a></header>
<main>
<div class="whole ${state}"><h1>${headings[state]}</h1></div>
<dl>
${rows.join("\n")}
</dl>
<p class="note"><a href="/status">Look again</a>. Programs read <a href="/status.json">/status.json</a>.</p>
</main>
</body>
</html>
`;
}
