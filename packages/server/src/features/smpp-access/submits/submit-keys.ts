/**
 * Keys of submits: a client that lost the answer to a submit sends it again under the same key, and gets the first answer instead of a second message.
 * SMPP has no field for it, so it stands in a TLV of ours. What is kept is an idempotent answer like those of HTTP, for as long.
 */
import { limits, type ProgramKeyMode } from "@ewebal/contract";
import { commandStatus, readBody, type IncomingSubmit } from "@ewebal/smpp";
import { fingerprintOf, keepAnswers, keptIdOf, readKeptAnswers } from "../../../db/idempotency.ts";
import type { Tx } from "../../../db/transaction.ts";
import { ownStatus, type SubmitAnswer } from "../command-statuses.ts";

/** In the range that SMPP leaves to each operator; docs/smpp.md names it. */
export const IDEMPOTENCY_KEY_TAG = 0x1401;

/** Kept answers are told apart by it, and those of HTTP have it. */
const KEPT_STATUS = 200;
/** As the header of HTTP. */
const VISIBLE_ASCII = /^[!-~]+$/;

type SubmitKey = { scope: string; key: string; fingerprint: Buffer };

/** What the key of a submit says. `first`: the place of the submit of this group that it repeats. */
export type JudgedKey =
  | { kind: "none" }
  | { kind: "new"; key: SubmitKey }
  | { kind: "again"; first: number }
  | { kind: "answered"; answer: SubmitAnswer };

const NO_KEY: JudgedKey = { kind: "none" };

/** @param submits undefined where one is refused already. @returns what each is, at the same places. */
export async function judgeKeys(
  tx: Tx,
  { userId, mode }: { userId: string; mode: ProgramKeyMode },
  submits: readonly (IncomingSubmit | undefined)[],
): Promise<JudgedKey[]> {
  const read = submits.map((submit) => (submit === undefined ? undefined : readKey(submit, mode)));
  const keys = read.flatMap((key) => (key === undefined || key === "wrong" ? [] : [key]));
  const kept = await readKeptAnswers(tx, userId, keys);
  const firsts = new Map<string, { index: number; fingerprint: Buffer }>();
  return read.map((key, index): JudgedKey => {
    if (key === undefined) return NO_KEY;
    if (key === "wrong") return refused(commandStatus.ESME_RINVOPTPARAMVAL);
    const name = `${key.scope} ${key.key}`;
    const first = firsts.get(name);
    const known = first ?? kept.get(name);
    if (known !== undefined && !known.fingerprint.equals(key.fingerprint)) return refused(ownStatus.keyOfAnother);
    if (first !== undefined) return { kind: "again", first: first.index };
    const answer = kept.get(name)?.answer;
    if (answer !== undefined) return { kind: "answered", answer: { kind: "accepted", submitId: keptIdOf(answer) } };
    firsts.set(name, { index, fingerprint: key.fingerprint });
    return { kind: "new", key };
  });
}

function refused(status: number): JudgedKey {
  return { kind: "answered", answer: { kind: "refused", status } };
}

/** Each part of a long message has an answer of its own, so one key may stand in all of them. */
function readKey(submit: IncomingSubmit, mode: ProgramKeyMode): SubmitKey | "wrong" | undefined {
  const octets = submit.vendorTlvs?.get(IDEMPOTENCY_KEY_TAG);
  if (octets === undefined) return undefined;
  // As a C-octet string or without its NUL: clients write both.
  const key = octets.toString("latin1").replace(/\0$/, "");
  if (!VISIBLE_ASCII.test(key) || key.length > limits.idempotencyKeyCharactersMax) return "wrong";
  const { source, destination, dataCoding, registeredDelivery, serviceType } = submit;
  const body = readBody(submit);
  const part = body?.place === undefined ? "" : ` ${body.place.partNumber}/${body.place.partCount}`;
  const fingerprint = fingerprintOf({
    source: source.address,
    destination: destination.address,
    dataCoding,
    registeredDelivery,
    serviceType,
    sendAt: submit.scheduleDeliveryTime,
    validUntil: submit.validityPeriod,
    text: body?.octets.toString("hex"),
  });
  return { scope: `submit_sm${part}${mode === "test" ? " (test)" : ""}`, key, fingerprint };
}

/** @throws AppError `IDEMPOTENCY_CONFLICT` when one of the keys was used meanwhile: nothing may be kept, and the group is tried again. */
export async function keepKeys(
  tx: Tx,
  userId: string,
  judged: readonly JudgedKey[],
  answers: readonly SubmitAnswer[],
): Promise<void> {
  const kept = judged.flatMap((one, index) => {
    const answer = answers[index];
    if (one.kind !== "new" || answer?.kind !== "accepted") return [];
    return [{ ...one.key, answer: { status: KEPT_STATUS, body: { data: { _id: answer.submitId } } } }];
  });
  await keepAnswers(tx, userId, kept);
}
