/** Putting numbers that were read, pasted or from a file, into a catalog: all of them, or, when that was asked for, the good ones. */
import { cleanFieldValue, personalLimits, type RepairCounts, type WrongContact } from "@ewebal/contract";
import { doOnce } from "../../../db/idempotency.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { assertCatalogsWithinLimit, createCatalog, lockCatalog, type NewCatalog } from "../catalogs/catalogs.ts";
import { updateCatalog, type Catalog } from "../catalogs/catalog-store.ts";
import { keptAdditions, type Addition } from "../present-made.ts";
import { addNumbers } from "./add-numbers.ts";
import type { ReceivedFields } from "./contact-fields.ts";

export type NumbersRead = {
  /** Distinct, with the catalog's code. */
  numbers: Float64Array;
  duplicateCount: number;
  wrongCount: number;
  /** The first 100. */
  wrong: WrongContact[];
  repaired?: RepairCounts;
  /** What was received beside each number. */
  received?: ReceivedFields;
  /** What a file calls the columns of the fields, by key. */
  labels?: ReadonlyMap<string, string>;
  /** The address of a file of what was left out. */
  wrongRows?: string | undefined;
};

/** A catalog of the customer, or one to be made of the numbers. */
export type Target = { catalogId: string } | { newCatalog: NewCatalog };

/** What tells one request from another; without a key every request is one of its own. */
export type RequestKey = { scope: string; key: string | undefined; fingerprint: Uint8Array };

/** Enough to find them; the answer's `rows` hold up to 100. */
const NAMED_MAX = 5;

/**
 * @param source the request's field that held the numbers, and what one of them is called there.
 * @throws AppError `VALIDATION` that names what is wrong, unless `onlyGood`; and when there is nothing good.
 */
export function assertNumbersTaken(
  read: NumbersRead,
  onlyGood: boolean,
  source: { field: string; noun: "row" | "number" },
  wrongRows?: string,
): void {
  if (read.wrongCount > 0 && (!onlyGood || read.numbers.length === 0)) {
    const sentence = describeWrong(read, source.noun);
    const counts = { rows: read.wrong, wrong: read.wrongCount, good: read.numbers.length };
    const extra = wrongRows === undefined ? counts : { ...counts, wrongRows };
    throw new AppError("VALIDATION", {
      message: `Nothing was added: ${sentence}`,
      fields: { [source.field]: `has ${sentence}` },
      extra,
    });
  }
  if (read.numbers.length === 0) throw fieldError(source.field, "has no number");
}

function describeWrong({ wrong, wrongCount }: NumbersRead, noun: string): string {
  const named = wrong.slice(0, NAMED_MAX).map(({ row, value, text }) => `${noun} ${row} "${value}" ${text}`);
  const rest = wrongCount > named.length ? `; and ${(wrongCount - named.length).toLocaleString("en")} more` : "";
  return `${wrongCount.toLocaleString("en")} wrong: ${named.join("; ")}${rest}`;
}

/**
 * Adds the numbers in one transaction: a new catalog, its contacts and the answer under its key are there together or not at all.
 *
 * @throws AppError `NOT_FOUND`, `STATE_CONFLICT` for too many contacts or catalogs, `IDEMPOTENCY_CONFLICT`.
 */
export async function takeNumbers(
  deps: Deps,
  userId: string,
  target: Target,
  read: NumbersRead,
  key: RequestKey,
): Promise<Addition> {
  const keyed = { ...key, actorId: userId, answers: keptAdditions };
  return await withTransaction(
    deps.db,
    async (tx) => await doOnce(tx, keyed, async () => await addToTarget(deps, tx, userId, target, read)),
  );
}

async function addToTarget(deps: Deps, tx: Tx, userId: string, target: Target, read: NumbersRead): Promise<Addition> {
  const isNew = "newCatalog" in target;
  const found = isNew
    ? await createCatalog(deps, tx, userId, target.newCatalog)
    : await lockCatalog(tx, { userId, catalogId: target.catalogId });
  const catalog = await addColumns(tx, found, read);
  const added = await addNumbers(tx, catalog, read.numbers, read.received);
  if (isNew) await assertCatalogsWithinLimit(tx, userId);
  return {
    catalogId: catalog.catalogId,
    added,
    existing: read.numbers.length - added + read.duplicateCount,
    wrong: read.wrongCount,
    ...(read.repaired && { repaired: read.repaired }),
    ...(read.wrongRows !== undefined && { wrongRows: read.wrongRows }),
  };
}

/** Keys that the catalog lacks become columns, called as the file calls them. */
async function addColumns(tx: Tx, catalog: Catalog, { received, labels }: NumbersRead): Promise<Catalog> {
  const lacking = (received?.keys ?? []).filter((key) => !catalog.columns.some((column) => column.key === key));
  if (lacking.length === 0) return catalog;
  const made = lacking.map((key) => {
    const label = (labels?.get(key) ?? "").trim().slice(0, personalLimits.columnLabelCharactersMax);
    return { key, label: label === "" ? key : cleanFieldValue(label) };
  });
  const columns = [...catalog.columns, ...made];
  if (columns.length > personalLimits.catalogColumnsMax)
    throw fieldError("mapping", `makes more than ${personalLimits.catalogColumnsMax} columns`);
  await updateCatalog(tx, catalog, { columns });
  return { ...catalog, columns };
}
