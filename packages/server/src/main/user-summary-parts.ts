import { limits } from "@ewebal/contract";
import type { UserSummaryPart } from "../features/accounts/index.ts";
import { adminSummaryPart } from "../features/admin/index.ts";
import { readPhonebooks } from "../features/contacts/index.ts";
import { depositSummaryPart } from "../features/billing/index.ts";
import { messageSummaryPart } from "../features/messages/index.ts";

const phonebookSummaryPart: UserSummaryPart = async (db, users) => {
  const userIds = users.map(({ userId }) => userId);
  return new Map(
    (await readPhonebooks(db, userIds, limits.embeddedIdsMax)).map((summary) => [summary.userId, summary]),
  );
};

/** What each feature says about a customer in the customer's record. A feature adds its part here. */
export const userSummaryParts: readonly UserSummaryPart[] = [
  adminSummaryPart,
  phonebookSummaryPart,
  messageSummaryPart,
  depositSummaryPart,
];
