import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { etagOf, getCatalog } from "../catalogs/catalogs.ts";
import type { Catalog, CatalogKey } from "../catalogs/catalog-store.ts";
import { fieldError } from "../../../base/errors.ts";
import {
  searchChunks,
  selectChunks,
  selectSortedContacts,
  type Chunk,
  type ChunkFields,
  type ContactSearch,
} from "./chunk-store.ts";
import { fieldsAt } from "./contact-fields.ts";

export type Contact = {
  index: number;
  phoneNo: string;
  /** Every key of the catalog; absent in one without columns. */
  fields?: Record<string, string>;
};

/** @returns `next` is the cursor for `after`, null when this page is the last; `etag` is the state of the list. */
export type ContactPage = { rows: Contact[]; next: string | null; etag: string };

/** Read at first: a page lies in one or two chunks, digits that many numbers share in a few. */
const CHUNKS_AT_FIRST = 2;
const CHUNKS_MAX = 64;

export type ContactQuery = {
  limit: number;
  after?: string | undefined;
  search?: string | undefined;
  sort?: string | undefined;
  order?: "asc" | "desc";
};

/**
 * The contacts of a catalog in the order in which they were added, or of a column, all or those that contain the digits or the
 * text. A search that begins with 0 finds the national spelling too: 0803 is 234803.
 *
 * @throws AppError `NOT_FOUND`, `VALIDATION` for a cursor that is none, for letters in a catalog without columns, and for a sort by
 * what is no column.
 */
export async function listContacts(db: Queryable, key: CatalogKey, query: ContactQuery): Promise<ContactPage> {
  const after = readCursor(query.after);
  // The state is read first: when the list changes in between, the page carries an older ETag, and a delete by it is refused.
  const catalog = await getCatalog(db, key);
  const search = readSearch(query.search ?? "", catalog);
  const from = after + 1;
  const page =
    query.sort === undefined
      ? await readPage(
          query.limit,
          (limit) => collect(db, catalog, { from, limit, ...search }),
          ({ index }) => String(index),
        )
      : await readSorted(db, catalog, { ...search, ...query, sort: query.sort, from });
  return { ...page, etag: etagOf(catalog) };
}

type SortedQuery = ContactSearch & Omit<ContactQuery, "sort"> & { sort: string; from: number };

async function readSorted(db: Queryable, catalog: Catalog, query: SortedQuery): Promise<Omit<ContactPage, "etag">> {
  const { columns } = catalog;
  const { sort, from, limit, order } = query;
  if (sort !== "phoneNo" && !columns.some((column) => column.key === sort))
    throw fieldError("sort", "is not a column of this catalog");
  const isDescending = order === "desc";
  const found = await selectSortedContacts(db, catalog, { ...query, isDescending, limit: limit + 1 });
  const rows = found.slice(0, limit).map(({ index, phoneNo, fields }): Contact => {
    const known =
      columns.length > 0 && Object.fromEntries(columns.map((column) => [column.key, fields[column.key] ?? ""]));
    return { index, phoneNo, ...(known && { fields: known }) };
  });
  return { rows, next: found.length > limit ? String(from + limit - 1) : null };
}

/** Reads chunks, more at a time, until the page is full. */
async function collect(
  db: Queryable,
  catalog: Catalog,
  page: ContactSearch & { from: number; limit: number },
): Promise<Contact[]> {
  const { digits, text } = page;
  const hasFields = catalog.columns.length > 0;
  const isAll = digits === undefined && text === undefined;
  const found: Contact[] = [];
  for (let { from } = page, limit = CHUNKS_AT_FIRST; ; limit = Math.min(limit * 4, CHUNKS_MAX)) {
    const chunks = isAll
      ? await selectChunks(db, catalog, { from, limit, hasFields })
      : await searchChunks(db, catalog, { ...page, from, limit, hasFields });
    for (const { firstIndex, phoneNos, fields } of chunks) {
      for (
        let offset = Math.max(0, from - firstIndex);
        offset < phoneNos.length && found.length < page.limit;
        offset += 1
      ) {
        const phoneNo = phoneNos[offset] ?? "";
        if (!isAll && !isNumberFound(phoneNo, page) && !isTextFound(fields, offset, text)) continue;
        const known = fieldsAt(catalog, fields, offset);
        found.push({ index: firstIndex + offset, phoneNo, ...(known && { fields: known }) });
      }
    }
    if (chunks.length < limit || found.length === page.limit) return found;
    from = endOf(chunks.at(-1));
  }
}

function isNumberFound(phoneNo: string, { digits, beginning }: ContactSearch): boolean {
  return (
    (digits !== undefined && phoneNo.includes(digits)) || (beginning !== undefined && phoneNo.startsWith(beginning))
  );
}

function isTextFound(fields: ChunkFields | null | undefined, place: number, text: string | undefined): boolean {
  if (text === undefined || !fields) return false;
  return Object.values(fields).some((known) => known[place]?.toLowerCase().includes(text) === true);
}

function endOf(chunk: Chunk | undefined): number {
  return chunk === undefined ? 0 : chunk.firstIndex + chunk.phoneNos.length;
}

/** A zero at the beginning may stand for the code. */
function readSearch(written: string, { code, columns }: Catalog): ContactSearch {
  const text = written.trim().toLowerCase();
  const isDigits = /^[0-9]{1,15}$/.test(written);
  if (columns.length === 0 && !isDigits && written !== "") throw fieldError("search", "takes digits only, at most 15");
  return {
    digits: isDigits ? written : undefined,
    beginning: isDigits && /^0[1-9]/.test(written) ? `${code}${written.slice(1)}` : undefined,
    text: columns.length > 0 && text !== "" ? text : undefined,
  };
}

function readCursor(after: string | undefined): number {
  if (after === undefined) return -1;
  if (!/^[0-9]{1,7}$/.test(after)) throw cursorError();
  return Number(after);
}
