import type { Queryable } from "../../../db/pool.ts";
import { getCatalog } from "./catalogs.ts";
import type { CatalogKey } from "./catalog-store.ts";
import { selectChunks } from "../numbers/chunk-store.ts";

/** 20,000 numbers a statement: 300 kB. */
const CHUNKS_PER_READ = 20;

/**
 * The numbers of a catalog in its order, digits only, up to 1,000 at a time, so that a million need no more memory than twenty
 * thousand. The caller who needs one state of a catalog that may change holds its lock or a snapshot.
 */
export async function* streamCatalogNumbers(db: Queryable, key: CatalogKey): AsyncGenerator<string[]> {
  for (let from = 0; ;) {
    const chunks = await selectChunks(db, key, { from, limit: CHUNKS_PER_READ });
    for (const { phoneNos } of chunks) yield phoneNos;
    const last = chunks.at(-1);
    if (last === undefined || chunks.length < CHUNKS_PER_READ) return;
    from = last.firstIndex + last.phoneNos.length;
  }
}

/**
 * All numbers of a catalog, for a send to it.
 *
 * @returns distinct international numbers of the catalog's code, in its order; whole numbers of at most 15 digits, 8 bytes each.
 * @throws AppError `NOT_FOUND` if the customer has no such catalog.
 */
export async function readCatalogNumbers(
  db: Queryable,
  key: CatalogKey,
): Promise<{ name: string; code: string; numbers: Float64Array }> {
  const { name, code, contactCount } = await getCatalog(db, key);
  let numbers = new Float64Array(contactCount);
  let count = 0;
  for await (const phoneNos of streamCatalogNumbers(db, key)) {
    // Somebody may add between the two reads.
    if (count + phoneNos.length > numbers.length) {
      const larger = new Float64Array(count + phoneNos.length);
      larger.set(numbers);
      numbers = larger;
    }
    for (const phoneNo of phoneNos) {
      numbers[count] = Number(phoneNo);
      count += 1;
    }
  }
  return { name, code, numbers: numbers.subarray(0, count) };
}
