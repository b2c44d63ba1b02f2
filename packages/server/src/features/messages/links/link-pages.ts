/** The pages behind the links of messages: complete without any script, so that every phone can show them. */
import type { Brand } from "@ewebal/contract";
import { escapeHtml } from "../../../http/escape-html.ts";
import type { OptOutLink } from "../../delivery/index.ts";

/** One form, whose button does what is not done yet. */
export function optOutPage(brand: Brand, code: string, link: OptOutLink): string {
  const name = escapeHtml(link.senderName);
  const number = escapeHtml(hideMiddle(link.phoneNo));
  if (link.state === "free")
    return page(brand, `Stop messages from ${name}?`, [
      `<p>${number} gets messages from the company that sends as ${name}. Stop them with one press.</p>`,
      form(code, { wish: "stop", label: "Stop messages", isMain: true }),
    ]);
  const heading = `You get no more messages from ${name}`;
  const done = `<p role="status">${number} is on the company’s list of people who want no messages, whatever name it sends as.</p>`;
  if (link.state === "link")
    return page(brand, heading, [done, form(code, { wish: "undo", label: "Undo", isMain: false })]);
  // Who opted out by another way comes back by another way; the button leaves things as they are.
  return page(brand, heading, [
    done,
    "<p>To get them again, ask the company.</p>",
    form(code, { wish: "stop", label: "Keep it so", isMain: false }),
  ]);
}

export function unknownLinkPage(brand: Brand): string {
  return page(brand, "This link leads nowhere", ["<p>Check that you opened the whole link from the message.</p>"]);
}

/** To whom many links led nowhere; one that leads somewhere is answered all the same. */
export function tooManyLinksPage(brand: Brand): string {
  return page(brand, "Too many links that lead nowhere", [
    "<p>Check that you opened the whole link from the message, and try again in ten minutes.</p>",
  ]);
}

export function expiredLinkPage(brand: Brand): string {
  return page(brand, "This link has expired", [
    "<p>Links in messages work for 180 days. Ask who sent it for a new one.</p>",
  ]);
}

function form(
  code: string,
  { wish, label, isMain }: { wish: "stop" | "undo"; label: string; isMain: boolean },
): string {
  return `<form method="post" action="/o/${escapeHtml(code)}"><button name="wish" value="${wish}"${isMain ? ' class="main"' : ""}>${label}</button></form>`;
}

/** Links are passed on: whoever opens one learns enough to know their own number, and not somebody else's. */
function hideMiddle(phoneNo: number): string {
  const digits = String(phoneNo);
  return `+${digits.slice(0, 5)}${"•".repeat(Math.max(0, digits.length - 8))}${digits.slice(-3)}`;
}

function page(brand: Brand, heading: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${heading} - ${escapeHtml(brand.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${parts.join("\n")}
<p class="note">Sent with ${escapeHtml(brand.name)}<span>${escapeHtml(brand.suffix)}</span></p>
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --page: #F5F7FB; --surface: #FFFFFF; --text: #141D2B; --muted: #566275; --fill: #14377A; --line: #7C899C; --soft: #DDE3ED; --focus: #2F5FB5 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0C1320; --surface: #141D2E; --text: #E6EBF4; --muted: #A5B1C6; --fill: #3B6BC4; --line: #66758F; --soft: #2A3650; --focus: #9DBBF0 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 40px 16px; background: var(--page); color: var(--text); font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 440px; margin: 0 auto; padding: 24px; background: var(--surface); border: 1px solid var(--soft); border-radius: 12px; overflow-wrap: anywhere }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 1.3 }
p { margin: 0 0 20px }
button { width: 100%; min-height: 48px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; font-weight: 600; cursor: pointer }
button.main { border-color: var(--fill); background: var(--fill); color: #FFFFFF }
button:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.note { margin: 20px 0 0; font-size: 14px; color: var(--muted) }
.note span { font-weight: 400 }
`;
