import { limits } from "@ewebal/contract";
import type { UserSummaryPart } from "../../accounts/index.ts";
import { selectMessageSummaries } from "../../delivery/index.ts";
import { selectDraftSummaries } from "../drafts/draft-store.ts";
import { selectSenderNamesOf } from "../whitelists/whitelist-store.ts";

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
