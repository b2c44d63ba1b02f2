/** What administrators read of all customers: one message or draft of anybody's, and summaries for the list of customers. */
import { limits } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { UserSummaryPart } from "../../accounts/index.ts";
import { findMessageOwner, getMessage, selectMessageSummaries, type Message } from "../../delivery/index.ts";
import { findDraftOwner, selectDraftSummaries, type Draft } from "../drafts/draft-store.ts";
import { getDraft } from "../drafts/drafts.ts";
import { selectSenderNamesOf } from "../whitelists/whitelist-store.ts";

/** @throws AppError `NOT_FOUND`. */
export async function viewAnyMessage(db: Queryable, messageId: string): Promise<Message> {
  const userId = await findMessageOwner(db, messageId);
  if (userId === undefined) throw new AppError("NOT_FOUND");
  return await getMessage(db, { userId, messageId }, "administrator");
}

/** @throws AppError `NOT_FOUND`. */
export async function viewAnyDraft(db: Queryable, draftId: string): Promise<Draft> {
  const userId = await findDraftOwner(db, draftId);
  if (userId === undefined) throw new AppError("NOT_FOUND");
  return await getDraft(db, { userId, draftId });
}

/** Approved names, sent messages and drafts, for a whole page of customers in three statements. */
export const messageSummaryPart: UserSummaryPart = async (db, users) => {
  const userIds = users.map(({ userId }) => userId);
  const [namesOf, messages, drafts] = await Promise.all([
    selectSenderNamesOf(db, userIds),
    selectMessageSummaries(db, userIds, limits.embeddedIdsMax),
    selectDraftSummaries(db, userIds, limits.embeddedIdsMax),
  ]);
  const sms = new Map(messages.map((summary) => [summary.userId, summary]));
  const draft = new Map(drafts.map((summary) => [summary.userId, summary]));
  const nothing = { newestIds: [], count: 0 };
  return new Map(
    userIds.map((userId) => [
      userId,
      { senderNames: namesOf.get(userId) ?? [], sms: sms.get(userId) ?? nothing, draft: draft.get(userId) ?? nothing },
    ]),
  );
};
