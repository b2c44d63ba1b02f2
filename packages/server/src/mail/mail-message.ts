import type { SendMailOptions } from "nodemailer";
import type { Config } from "../base/config.ts";
import type { StoredMail } from "./mail-store.ts";

/** Builds the message for the mail library. Addresses are objects, which it never splits into lists. */
export function mailMessage(config: Pick<Config, "mailFrom" | "publicUrl">, mail: StoredMail): SendMailOptions {
  return {
    from: config.mailFrom,
    to: { name: "", address: mail.recipient },
    ...(mail.replyTo !== undefined && { replyTo: { name: "", address: mail.replyTo } }),
    subject: mail.subject,
    date: mail.createdAt,
    // The same for every attempt: a mail that was sent twice around a crash is shown once by most programs.
    messageId: `<${mail.mailId}@${new URL(config.publicUrl).hostname}>`,
    alternatives: [textPart(mail.text), { contentType: "text/html; charset=utf-8", content: mail.html }],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Left to itself the library folds lines over 76 characters, and a link that is copied from the raw mail breaks. RFC
 * 5322 ends lines at 998 characters; a text with such lines, or in another alphabet, is folded after all.
 */
function textPart(text: string): { raw: string } | { contentType: string; content: string } {
  const contentType = "text/plain; charset=utf-8";
  const isPlain = /^[\n\t -~]*$/.test(text) && text.split("\n").every((line) => line.length <= 998);
  if (!isPlain) return { contentType, content: text };
  return {
    raw: [`Content-Type: ${contentType}`, "Content-Transfer-Encoding: 7bit", "", ...text.split("\n")].join("\r\n"),
  };
}

/** The mail as it would go over the wire. */
export async function buildEml(config: Pick<Config, "mailFrom" | "publicUrl">, mail: StoredMail): Promise<Buffer> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await transport.sendMail(mailMessage(config, mail));
  if (!Buffer.isBuffer(message)) throw new Error("The mail was not built in memory");
  return message;
}
