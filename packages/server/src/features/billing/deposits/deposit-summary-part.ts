import { limits } from "@ewebal/contract";
import type { UserSummaryPart } from "../../accounts/index.ts";
import { selectDepositSummaries } from "./deposit-store.ts";

/** The deposits that a customer's record names, for a whole page of customers in one statement. */
export const depositSummaryPart: UserSummaryPart = async (db, users) => {
  const userIds = users.map(({ userId }) => userId);
  const summaries = await selectDepositSummaries(db, userIds, limits.embeddedIdsMax);
  return new Map(summaries.map(({ userId, ...transfers }) => [userId, { transfers }]));
};
