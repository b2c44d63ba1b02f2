import { limits } from "@ewebal/contract";
import type { UserSummaryPart } from "./features/accounts/index.ts";
import { adminSummaryPart } from "./features/admin/index.ts";
import { selectSendingSummaries } from "./user-summary-store.ts";

/** Approved names, sent messages and drafts, for a whole page of customers in one statement. */
const sendingSummaryPart: UserSummaryPart = async (db, users) => {
  const summaries = await selectSendingSummaries(
    db,
    users.map(({ userId }) => userId),
    limits.embeddedIdsMax,
  );
  return new Map(summaries.map((summary) => [summary.userId, summary]));
};

/** What each feature says about a customer in the customer's record. A feature adds its part here. */
export const userSummaryParts: readonly UserSummaryPart[] = [adminSummaryPart, sendingSummaryPart];
