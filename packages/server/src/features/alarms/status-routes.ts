/**
 * `/status` and `/status.json`: how the service does, for everybody. Both follow from the open alarms, silenced or not, and say nothing of carriers,
 * machines or figures. The page needs no script and no other file, so it is whole when the rest is not.
 */
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
    const page = renderStatus(deps.config.brand.name, await readKept());
    return await reply.type("text/html; charset=utf-8").header("cache-control", cacheControl).send(page);
  });
}

const words: Record<State, string> = { operational: "Works", degraded: "Slower than usual", down: "Does not work" };
const headings: Record<State, string> = {
  operational: "Everything works",
  degraded: "Something is slower than usual",
  down: "Something does not work",
};

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
dl { margin: 0; }
dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .75rem 0; border-top: 1px solid GrayText; }
dd { margin: 0; }`;

function renderStatus(brand: string, { state, parts }: Status): string {
  const rows = parts.map(({ name, state: own, since }) => {
    const time =
      since === null ? "" : ` since <time datetime="${since}">${since.slice(0, 16).replace("T", " ")} UTC</time>`;
    return `<div><dt>${escapeHtml(name)}</dt><dd>${words[own]}${time}</dd></div>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="60">
<title>Status | ${escapeHtml(brand)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${headings[state]}</h1>
<dl>${rows.join("")}</dl>
<p><a href="/">${escapeHtml(brand)}</a></p>
</main>
</body>
</html>
`;
}
