/** How far back the overview's charts look, in days; today is the last of them. Without schemas, so that pages stay light. */
export const overviewRanges = ["7", "30", "90"] as const;
export type OverviewRange = (typeof overviewRanges)[number];
