import { createTransport } from "nodemailer";
import type { MailServer } from "../base/config.ts";
import type { Deps } from "../base/deps.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { isStandingIn } from "../base/trial-parts.ts";
import { buildEml, mailMessage } from "./mail-message.ts";
import { beginAttempt, markGivenUp, markSent, type StoredMail } from "./mail-store.ts";
import { keepMail } from "./mailbox-folder.ts";
import { SEND_MAIL } from "./write-mail.ts";

/** A mail server that is away for longer than a weekend will not be thanked for what it then delivers. */
const RETRY_HOURS = 72;
const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 30_000;

export const sendMailQueue: JobQueue = {
  name: SEND_MAIL,
  // The 72 hours end it; at an hour each this many never fit into them.
  retriesMax: 1_000,
  retryDelaySeconds: 15,
  retryDelaySecondsMax: 3_600,
  runSecondsMax: 120,
  concurrency: 10,
  handle: async (deps, ids) => await sendMail(deps, ids["mailId"] ?? ""),
};

/**
 * Sends one mail, or keeps it as a file when there is no mail server. A crash between sending and noting it sends the
 * mail twice under the same Message-ID: that is better than never.
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
  const transport = createTransport({
    url,
    // Else anybody on the way could make the server seem to offer none, and read the links.
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
