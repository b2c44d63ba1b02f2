import type { MailServer } from "../base/config.ts";
import type { Deps } from "../base/deps.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { isStandingIn } from "../base/trial-parts.ts";
import { buildEml, mailMessage } from "./mail-message.ts";
import { beginAttempt, markGivenUp, markSent, type StoredMail } from "./mail-store.ts";
import { keepMail } from "./mailbox-folder.ts";
import { SEND_MAIL } from "./render-mail.ts";

/** Mails that waited longer than a weekend are of no use any more. */
const RETRY_HOURS = 72;
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;

export const sendMailQueue: JobQueue = {
  name: SEND_MAIL,
  // RETRY_HOURS ends the retries: 1,000 of them never fit into 72 hours.
  retriesMax: 1_000,
  retryDelaySeconds: 15,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 120,
  concurrency: 10,
  handle: async (deps, ids) => await sendMail(deps, ids["mailId"] ?? ""),
};

/**
 * Sends one mail, or keeps it as a file when there is no mail server. A crash after sending and before recording it
 * sends the mail again under the same Message-ID.
 *
 * @throws Error when the mail server did not take it; the job then tries again.
 */
export async function sendMail(deps: Pick<Deps, "config" | "db" | "clock" | "log">, mailId: string): Promise<void> {
  const mail = await beginAttempt(deps.db, mailId);
  if (mail === undefined) return;
  const now = deps.clock.now();
  if (now.getTime() - mail.createdAt.getTime() > RETRY_HOURS * 3_600_000) {
    await markGivenUp(deps.db, mailId, now);
    deps.log.error({ mailId }, "a mail was given up after 72 hours");
    return;
  }
  if (deps.config.mailServer !== undefined) await sendThroughServer(deps.config.mailServer, deps, mail);
  else if (isStandingIn(deps.config, "mailbox")) await keepMail(deps.config, mail, await buildEml(deps.config, mail));
  else throw new Error("There is no mail server, and mails may not be kept");
  await markSent(deps.db, mailId, now);
}

async function sendThroughServer(
  { url, tls }: MailServer,
  deps: Pick<Deps, "config">,
  mail: StoredMail,
): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url,
    // Otherwise an attacker on the way could strip the offer of TLS and read the links.
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await transport.sendMail(mailMessage(deps.config, mail));
  } finally {
    transport.close();
  }
}
