/**
 * The submits of one customer that are done together, in one transaction: their pace, the parts of long messages, the sends themselves
 * (`messages/send/send-group.ts`), and the rows by which each is known later. A submit is answered when this has committed: what was accepted
 * is sent and charged once, what was refused left nothing behind.
 *
 * A long message is one send, of the text of all its parts, at the moment when the last one is accepted. Until then its parts wait in the
 * database, whichever host or bind they came by, and each was checked like a message of its own, so that what cannot be sent is refused at
 * its first part. Parts of one message that come together share its fate.
 */
import assert from "node:assert/strict";
import { DEFAULT_TIME_ZONE, type ProgramKeyMode, type Rates } from "@ewebal/contract";
import { commandStatus, type IncomingSubmit } from "@ewebal/smpp";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { ProgramKey } from "../../accounts/index.ts";
import { sendGroup, type GroupedOutcome, type GroupedSend } from "../../messages/index.ts";
import { accessTimesMs } from "../access-limits.ts";
import { ownStatus, statusOfError, type SubmitAnswer } from "../command-statuses.ts";
import { joinParts, type JoinedPart } from "./join-parts.ts";
import { judgeKeys, keepKeys, type JudgedKey } from "./submit-keys.ts";
import { decodeParts, readRequest, readSubmit, receiptWishes, type SubmitFacts } from "./read-submit.ts";
import { completeSet, insertParts, insertSubmits, takePace, type NewSubmit, type StoredPart } from "./submit-store.ts";

/** A submit with the key of the bind that it came by. */
export type OpenSubmit = { submit: IncomingSubmit; key: ProgramKey; clientAddress: string };

/** What a submit stands for in the group's sends. */
type Read =
  | { kind: "whole"; facts: SubmitFacts; text: string; send: GroupedSend }
  /** `send` is the whole message's, of the part that completes it alone; of others it is a check of their own text. */
  | {
      kind: "part";
      facts: SubmitFacts;
      text: string;
      joined: PartOfSet;
      send: GroupedSend | undefined;
      /** Of the part that completes a message that is wrong. */
      status?: number;
    }
  /** The same key as an earlier one of the group. */
  | { kind: "again"; first: number }
  | { kind: "answered"; answer: SubmitAnswer };

type PartOfSet = Extract<JoinedPart, { kind: "joined" }>;

const TEXT_START_CHARACTERS = 20;

/**
 * @param tx open transaction; it locks the customer's account at its end.
 * @param submits of keys of this customer and of one mode, in the order in which they came; at least one.
 * @returns the answer to each, to be given after the commit.
 * @throws AppError as `sendGroup`: nothing may be kept then, and the same group is tried again.
 */
export async function acceptGroup(
  deps: Deps,
  tx: Tx,
  { userId, rates }: { userId: string; rates: Rates },
  submits: readonly OpenSubmit[],
): Promise<SubmitAnswer[]> {
  const passed = await letPass(tx, userId, submits);
  const [first] = submits;
  assert(first !== undefined);
  const { mode } = first.key;
  const keys = await judgeKeys(
    tx,
    { userId, mode },
    passed.map((open) => open?.submit),
  );
  const reads = await readAll(deps, tx, { userId, rates, mode }, passed, keys);
  const sends = reads.flatMap((read) => ("send" in read && read.send !== undefined ? [read.send] : []));
  const caller = { userId, via: "smpp", mode, clientAddress: first.clientAddress } as const;
  const outcomes = new Map<GroupedSend, GroupedOutcome>();
  for (const [index, outcome] of (await sendGroup(deps, tx, caller, sends)).entries()) {
    const send = sends[index];
    assert(send !== undefined);
    outcomes.set(send, outcome);
  }
  const answers = await store(tx, { userId, now: deps.clock.now() }, submits, reads, outcomes);
  await keepKeys(tx, userId, keys, answers);
  return answers;
}

