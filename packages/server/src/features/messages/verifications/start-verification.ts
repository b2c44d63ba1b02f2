/**
 * Sends a code to a person. The code stands in three places alone: in this process while the message is made, sealed beside the message until
 * its worker has handed it over, and on the phone. The row keeps a keyed hash of it, and every list shows bullets.
 *
 *   pending -> verified   the right code came back in time (`check-verification.ts`)
 *   pending -> ended      a newer code was sent to the same number
 *   pending               with its time over, or no tries left, it takes none: nothing has to happen for that
 */
import { createHmac, randomInt } from "node:crypto";
import { codeLimits, defaultCodeTemplate, fillCode, HIDDEN_CODE, type StartVerificationBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { AppError, fieldError } from "../../../base/errors.ts";
import { fingerprintOf, type KeptAnswers, doOnce } from "../../../db/idempotency.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { countTryQuietly, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { writeMail } from "../../../mail/index.ts";
import { getSecretsKey } from "../../../secrets/secrets-key.ts";
import { findCustomer } from "../../accounts/index.ts";
import { sealBody } from "../../delivery/index.ts";
import type { Caller } from "../send/check-send.ts";
import { linkTexts, type PricedRequest } from "../send/merge-send.ts";
import { keptSends, type SendOutcome } from "../send/present-send.ts";
import { sendMessage } from "../send/send-message.ts";
import type { SendDeps } from "../send/send.ts";
import {
  countCodesNear,
  countCodesTo,
  endPending,
  insertVerification,
  lockNeighbours,
  type Place,
  type VerificationMode,
} from "./verification-store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEIGHBOURS_MS = 10 * MINUTE_MS;
/** Every code of a test key: nothing is sent, so a program under test could not know another. */
const TEST_CODE = "000000";

export type StartedVerification = {
  verificationId: string;
  phoneNo: string;
  expiresAt: Date;
  send: SendOutcome;
};

/**
 * @throws AppError `VALIDATION`; `RATE_LIMITED` for the sixth code to a number within an hour, and for a series to neighbouring numbers, of
 *   which administrators then hear; and as every send.
 */
export async function startVerification(
  deps: SendDeps,
  caller: Caller,
  { body, key }: { body: StartVerificationBody; key: string | undefined },
): Promise<StartedVerification> {
  const { userId, mode = "live" } = caller;
  const { length = codeLimits.lengthDefault, expiresIn = codeLimits.expiresSecondsDefault } = body;
  const template = body.template ?? defaultCodeTemplate(expiresIn);
  const code = mode === "test" ? TEST_CODE : String(randomInt(10 ** length)).padStart(length, "0");
  const request = await readRequest(deps, { ...body, template, code, mode });
  const phoneNo = request.recipients.valid[0] ?? 0;
  const place = { userId, phoneNo };
  const fingerprint = fingerprintOf({ to: String(phoneNo), senderName: body.senderName, template, length, expiresIn });
  const secretsKey = await getSecretsKey(deps.config);
  const secret = {
    shown: fillCode(template, HIDDEN_CODE),
    seal: (messageId: string, text: string) => sealBody(secretsKey, messageId, text),
  };
  const asked = { actorId: userId, scope: "verification", key, fingerprint, answers: keptStarts };
  try {
    return await deps.inTurn(body.to.length, (tx) =>
      doOnce(tx, asked, async () => {
        await refuseSeries(deps, tx, place);
        const verificationId = uuidv7();
        const now = deps.clock.now();
        const expiresAt = new Date(now.getTime() + expiresIn * 1_000);
        const timed = { ...request, secret, validUntil: expiresAt.toISOString() };
        const send = await sendMessage(deps, tx, caller, timed);
        await endPending(tx, { ...place, mode, now });
        await insertVerification(tx, {
          ...place,
          verificationId,
          mode,
          messageId: send.messageId,
          codeHash: hashCode(secretsKey, verificationId, code),
          triesLeft: codeLimits.triesMax,
          createdAt: now,
          expiresAt,
        });
        return { verificationId, phoneNo: String(phoneNo), expiresAt, send };
      }),
    );
  } catch (error) {
    if (error instanceof NeighboursError) await tellAdministrators(deps, place, mode);
    throw error;
  }
}

/** @param secretsKey the installation's: a copy of the database alone would give up a hash of six digits in a moment. */
export function hashCode(secretsKey: Buffer, verificationId: string, code: string): Buffer {
  return createHmac("sha256", secretsKey).update(`verification ${verificationId} ${code}`).digest();
}

type Written = { to: string; senderName: string; template: string; code: string; mode: VerificationMode };

/** Read as the body of a program's send, with the names of this call's fields in what it refuses. */
async function readRequest(deps: SendDeps, { to, senderName, template, code, mode }: Written): Promise<PricedRequest> {
  const fields = { phoneNo: to, senderName, message: fillCode(template, code), class: "transactional" };
  const bytes = Buffer.from(JSON.stringify(fields));
  const read = await deps.bodies.read("program-json", { bytes, mode }, bytes.byteLength).catch(renameFields);
  if (!("recipients" in read) || read.recipients.receivedCount !== 1) throw fieldError("to", "is not one number");
  const links = { publicUrl: deps.config.publicUrl, hasOptOutLink: false };
  const { personal: _, ...request } = read;
  return linkTexts(request, links, deps.config.pageRule);
}

const OUR_NAMES: Readonly<Record<string, string>> = { phoneNo: "to", code: "to", message: "template" };

function renameFields(error: unknown): never {
  if (!(error instanceof AppError) || error.fields === undefined) throw error;
  const fields = Object.entries(error.fields).map(([name, fault]) => [OUR_NAMES[name] ?? name, fault]);
  throw new AppError(error.code, { fields: Object.fromEntries(fields) as Record<string, string>, cause: error });
}

/** More codes to neighbouring numbers than one customer's people can have asked for: somebody pumps messages through the form. */
class NeighboursError extends AppError {
  constructor(retryAfterSeconds: number) {
    super("RATE_LIMITED", {
      message: "Too many codes to neighbouring numbers. Codes to others still go out; we look at this",
      extra: { retryAfterSeconds },
    });
  }
}

/** Rules of the product, which hold with `RATE_LIMITS=off`, too. @throws AppError `RATE_LIMITED`. */
async function refuseSeries(deps: SendDeps, tx: Tx, place: Place): Promise<void> {
  await lockNeighbours(tx, place);
  const nowMs = deps.clock.now().getTime();
  const own = await countCodesTo(tx, place, new Date(nowMs - HOUR_MS));
  if (own.count >= codeLimits.codesPerNumber) {
    const retryAfterSeconds = secondsUntil(own.oldestAt, HOUR_MS, nowMs);
    throw new AppError("RATE_LIMITED", {
      message: `A number gets ${codeLimits.codesPerNumber} codes within an hour. Please wait`,
      extra: { retryAfterSeconds },
    });
  }
  const near = await countCodesNear(tx, place, new Date(nowMs - NEIGHBOURS_MS));
  if (near.count >= codeLimits.neighboursMax)
    throw new NeighboursError(secondsUntil(near.oldestAt, NEIGHBOURS_MS, nowMs));
}

function secondsUntil(oldestAt: Date | null, windowMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil(((oldestAt?.getTime() ?? nowMs) + windowMs - nowMs) / 1_000));
}

