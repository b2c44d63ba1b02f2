import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { etagOf, getCatalog } from "../catalogs/catalogs.ts";
import type { CatalogKey } from "../catalogs/catalog-store.ts";
import { searchChunks, selectChunks, type Chunk } from "./chunk-store.ts";

export type Contact = { index: number; phoneNo: string };

/** @returns `next` is the cursor for `after`, null when this page is the last; `etag` is the state of the list. */
export type ContactPage = { rows: Contact[]; next: string | null; etag: string };

/** Read at first: a page lies in one or two chunks, digits that many numbers share in a few. */
const CHUNKS_AT_FIRST = 2;
const CHUNKS_MAX = 64;

/**
 * The contacts of a catalog in the order in which they were added, all or those that contain the digits. A search that
 * begins with 0 finds the national spelling too: 0803 is 234803.
 *
 * @throws AppError `NOT_FOUND`, `VALIDATION` for a cursor that is none.
 */
export async function listContacts(
  db: Queryable,
  key: CatalogKey,
  query: { limit: number; after?: string | undefined; search?: string | undefined },
): Promise<ContactPage> {
  const from = readCursor(query.after) + 1;
  // The state is read first: when the list changes in between, the page carries an older ETag, and a delete by it is refused.
  const catalog = await getCatalog(db, key);
  const search = readSearch(query.search ?? "", catalog.code);
  const page = await readPage(
    query.limit,
    (limit) => collect(db, key, { from, limit, ...search }),
    ({ index }) => String(index),
  );
  return { ...page, etag: etagOf(catalog) };
}

type Search = { digits: string; beginning: string | undefined };

/** Reads chunks, more at a time, until the page is full. */
async function collect(
  db: Queryable,
  key: CatalogKey,
  page: Search & { from: number; limit: number },
): Promise<Contact[]> {
  const { digits, beginning } = page;
  const found: Contact[] = [];
  for (let { from } = page, limit = CHUNKS_AT_FIRST; ; limit = Math.min(limit * 4, CHUNKS_MAX)) {
    const chunks =
      digits === ""
        ? await selectChunks(db, key, { from, limit })
        : await searchChunks(db, key, { ...page, from, limit });
    for (const { firstIndex, phoneNos } of chunks) {
      for (
        let offset = Math.max(0, from - firstIndex);
        offset < phoneNos.length && found.length < page.limit;
        offset += 1
      ) {
        const phoneNo = phoneNos[offset] ?? "";
        const isFound = phoneNo.includes(digits) || (beginning !== undefined && phoneNo.startsWith(beginning));
        if (isFound) found.push({ index: firstIndex + offset, phoneNo });
      }
    }
    if (chunks.length < limit || found.length === page.limit) return found;
    from = endOf(chunks.at(-1));
  }
}

function endOf(chunk: Chunk | undefined): number {
  return chunk === undefined ? 0 : chunk.firstIndex + chunk.phoneNos.length;
}

/** A zero at the beginning may stand for the code. */
function readSearch(digits: string, code: string): Search {
  return { digits, beginning: /^0[1-9]/.test(digits) ? `${code}${digits.slice(1)}` : undefined };
}

function readCursor(after: string | undefined): number {
  if (after === undefined) return -1;
  if (!/^[0-9]{1,7}$/.test(after)) throw cursorError();
  return Number(after);
}
