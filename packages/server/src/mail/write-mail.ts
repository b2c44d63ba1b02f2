import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../base/deps.ts";
import { type MailContent, renderMail } from "./render-mail.ts";
import { insertMail } from "./mail-store.ts";

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