/** Once an hour for a series: the refusal is repeated as often as the form is sent. Nothing of a test key alarms anybody. */
async function tellAdministrators(deps: SendDeps, { userId, phoneNo }: Place, mode: VerificationMode): Promise<void> {
  if (mode === "test") return;
  const series = String(phoneNo).slice(0, -2);
  const counting = { ...deps, config: { isRateLimited: true } };
  await withTransaction(deps.db, async (tx) => {
    if ((await countTryQuietly(counting, tx, rateRules.codeAlarm, userId, series)) !== undefined) return;
    const customer = await findCustomer(tx, userId);
    await writeMail(deps, tx, {
      recipient: deps.config.managementEmail,
      subject: `Codes to neighbouring numbers from ${customer?.userName ?? "a customer"}`,
      blocks: [
        {
          kind: "text",
          text: "Somebody may use this customer's form to have codes sent to numbers of their own. Further codes to these numbers are refused for now.",
        },
        {
          kind: "facts",
          rows: [
            ["Customer", customer?.userName ?? userId],
            ["Numbers", `${series}00 to ${series}99`],
            ["Codes in 10 minutes", `more than ${codeLimits.neighboursMax}`],
          ],
        },
      ],
    });
  });
  deps.log.warn({ userId, series }, "codes to many neighbouring numbers were refused");
}

type StartAnswer = { data: { _id: string; to: string; expiresAt: string }; send: { status: number; body: unknown } };

const keptStarts: KeptAnswers<StartedVerification> = {
  write: ({ verificationId, phoneNo, expiresAt, send }) => ({
    status: 201,
    body: {
      data: { _id: verificationId, to: phoneNo, expiresAt: expiresAt.toISOString() },
      send: keptSends.write(send),
    },
  }),
  read: ({ body }) => {
    const { data, send } = body as StartAnswer;
    return {
      verificationId: data._id,
      phoneNo: data.to,
      expiresAt: new Date(data.expiresAt),
      send: keptSends.read(send),
    };
  },
};