/** @returns undefined for each submit that is above its key's pace. */
async function letPass(tx: Tx, userId: string, submits: readonly OpenSubmit[]): Promise<(OpenSubmit | undefined)[]> {
  const room = new Map<string, number>();
  for (const [keyId, own] of Map.groupBy(submits, ({ key }) => key.keyId)) {
    const perSecond = own[0]?.key.perSecond ?? null;
    if (perSecond !== null) room.set(keyId, await takePace(tx, { userId, keyId }, { wanted: own.length, perSecond }));
  }
  return submits.map((submit) => {
    const left = room.get(submit.key.keyId);
    if (left === undefined) return submit;
    room.set(submit.key.keyId, left - 1);
    return left > 0 ? submit : undefined;
  });
}

async function readAll(
  deps: Deps,
  tx: Tx,
  { userId, rates, mode }: { userId: string; rates: Rates; mode: ProgramKeyMode },
  submits: readonly (OpenSubmit | undefined)[],
  keys: readonly JudgedKey[],
): Promise<Read[]> {
  const now = deps.clock.now();
  const by = { rates, mode };
  const read = submits.map((open, index) => {
    const key = keys[index];
    if (key?.kind === "answered" || key?.kind === "again") return key;
    return open && readSubmit(open.submit, now);
  });
  const joined = await joinParts(
    tx,
    userId,
    read.map((one, index) => {
      const keyId = submits[index]?.key.keyId;
      return one?.kind === "part" && keyId !== undefined ? { keyId, facts: one.facts, part: one.part } : undefined;
    }),
  );
  return read.map((one, index): Read => {
    if (one === undefined) return refused(commandStatus.ESME_RTHROTTLED);
    if (one.kind === "answered" || one.kind === "again") return one;
    if (one.kind === "refused") return refused(one.status);
    const { facts } = one;
    if (one.kind === "whole") {
      const text = decodeParts([one]);
      const send = sendOf(facts, text, by, facts.receipt !== receiptWishes.none);
      return "status" in send ? refused(send.status) : { kind: "whole", facts, text, send };
    }
    const part = joined[index];
    assert(part !== undefined);
    if (part.kind === "repeat") return { kind: "answered", answer: { kind: "accepted", submitId: part.submitId } };
    if (part.kind === "twice") return refused(commandStatus.ESME_RTHROTTLED);
    const text = decodeParts([part.part]);
    // Of a message that comes together in this group, the part that completes it is the one that is checked.
    if (part.place === "withLast") return { kind: "part", facts, text, joined: part, send: undefined };
    const isLast = part.place === "last";
    const send = sendOf(facts, isLast ? decodeParts(part.whole) : text, by, part.isReceiptWanted);
    // Also when its text is wrong, the others share its fate.
    if ("status" in send) return isLast ? failedLast(facts, text, part, send.status) : refused(send.status);
    return { kind: "part", facts, text, joined: part, send: isLast ? send : { ...send, isOnlyChecked: true } };
  });
}

function failedLast(facts: SubmitFacts, text: string, joined: PartOfSet, status: number): Read {
  return { kind: "part", facts, text, joined, send: undefined, status };
}

function sendOf(
  facts: SubmitFacts,
  text: string,
  by: { rates: Rates; mode: ProgramKeyMode },
  isFollowed: boolean,
): GroupedSend | { status: number } {
  const read = readRequest(facts, text, by);
  if (read.kind === "refused") return { status: read.status };
  const { sendAt } = facts;
  const time = sendAt && { sendAt, timeZone: DEFAULT_TIME_ZONE };
  return { request: read.request, time, isFollowed };
}

function refused(status: number): { kind: "answered"; answer: SubmitAnswer } {
  return { kind: "answered", answer: { kind: "refused", status } };
}

