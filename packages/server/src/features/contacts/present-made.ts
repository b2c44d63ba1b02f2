/** What was made or added, and its answer: sent, and kept under the request's key. */
import { describeRepairs, type AddedAnswer, type RepairCounts } from "@ewebal/contract";
import { type KeptAnswers, keptIdOf } from "../../db/idempotency.ts";

export type MadeCatalog = { catalogId: string };

/** What became of the numbers; `wrong` counts those that were left out. */
export type Addition = {
  catalogId: string;
  added: number;
  existing: number;
  wrong: number;
  repaired?: RepairCounts | undefined;
  /** The address of a file of what was left out. */
  wrongRows?: string | undefined;
};

export function presentMade({ catalogId }: MadeCatalog) {
  return { status: 201 as const, body: { message: "Catalog created", data: { _id: catalogId } } };
}

export const keptCatalogs: KeptAnswers<MadeCatalog> = {
  write: presentMade,
  read: (answer) => ({ catalogId: keptIdOf(answer) }),
};

export function presentAddition(addition: Addition): { status: 201; body: { message: string; data: AddedAnswer } } {
  const { catalogId, ...counts } = addition;
  return { status: 201, body: { message: describeAddition(addition), data: { _id: catalogId, ...counts } } };
}

export const keptAdditions: KeptAnswers<Addition> = {
  write: presentAddition,
  read: ({ body }) => {
    const { _id: catalogId, ...counts } = (body as { data: AddedAnswer }).data;
    return { catalogId, ...counts };
  },
};

function describeAddition({ added, existing, wrong, repaired }: Addition): string {
  const parts = [`${added.toLocaleString("en")} ${added === 1 ? "contact" : "contacts"} added`];
  if (existing > 0) parts.push(`${existing.toLocaleString("en")} already there`);
  if (wrong > 0) parts.push(`${wrong.toLocaleString("en")} wrong left out`);
  return [parts.join(", "), ...describeRepairs(repaired)].join(". ");
}
