import type { Config } from "../base/config.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../base/deps.ts";
import { insertMail } from "./mail-store.ts";

/**
 * A part of a mail, before it is rendered as plain text and HTML. Texts are shown as they are: nothing in them is
 * markup.
 */
export type MailBlock =
  | { kind: "text"; text: string }
  /** A link to one of our pages. `path` begins with a slash; the address in front of it is `PUBLIC_URL`. */
  | { kind: "action"; label: string; path: string }
  /** Stands alone on its line, so that people and programs can copy it. */
  | { kind: "code"; code: string }
  | { kind: "facts"; rows: readonly (readonly [label: string, value: string])[] };

export type MailContent = {
  recipient: string;
  /** Whom an answer goes to, when not to the sender of all mails. */
  replyTo?: string;
  subject: string;
  /** "Hello Ada," */
  greetingName?: string;
  blocks: readonly MailBlock[];
};

type MailConfig = Pick<Config, "publicUrl" | "brand">;

export type RenderedMail = { subject: string; text: string; html: string };

/** Longer than nearly all names; a registration takes 100. */
const NAME_CHARACTERS_MAX = 30;

/** Renders both forms of a mail from the same blocks, so that they say the same. */
export function renderMail(config: MailConfig, mail: MailContent): RenderedMail {
  const name = plainName(mail.greetingName ?? "");
  const greeting = name === "" ? "Hello," : `Hello ${name},`;
  return {
    subject: oneLine(mail.subject),
    text: [greeting, ...mail.blocks.map((block) => textOf(config, block)), signature(config)].join("\n\n") + "\n",
    html: htmlOf(config, { ...mail, subject: oneLine(mail.subject) }, greeting),
  };
}

/** A header is one line: whatever could begin another becomes a space. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/**
 * Makes a typed name safe for a mail to a stranger: it contains no address that a mail program would turn into a link,
 * and is too short to carry a message of its own.
 */
export function plainName(name: string): string {
  const words = oneLine(name)
    .replace(/[^\p{L}\p{M}\p{N} '’-]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = Array.from(words);
  return characters.length <= NAME_CHARACTERS_MAX
    ? words
    : `${characters.slice(0, NAME_CHARACTERS_MAX).join("").trim()}…`;
}

function signature({ brand }: MailConfig): string {
  return [`${brand.name}${brand.suffix}`, brand.address, ...brand.emails.slice(0, 1)].join("\n");
}

function textOf(config: MailConfig, block: MailBlock): string {
  if (block.kind === "text") return block.text;
  if (block.kind === "code") return block.code;
  if (block.kind === "action") return `${block.label}:\n${config.publicUrl}${block.path}`;
  return block.rows.map(([label, value]) => `${label}: ${oneLine(value)}`).join("\n");
}

// Mail programs know tables and style attributes, and little else.
const STYLE = {
  page: "margin:0;padding:24px 12px;background:#F5F7FB;font-family:Inter,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif",
  card: "width:100%;max-width:520px;margin:0 auto;background:#FFFFFF;border:1px solid #DDE3ED;border-radius:12px",
  cell: "padding:28px 28px 12px;color:#141D2B;font-size:16px;line-height:1.5",
  brand: "font-size:20px;font-weight:700;color:#0B2352",
  suffix: "font-weight:400;color:#566275",
  paragraph: "margin:16px 0;white-space:pre-line",
  button:
    "display:inline-block;padding:12px 20px;background:#14377A;color:#FFFFFF;border-radius:8px;font-weight:600;text-decoration:none",
  address: "margin:8px 0 16px;font-size:12px;color:#566275;word-break:break-all",
  code: "margin:20px 0;font-size:32px;font-weight:700;letter-spacing:8px;font-variant-numeric:tabular-nums",
  label: "padding:2px 16px 2px 0;color:#566275;vertical-align:top",
  foot: "padding:12px 28px 28px;color:#566275;font-size:12px;line-height:1.5;white-space:pre-line",
} as const;

function htmlOf(config: MailConfig, mail: MailContent, greeting: string): string {
  const { brand } = config;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(mail.subject)}</title></head>
<body style="${STYLE.page}">
<table role="presentation" cellpadding="0" cellspacing="0" style="${STYLE.card}">
<tr><td style="${STYLE.cell}">
<div style="${STYLE.brand}">${escapeHtml(brand.name)}<span style="${STYLE.suffix}">${escapeHtml(brand.suffix)}</span></div>
<p style="${STYLE.paragraph}">${escapeHtml(greeting)}</p>
${mail.blocks.map((block) => htmlOfBlock(config, block)).join("\n")}
</td></tr>
<tr><td style="${STYLE.foot}">${escapeHtml(signature(config))}</td></tr>
</table>
</body>
</html>
`;
}

function htmlOfBlock(config: MailConfig, block: MailBlock): string {
  if (block.kind === "text") return `<p style="${STYLE.paragraph}">${escapeHtml(block.text)}</p>`;
  if (block.kind === "code") return `<p style="${STYLE.code}">${escapeHtml(block.code)}</p>`;
  if (block.kind === "action") {
    const address = escapeHtml(`${config.publicUrl}${block.path}`);
    return `<p style="margin:20px 0 0"><a href="${address}" style="${STYLE.button}">${escapeHtml(block.label)}</a></p>
<p style="${STYLE.address}">${address}</p>`;
  }
  const rows = block.rows.map(
    ([label, value]) => `<tr><td style="${STYLE.label}">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:16px 0">
${rows.join("\n")}
</table>`;
}

/** The queue that sends them; see `send-mail.ts`. */
export const SEND_MAIL = "send-mail";

/** A single address: no list, no second header. The contract has the finer rules. */
const ONE_ADDRESS = /^[^\s<>,;:"@\p{Cc}]+@[^\s<>,;:"@\p{Cc}]+$/u;

/**
 * Writes a mail in the caller's transaction, so that it is sent exactly when the transaction commits.
 *
 * @throws Error for a recipient or reply address that is not one plain address; callers validate before.
 */
export async function writeMail(
  deps: Pick<Deps, "config" | "jobs" | "clock">,
  tx: Queryable,
  content: MailContent,
): Promise<void> {
  for (const address of [content.recipient, content.replyTo]) {
    if (address !== undefined && !ONE_ADDRESS.test(address)) throw new Error("A mail needs plain addresses");
  }
  const mailId = uuidv7();
  const { subject, text, html } = renderMail(deps.config, content);
  await insertMail(tx, {
    mailId,
    recipient: content.recipient,
    replyTo: content.replyTo,
    subject,
    text,
    html,
    createdAt: deps.clock.now(),
  });
  await deps.jobs.enqueue(tx, SEND_MAIL, { mailId });
}
