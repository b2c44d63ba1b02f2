import type { Tx } from "../../../db/transaction.ts";
import type { Catalog } from "../catalogs/catalog-store.ts";
import { streamCatalogNumbers } from "../catalogs/catalogs.ts";
import { selectKnown } from "./chunk-store.ts";

/** The database searches for so few one by one, some 10 ms each in a million contacts; more are compared here. */
export const FEW_NUMBERS_MAX = 20;

/**
 * Leaves out the numbers that a catalog holds already. Reads the catalog once, chunk by chunk, and keeps a sorted copy of the
 * numbers beside them: a million against a million take 17 MB.
 *
 * @param tx open transaction that holds the catalog's lock.
 * @returns the others in their order.
 */
export async function keepUnknown(tx: Tx, catalog: Catalog, numbers: Float64Array): Promise<Float64Array> {
  if (catalog.contactCount === 0) return numbers;
  if (numbers.length <= FEW_NUMBERS_MAX) {
    const known = new Set((await selectKnown(tx, catalog, Array.from(numbers, String))).map(Number));
    return numbers.filter((number) => !known.has(number));
  }
  const sorted = numbers.toSorted();
  const isKnown = new Uint8Array(sorted.length);
  for await (const phoneNos of streamCatalogNumbers(tx, catalog)) {
    for (const phoneNo of phoneNos) {
      const index = findIndex(sorted, Number(phoneNo));
      if (index !== -1) isKnown[index] = 1;
    }
  }
  return numbers.filter((number) => isKnown[findIndex(sorted, number)] === 0);
}

/** @returns -1 for a number that is not there. */
function findIndex(sorted: Float64Array, number: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === number) return middle;
    if (value < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
