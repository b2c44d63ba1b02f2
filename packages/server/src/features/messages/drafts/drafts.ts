import { valuesAt, type DraftBody, type ListQuery, type SendRecipient } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { draftCreated, draftDeleted, draftEdited, publishChange, draftSent } from "../../../events/index.ts";
import {
  deleteDraftRow,
  findDraft,
  insertDraft,
  lockAndCountDrafts,
  selectDraftLengths,
  selectDrafts,
  updateDraft,
  type Draft,
  findDraftLength,
} from "./draft-store.ts";
import { mergeTexts, type PricedRequest } from "../send/merge-send.ts";
import { choicesOf } from "../read-body/read-send.ts";
import { readSendTime, sendMessage, sendOnce } from "../send/send-message.ts";
import { readCatalogSource, resolveSend, type CatalogSource, type SendBytes, type SendDeps } from "../send/send.ts";
import { doOnce, fingerprintOf, type KeptAnswers, keptIdOf } from "../../../db/idempotency.ts";
import { presentSavedDraft } from "../present-message.ts";
import type { Caller } from "../send/check-send.ts";
import type { SendOutcome } from "../send/present-send.ts";

/** Nobody needs more, and each may hold 20 MB. */
export const DRAFTS_MAX = 500;
/** A page of the list ends before the numbers of its drafts add up to more. */
export const DRAFT_PAGE_BYTES_MAX = 4 * 1024 * 1024;

/** A search looks at this many drafts in one step; the page may then be short, with a cursor to go on from. */
const DRAFT_SEARCH_STEP = 2_000;

type Key = { userId: string; draftId: string };

type SavedDraft = { draftId: string };
const keptDrafts: KeptAnswers<SavedDraft> = {
  write: ({ draftId }) => ({ status: 201, body: presentSavedDraft(draftId) }),
  read: (answer) => ({ draftId: keptIdOf(answer) }),
};

/**
 * Stores a new draft, once for each key. A draft for a catalog holds the numbers that the catalog has now.
 *
 * @returns its id.
 * @throws AppError `VALIDATION`; `STATE_CONFLICT` when the customer has as many drafts as may be kept; `IDEMPOTENCY_CONFLICT`.
 */
export async function saveDraft(
  deps: SendDeps,
  userId: string,
  bytes: Buffer,
  key: string | undefined,
): Promise<SavedDraft> {
  const draft = await readDraft(deps, userId, bytes);
  const fingerprint = fingerprintOf({ body: key && bytes.toString("latin1") });
  const keyed = { actorId: userId, scope: "draft-message", key, fingerprint, answers: keptDrafts };
  return await withTransaction(deps.db, (tx) => doOnce(tx, keyed, () => addDraft(deps, tx, userId, draft)));
}

async function addDraft(deps: SendDeps, tx: Tx, userId: string, draft: DraftBody): Promise<SavedDraft> {
  if ((await lockAndCountDrafts(tx, userId)) >= DRAFTS_MAX) {
    throw new AppError("STATE_CONFLICT", { message: `You can keep ${DRAFTS_MAX} drafts. Please delete some first` });
  }
  const draftId = uuidv7();
  await insertDraft(tx, { userId, draftId }, draft, deps.clock.now());
  await publishChange(tx, draftCreated(userId));
  return { draftId };
}

/** @throws AppError `VALIDATION`, `NOT_FOUND`. */
export async function editDraft(deps: SendDeps, key: Key, bytes: Buffer): Promise<void> {
  const draft = await readDraft(deps, key.userId, bytes);
  await withTransaction(deps.db, async (tx) => {
    if (!(await updateDraft(tx, key, draft, deps.clock.now()))) throw new AppError("NOT_FOUND");
    await publishChange(tx, draftEdited(key.userId));
  });
}

async function readDraft(deps: SendDeps, userId: string, bytes: Buffer): Promise<DraftBody> {
  const {
    phoneNo,
    catalogId,
    recipients,
    message = "",
    ...fields
  } = await deps.bodies.read("draft-json", bytes, bytes.byteLength);
  const common = { ...fields, message };
  if (recipients !== undefined) return { ...common, phoneNo: recipients.map(({ to }) => to).join(","), recipients };
  if (catalogId === undefined) return { ...common, phoneNo: phoneNo ?? "" };
  const source = await readCatalogSource(deps.db, { userId, catalogId }, message);
  return { ...common, phoneNo: source.phoneNo, recipients: listRecipients(source) };
}

/** What a catalog knows of its contacts at this moment, for the fields that the draft's text names. */
function listRecipients({ phoneNo, personal }: CatalogSource): SendRecipient[] | undefined {
  if (personal === undefined) return undefined;
  return phoneNo.split(",").map((to, index) => {
    const values = valuesAt(personal.rows, index);
    return { to, fields: Object.fromEntries(personal.keys.map((key, place) => [key, values[place] ?? ""])) };
  });
}

/** The fields of a draft as a send reads them. */
function fieldsOf({ senderName, message, code, phoneNo, recipients, optOutLink, ...choices }: DraftBody): object {
  // A draft whose recipients all have texts of their own has none itself.
  const text = message === "" ? {} : { message };
  return {
    senderName,
    code,
    ...text,
    ...(recipients ? { recipients } : { phoneNo }),
    optOutLink,
    ...choicesOf(choices),
  };
}

/** @throws AppError `NOT_FOUND`. */
export async function deleteDraft(deps: Deps, key: Key): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if ((await deleteDraftRow(tx, key)) === undefined) throw new AppError("NOT_FOUND");
    await publishChange(tx, draftDeleted(key.userId));
  });
}

