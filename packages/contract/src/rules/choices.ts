/** Choices that pages offer and schemas check; here, because the schemas would bring zod to the pages. */

/**
 * Where a card payment stands. `open`: begun; `failed`: the provider says that the card was declined, and the customer may
 * still try again on its page; `paid`: the units were credited; `ended`: not paid in time, though money that arrives after all
 * is credited; `frozen`: refunded or disputed, and its units are set aside; `reversed`: the money went back, and the units of it that
 * were still there were taken back.
 */
export const paymentStates = ["open", "failed", "paid", "ended", "frozen", "reversed"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** After these an account that its owner closed is erased, and until then an administrator can open it again. */
export const CLOSED_ACCOUNT_DAYS = 30;
/** So long an export of a customer's data can be loaded. */
export const DATA_EXPORT_DAYS = 7;

/** By what a customer narrows the statement: what messages cost, what was added, and what was set aside or taken back. */
export const statementKinds = ["messages", "added", "corrections"] as const;
export type StatementKind = (typeof statementKinds)[number];

/** How far back the overview's charts look, in days; today is the last of them. */
export const overviewRanges = ["7", "30", "90"] as const;
export type OverviewRange = (typeof overviewRanges)[number];

/** The days that results are added up over at most: a leap year. */
export const RESULT_DAYS_MAX = 366;
