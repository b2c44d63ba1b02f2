import type { HelpRequest } from "@ewebal/contract";
import { emailHint, isEmailAccepted } from "@ewebal/contract";
import { NIL } from "uuid";
import { doOnce, fingerprintOf, type KeptAnswers } from "../../db/idempotency.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { fieldError } from "../../base/errors.ts";
import { clientKey } from "../../http/rate-limits/client-address.ts";
import { countTry, rateRules } from "../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../mail/index.ts";

const MAILED = { kind: "mailed" } as const;
/** The answer is the same for every message: the key needs no body. */
const keptThanks: KeptAnswers<typeof MAILED> = { write: () => ({ status: 201, body: null }), read: () => MAILED };

type HelpOptions = {
  /** The rate limit counts by it; a visitor has no other name. */
  clientAddress: string;
  /** Of the form that was sent; without a key every request is a new message. */
  idempotencyKey: string | undefined;
};

/**
 * Mails a visitor's message to the management; the mail's Reply-To is the visitor.
 *
 * @throws AppError `VALIDATION` for an address that the form's rule does not take, `RATE_LIMITED` after five messages an
 * hour from one address, `IDEMPOTENCY_CONFLICT` for a key that came with another message. Nothing is mailed then.
 */
export async function askForHelp(
  deps: Deps,
  help: HelpRequest,
  { clientAddress, idempotencyKey }: HelpOptions,
): Promise<void> {
  if (!isEmailAccepted("contact", help.email, deps.config.emailRules)) {
    throw fieldError("email", emailHint("contact", deps.config.emailRules) ?? "is not a valid e-mail address");
  }
  const mailOnce = async (tx: Tx): Promise<void> => {
    // In the transaction: a second click of the same form is no second try.
    await countTry(deps, tx, rateRules.contactForm, clientKey(clientAddress));
    await mailManagement(deps, tx, help);
  };
  await withTransaction(deps.db, async (tx) => {
    // Visitors share one space of keys: the pages make random ones, and two people with one key have two messages.
    const request = { actorId: NIL, scope: "need-help", key: idempotencyKey, fingerprint: fingerprintOf(help) };
    await doOnce(tx, { ...request, answers: keptThanks }, async () => {
      await mailOnce(tx);
      return MAILED;
    });
  });
}

async function mailManagement(deps: Deps, tx: Tx, { userName, email, subject, message }: HelpRequest): Promise<void> {
  await writeMail(deps, tx, {
    recipient: deps.config.managementEmail,
    replyTo: email,
    subject: `Contact form: ${subject}`,
    blocks: [
      {
        kind: "facts",
        rows: [
          ["From", userName],
          ["E-mail", email],
          ["Subject", subject],
        ],
      },
      { kind: "text", text: message },
      {
        kind: "text",
        text: "Replies to this mail go to the writer. We have not verified that the address is theirs.",
      },
    ],
  });
}
