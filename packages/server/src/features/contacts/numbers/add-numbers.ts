import assert from "node:assert";
import { limits } from "@ewebal/contract";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { createCatalog, publishCatalog } from "../catalogs/catalogs.ts";
import { updateCatalog, type Catalog } from "../catalogs/catalog-store.ts";
import { keepUnknown } from "./keep-unknown.ts";
import { fillSheet, findLastSheet, insertSheets, SHEET_CONTACTS_MAX, type SheetText } from "./chunk-store.ts";

/** Sheets in one statement: 0.3 MB of text. */
const SHEETS_PER_STATEMENT = 20;

/**
 * Adds those numbers to a catalog that it does not hold yet, behind the others, in their order.
 *
 * @param tx open transaction that holds the catalog's lock: two that add at once would both miss what the other adds.
 * @param catalog as it was locked, or made by this transaction.
 * @param numbers distinct, whole, with the catalog's code.
 * @returns how many were added; the others were there.
 * @throws AppError `STATE_CONFLICT` when the catalog would hold more than 1,000,000.
 */
export async function addNumbers(tx: Tx, catalog: Catalog, numbers: Float64Array): Promise<number> {
  const fresh = await keepUnknown(tx, catalog, numbers);
  if (fresh.length === 0) return 0;
  if (catalog.contactCount + fresh.length > limits.catalogContactsMax) {
    const message = `A catalog holds ${limits.catalogContactsMax.toLocaleString("en")} contacts. Please use another one for the rest`;
    throw new AppError("STATE_CONFLICT", { message });
  }
  await appendNumbers(tx, catalog, fresh);
  assert(await updateCatalog(tx, catalog, { contactCountChange: fresh.length }));
  await publishCatalog(tx, catalog);
  return fresh.length;
}

async function appendNumbers(tx: Tx, catalog: Catalog, numbers: Float64Array): Promise<void> {
  const last = await findLastSheet(tx, catalog);
  const room = last === undefined ? 0 : SHEET_CONTACTS_MAX - last.contactCount;
  if (last !== undefined && room > 0) await fillSheet(tx, catalog, toSheet(last.sheetNo, numbers.subarray(0, room)));
  let sheetNo = (last?.sheetNo ?? 0) + 1;
  for (let start = room; start < numbers.length; start += SHEETS_PER_STATEMENT * SHEET_CONTACTS_MAX) {
    const part = numbers.subarray(start, start + SHEETS_PER_STATEMENT * SHEET_CONTACTS_MAX);
    const sheets: SheetText[] = [];
    for (let place = 0; place < part.length; place += SHEET_CONTACTS_MAX) {
      sheets.push(toSheet(sheetNo, part.subarray(place, place + SHEET_CONTACTS_MAX)));
      sheetNo += 1;
    }
    await insertSheets(tx, catalog, sheets);
  }
}

function toSheet(sheetNo: number, numbers: Float64Array): SheetText {
  return { sheetNo, phoneNos: numbers.join(","), contactCount: numbers.length };
}

const DEMO_CATALOG = { name: "Demo customers", code: "234" };
const DEMO_CONTACTS = 48;
/** The simulator answers for every number; nobody is called. */
const DEMO_FIRST_NUMBER = 2_348_030_000_001;

/** Gives the demo's customer a catalog of numbers to send to. */
export async function addDemoCatalog(deps: Pick<Deps, "clock">, tx: Tx, userId: string): Promise<void> {
  const catalog = await createCatalog(deps, tx, userId, DEMO_CATALOG);
  await addNumbers(
    tx,
    catalog,
    Float64Array.from({ length: DEMO_CONTACTS }, (_, index) => DEMO_FIRST_NUMBER + index),
  );
}
