import type { UserSummaryPart } from "./features/accounts/index.ts";
import { adminSummaryPart } from "./features/admin/index.ts";
import { depositSummaryPart } from "./features/billing/index.ts";
import { messageSummaryPart } from "./features/messages/index.ts";

/** What each feature says about a customer in the customer's record. A feature adds its part here. */
export const userSummaryParts: readonly UserSummaryPart[] = [adminSummaryPart, messageSummaryPart, depositSummaryPart];
