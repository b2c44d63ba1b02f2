import { countCharacters, limits } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { doOnce, fingerprintOf, type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";
import { checkCallbackUrl } from "../../../http/outbound/guarded-post.ts";
import type { ProgramKey } from "../../accounts/index.ts";
import { linkTexts } from "../send/merge-send.ts";
import { sendMessage } from "../send/send-message.ts";
import type { SendDeps } from "../send/send.ts";
import { OPTED_OUT, UNREACHED_LIST } from "./present-twilio.ts";
import { TwilioError } from "./twilio-errors.ts";
import { insertTwilioMessage } from "./twilio-store.ts";

/** The fields of Twilio's form, each at most once. */
export type TwilioForm = ReadonlyMap<string, string>;

const E164 = /^\+[1-9][0-9]{6,14}$/;
const VALIDITY_SECONDS_MAX = 36_000;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;
const CALLBACK_CHARACTERS_MAX = 2_000;
/** What would be another message than the one that we send. */
const UNSUPPORTED = ["MediaUrl", "ContentSid", "ContentVariables", "PersistentAction"];

type ReadForm = {
  to: string;
  from: string;
  body: string;
  statusCallback: string | undefined;
  sendAt: Date | undefined;
  validSeconds: number | undefined;
};

/** @throws TwilioError with Twilio's number for each fault. */
export function readForm(form: TwilioForm): ReadForm {
  const [to, from, body] = ["To", "From", "Body"].map((name) => form.get(name) ?? "") as [string, string, string];
  for (const name of UNSUPPORTED) if (form.has(name)) throw new TwilioError(20001, `${name} is not supported here`);
  if (to === "") throw new TwilioError(21604, "A 'To' phone number is required");
  if (from === "") throw new TwilioError(21603, "A 'From' sender name is required");
  if (body.trim() === "") throw new TwilioError(21602, "Message body is required");
  if (!E164.test(to)) throw new TwilioError(21211, `The 'To' number ${to.slice(0, 40)} is not a valid phone number`);
  if (countCharacters(body) > limits.messageCharactersMax)
    throw new TwilioError(21617, `The message body has more than ${limits.messageCharactersMax} characters`);
  return {
    to,
    from,
    body,
    statusCallback: readCallback(form),
    sendAt: readSendAt(form),
    validSeconds: readValidity(form),
  };
}

function readCallback(form: TwilioForm): string | undefined {
  const text = form.get("StatusCallback");
  if (text === undefined || text === "") return undefined;
  if (text.length > CALLBACK_CHARACTERS_MAX) throw new TwilioError(21609, "The 'StatusCallback' URL is too long");
  return text;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

function readSendAt(form: TwilioForm): Date | undefined {
  const [text, type] = [form.get("SendAt"), form.get("ScheduleType")];
  if (text === undefined && type === undefined) return undefined;
  if (text === undefined) throw new TwilioError(35111, "ScheduleType needs SendAt");
  if (type !== "fixed") throw new TwilioError(20001, "SendAt needs ScheduleType=fixed");
  const time = new Date(text);
  if (!ISO_TIME.test(text) || Number.isNaN(time.getTime()))
    throw new TwilioError(35114, "SendAt is not a time in ISO 8601 with an offset");
  return time;
}

function readValidity(form: TwilioForm): number | undefined {
  const text = form.get("ValidityPeriod");
  if (text === undefined) return undefined;
  const seconds = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > VALIDITY_SECONDS_MAX)
    throw new TwilioError(20001, `ValidityPeriod is not a number of seconds from 1 to ${VALIDITY_SECONDS_MAX}`);
  return seconds;
}

/** @throws TwilioError for a key that is none. */
export function readIdempotencyKey(headers: Readonly<Record<string, unknown>>): string | undefined {
  const key = headers["idempotency-key"] ?? headers["i-twilio-idempotency-token"];
  if (key === undefined || (typeof key === "string" && IDEMPOTENCY_KEY.test(key))) return key;
  throw new TwilioError(20001, "The idempotency key has 1 to 200 visible characters");
}

type Sender = { program: ProgramKey; clientAddress: string };

/**
 * Sends one message by Twilio's form: the same operation as every send. What Twilio refuses at once is refused as a whole, with nothing stored.
 *
 * @returns the message's id.
 * @throws AppError and TwilioError.
 */
export async function sendForTwilio(
  deps: SendDeps,
  { program, clientAddress }: Sender,
  { form, key }: { form: TwilioForm; key: string | undefined },
): Promise<string> {
  const { userId, mode, keyId, publicName } = program;
  const { to, from, body, statusCallback, sendAt, validSeconds } = readForm(form);
  if (statusCallback !== undefined) await checkCallbackUrl(deps.config, "StatusCallback", statusCallback);
  const validFrom = sendAt ?? deps.clock.now();
  const validUntil = validSeconds && new Date(validFrom.getTime() + validSeconds * 1_000).toISOString();
  const fields = { phoneNo: to, senderName: from, message: body, ...(validUntil && { validUntil }) };
  const bytes = Buffer.from(JSON.stringify(fields));
  const read = await deps.bodies.read("program-json", { bytes, mode }, bytes.byteLength);
  if (!("recipients" in read)) throw new TwilioError(21211, "The 'To' number is not a valid phone number");
  const { personal: _, ...request } = read;
  const links = { publicUrl: deps.config.publicUrl, hasOptOutLink: false };
  const priced = linkTexts(request, links, deps.config.pageRule);
  const asked = { to, from, body, statusCallback, sendAt: sendAt?.toISOString(), validSeconds };
  const once = { actorId: userId, scope: "twilio", key, fingerprint: fingerprintOf(asked), answers: keptIds };
  const followers = statusCallback === undefined ? [] : (["twilio"] as const);
  const caller = { userId, via: "twilio" as const, mode, clientAddress, followers };
  const time = sendAt && { sendAt, timeZone: "UTC" };
  const { messageId } = await deps.inTurn(to.length, (tx) =>
    doOnce(tx, once, async () => {
      const sent = await sendMessage(deps, tx, caller, priced, time);
      const { dnd, optedOut = 0 } = sent.units;
      if (optedOut > 0) throw new TwilioError(OPTED_OUT, "Attempt to send to unsubscribed recipient");
      if (dnd > 0) throw new TwilioError(UNREACHED_LIST, "The 'To' number is on the do-not-disturb list");
      await insertTwilioMessage(tx, {
        userId,
        messageId: sent.messageId,
        acceptedId: uuidv7(),
        keyId,
        accountSid: publicName ?? "",
        mode,
        phoneNo: priced.recipients.valid[0] ?? 0,
        senderName: from,
        statusCallback: statusCallback ?? null,
        createdAt: deps.clock.now(),
      });
      return { messageId: sent.messageId };
    }),
  );
  return messageId;
}

const keptIds: KeptAnswers<{ messageId: string }> = {
  write: ({ messageId }) => ({ status: 201, body: { data: { _id: messageId } } }),
  read: (answer) => ({ messageId: keptIdOf(answer) }),
};