export type DraftListQuery = ListQuery & { search?: string | undefined };

/**
 * Drafts, newest first, each with all its numbers. A page may hold fewer than `limit`; `next` says whether there are more.
 *
 * @param userId undefined lists everybody's, for administrators.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listDrafts(
  db: Queryable,
  userId: string | undefined,
  query: DraftListQuery,
): Promise<{ rows: Draft[]; next: string | null }> {
  assertIdCursor(query.after);
  const search = query.search === undefined ? undefined : { text: query.search, digits: digitsOf(query.search) };
  const limit = search === undefined ? query.limit + 1 : DRAFT_SEARCH_STEP;
  const walked = await selectDraftLengths(db, { userId, after: query.after, limit, search });
  const found = walked.filter(({ isFound }) => isFound);
  const shown: string[] = [];
  let bytes = 0;
  for (const { draftId, characters } of found.slice(0, query.limit)) {
    bytes += characters;
    if (bytes > DRAFT_PAGE_BYTES_MAX && shown.length > 0) break;
    shown.push(draftId);
  }
  const rows = await selectDrafts(db, shown);
  if (found.length > shown.length) return { rows, next: shown.at(-1) ?? null };
  return { rows, next: walked.length === limit ? (walked.at(-1)?.draftId ?? null) : null };
}

/** @throws AppError `NOT_FOUND`. */
export async function getDraft(db: Queryable, key: Key): Promise<Draft> {
  const draft = await findDraft(db, key);
  if (draft === undefined) throw new AppError("NOT_FOUND");
  return draft;
}

/** The digits to search for in the numbers as they were typed. */
function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[\s()+-]/g, "");
  return /^[0-9]{3,15}$/.test(digits) ? digits : undefined;
}

/** @throws AppError `VALIDATION`, `FIELD_MISSING`. */
async function readDraftSend(deps: SendDeps, draft: DraftBody): Promise<PricedRequest> {
  const byteLength = draft.recipients ? JSON.stringify(draft.recipients).length : draft.phoneNo.length;
  const request = await deps.bodies.read("send-fields", fieldsOf(draft), byteLength);
  return await mergeTexts(deps, { ...request, validUntil: draft.validUntil });
}

const EMPTY_OBJECT = Buffer.from("{}");

/**
 * Sends a draft, as it is or with other fields, by the rules of every send; a sent draft is gone.
 *
 * @param request bytes without any field send the draft as it is.
 * @throws AppError `NOT_FOUND`, also when another request has just sent it; `VALIDATION` when what the draft holds cannot
 *   be sent; and as `sendMessage`. Then the draft is still there.
 */
export async function sendDraft(
  deps: SendDeps,
  caller: Caller,
  { draftId, bytes, key }: SendBytes & { draftId: string },
): Promise<SendOutcome> {
  const { userId } = caller;
  const { byteLength } = bytes;
  const isAsItIs = byteLength === 0 || bytes.equals(EMPTY_OBJECT);
  const send = isAsItIs
    ? undefined
    : await resolveSend(deps, userId, await deps.bodies.read("send-json", bytes, byteLength), byteLength);
  // A draft that is gone has no length, and a repeated send still gets its first outcome.
  const sentBytes = send?.byteLength ?? (await findDraftLength(deps.db, { userId, draftId })) ?? 0;
  const fields = send === undefined ? undefined : Buffer.from(send.fingerprint).toString("hex");
  const fingerprint = fingerprintOf({ draftId, fields });
  return await deps.inTurn(sentBytes, (tx) =>
    sendOnce(tx, { userId, scope: "send-draft-sms", key, fingerprint }, async () => {
      const draft = await takeDraft(tx, { userId, draftId });
      const request = send?.getRequest() ?? (await readDraftSend(deps, draft));
      const outcome = await sendMessage(deps, tx, caller, request);
      await publishChange(tx, draftSent(userId));
      return outcome;
    }),
  );
}

/**
 * Schedules what a draft's form has now, by the rules of every scheduled send; the draft is gone then.
 *
 * @throws AppError as `sendDraft`, and `VALIDATION` for a time that has passed or is too far ahead.
 */
export async function scheduleDraft(
  deps: SendDeps,
  caller: Caller,
  { draftId, bytes, key }: SendBytes & { draftId: string },
): Promise<SendOutcome> {
  const { userId } = caller;
  const { byteLength } = bytes;
  const input = await deps.bodies.read("schedule-draft-json", bytes, byteLength);
  const time = readSendTime(input.time);
  const send = await resolveSend(deps, userId, input, byteLength);
  const fields = Buffer.from(send.fingerprint).toString("hex");
  const fingerprint = fingerprintOf({ draftId, fields });
  return await deps.inTurn(send.byteLength, (tx) =>
    sendOnce(tx, { userId, scope: "schedule-draft-sms", key, fingerprint }, async () => {
      await takeDraft(tx, { userId, draftId });
      const outcome = await sendMessage(deps, tx, caller, send.getRequest(), time);
      await publishChange(tx, draftSent(userId));
      return outcome;
    }),
  );
}

/** Deleting first lets a second click wait here, and find nothing once this one has sent. @throws AppError `NOT_FOUND`. */
async function takeDraft(tx: Tx, key: Key): Promise<DraftBody> {
  const draft = await deleteDraftRow(tx, key);
  if (draft === undefined) throw new AppError("NOT_FOUND");
  return draft;
}