async function store(
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
  submits: readonly OpenSubmit[],
  reads: readonly Read[],
  outcomes: ReadonlyMap<GroupedSend, GroupedOutcome>,
): Promise<SubmitAnswer[]> {
  const rows: NewSubmit[] = [];
  const parts: StoredPart[] = [];
  const completed = completedSets(reads, outcomes);
  const answers: SubmitAnswer[] = [];
  const answerTo = (read: Read, index: number): SubmitAnswer => {
    if (read.kind === "answered") return read.answer;
    if (read.kind === "again") return answers[read.first] ?? answerOf(undefined);
    const { facts, text } = read;
    const keyId = submits[index]?.key.keyId ?? "";
    const row = rowOf(facts, { keyId, text, now });
    if (read.kind === "whole") {
      const outcome = outcomes.get(read.send);
      if (outcome?.kind !== "queued") return answerOf(outcome);
      const { messageId } = outcome.outcome;
      rows.push({ ...row, submitId: messageId, messageId, setId: null });
      return { kind: "accepted", submitId: messageId };
    }
    const { setId, part, place } = read.joined;
    const submitId = uuidv7();
    if (place !== "early") {
      const fate = completed.get(setId);
      if (typeof fate !== "string") return fate ?? answerOf(undefined);
      rows.push({ ...row, submitId, messageId: fate, setId });
      return { kind: "accepted", submitId };
    }
    const outcome = read.send && outcomes.get(read.send);
    if (outcome?.kind !== "checked") return answerOf(outcome);
    rows.push({ ...row, submitId, messageId: null, setId });
    const { dataCoding, octets } = part;
    parts.push({ setId, partNumber: part.place.partNumber, submitId, dataCoding, octets });
    return { kind: "accepted", submitId };
  };
  for (const [index, read] of reads.entries()) answers.push(answerTo(read, index));
  await insertSubmits(tx, userId, rows);
  await insertParts(tx, userId, parts);
  for (const [setId, messageId] of completed)
    if (typeof messageId === "string") await completeSet(tx, { userId, setId, messageId });
  return answers;
}

/** Of each set whose last part is in the group: the message, or what its parts in the group are answered. */
function completedSets(
  reads: readonly Read[],
  outcomes: ReadonlyMap<GroupedSend, GroupedOutcome>,
): Map<string, string | SubmitAnswer> {
  const fates = new Map<string, string | SubmitAnswer>();
  for (const read of reads) {
    if (read.kind !== "part" || read.joined.place !== "last") continue;
    const outcome = read.send && outcomes.get(read.send);
    const refusal: SubmitAnswer =
      read.status === undefined ? answerOf(outcome) : { kind: "refused", status: read.status };
    fates.set(read.joined.setId, outcome?.kind === "queued" ? outcome.outcome.messageId : refusal);
  }
  return fates;
}

function answerOf(outcome: GroupedOutcome | undefined): SubmitAnswer {
  if (outcome?.kind === "refused") return { kind: "refused", status: statusOfError(outcome.error) };
  if (outcome?.kind === "listed")
    return { kind: "refused", status: outcome.list === "dnd" ? ownStatus.dndListed : ownStatus.optedOut };
  return { kind: "refused", status: commandStatus.ESME_RSUBMITFAIL };
}

function rowOf(
  { source, destination, receipt, sendAt }: SubmitFacts,
  { keyId, text, now }: { keyId: string; text: string; now: Date },
): Omit<NewSubmit, "submitId" | "messageId" | "setId"> {
  const leavesAt = sendAt === undefined ? now : sendAt;
  return {
    keyId,
    receipt,
    sourceTon: source.ton,
    sourceNpi: source.npi,
    source: source.address,
    destinationTon: destination.ton,
    destinationNpi: destination.npi,
    destination: destination.address,
    // What PostgreSQL does not store is no text that was sent.
    textStart: text.slice(0, TEXT_START_CHARACTERS).replaceAll(/[^ -~]/g, "?"),
    isScheduled: sendAt !== undefined,
    forgetAt: new Date(leavesAt.getTime() + accessTimesMs.kept),
  };
}
