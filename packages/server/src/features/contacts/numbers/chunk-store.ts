/**
 * All SQL about the contacts of a catalog. Rows of `contact_sheet` hold chunks of up to 1,000 numbers, as text with commas; a
 * contact's index is the number of contacts in earlier chunks plus its offset in its own. Counts are beside the numbers, so that
 * finding an index reads at most 1,000 narrow rows. Every change needs the catalog's lock (`lockCatalogRow`).
 *
 * What is known of the contacts stands beside their numbers, a list for each key, in the numbers' order; a list may end early, and a
 * chunk of which nothing is known has none.
 */
import type { Queryable } from "../../../db/pool.ts";
import type { CatalogKey } from "../catalogs/catalog-store.ts";

/** The table has the same limit. */
export const CHUNK_CONTACTS_MAX = 1_000;

export type Chunk = {
  chunkNo: number;
  /** Index of its first contact. */
  firstIndex: number;
  /** Digits only, in order. */
  phoneNos: string[];
  /** Asked for and known: values by key, each list in the order of the numbers, possibly shorter. */
  fields?: ChunkFields | null;
};

/** What is known of a chunk's contacts: for each key a list in the order of the numbers, which may end early. */
export type ChunkFields = Record<string, string[]>;

/** The part of a chunk that is written. */
export type ChunkText = {
  chunkNo: number;
  /** With commas. */
  phoneNos: string;
  contactCount: number;
  fields?: ChunkFields | undefined;
};

type ChunkRow = Omit<Chunk, "phoneNos"> & { phoneNos: string };

const CHUNK_COLUMNS = `sheet_no as "chunkNo", first_index as "firstIndex", phone_nos as "phoneNos"`;

/** Chunks of a catalog with the index of their first contact. */
const INDEXED_CHUNKS = `
  select sheet_no, phone_nos, contact_count, fields,
    (sum(contact_count) over (order by sheet_no) - contact_count)::integer as first_index
  from contact_sheet where user_id = $1 and catalog_id = $2`;

/** The chunks that hold the index `from` or a later one, in order. */
export async function selectChunks(
  db: Queryable,
  key: CatalogKey,
  page: { from: number; limit: number; hasFields?: boolean },
): Promise<Chunk[]> {
  const { rows } = await db.query<ChunkRow>(
    `select ${CHUNK_COLUMNS}${page.hasFields === true ? ", fields" : ""} from (${INDEXED_CHUNKS}) as chunk
     where first_index + contact_count > $3 order by sheet_no limit $4`,
    [key.userId, key.catalogId, page.from, page.limit],
  );
  return rows.map(toChunk);
}

/** What to look for in a catalog: digits of a number, or the beginning of one, or text of a field. */
export type ContactSearch = {
  digits: string | undefined;
  beginning: string | undefined;
  /** In lower case. */
  text: string | undefined;
};

/** As `selectChunks`, of those in which some number or, in a catalog with columns, some field may be what is looked for. */
export async function searchChunks(
  db: Queryable,
  key: CatalogKey,
  page: ContactSearch & { from: number; limit: number; hasFields: boolean },
): Promise<Chunk[]> {
  const { rows } = await db.query<ChunkRow>(
    `select ${CHUNK_COLUMNS}${page.hasFields ? ", fields" : ""} from (${INDEXED_CHUNKS}) as chunk
     where first_index + contact_count > $3
       and (position($5 in phone_nos) > 0 or position(',' || $6 in phone_nos) > 0 or starts_with(phone_nos, $6)
         ${page.hasFields ? "or position($7 in lower(fields::text)) > 0" : ""})
     order by sheet_no limit $4`,
    [
      key.userId,
      key.catalogId,
      page.from,
      page.limit,
      page.digits ?? null,
      page.beginning ?? null,
      ...(page.hasFields ? [page.text === undefined ? null : JSON.stringify(page.text).slice(1, -1)] : []),
    ],
  );
  return rows.map(toChunk);
}

export type SortedContact = { index: number; phoneNo: string; fields: Record<string, string> };

/** A page of a catalog in the order of a column, empty values last. Reads the whole catalog. */
export async function selectSortedContacts(
  db: Queryable,
  key: CatalogKey,
  page: ContactSearch & { sort: string; isDescending: boolean; from: number; limit: number },
): Promise<SortedContact[]> {
  const direction = page.isDescending ? "desc" : "asc";
  const { rows } = await db.query<SortedContact>(
    `with contact as (
       select chunk.sheet_no, first_index + place::integer - 1 as index, place::integer - 1 as place, phone_no,
         case when $3::text = 'phoneNo' then phone_no else lower(coalesce(value, '')) end as value
       from (${INDEXED_CHUNKS}) as chunk
       cross join lateral rows from (
         unnest(string_to_array(phone_nos, ',')), jsonb_array_elements_text(coalesce(fields -> $3::text, '[]'))
       ) with ordinality as one (phone_no, value, place)
       where $4::text is null and $5::text is null and $6::text is null
         or position($4::text in phone_no) > 0 or starts_with(phone_no, $5::text)
         or $6::text is not null and exists (
           select from jsonb_each(fields) as field
           cross join lateral jsonb_array_elements_text(field.value) with ordinality as known (text, known_place)
           where known_place = place and position($6::text in lower(known.text)) > 0
         )
     ), page as (
       select * from contact order by value = '', value collate "C" ${direction}, index limit $8 offset $7
     )
     select page.index, page.phone_no as "phoneNo", coalesce(
         (select jsonb_object_agg(field.key, field.value ->> page.place) from jsonb_each(sheet.fields) as field
          where field.value ->> page.place is not null), '{}') as fields
     from page join contact_sheet sheet on sheet.user_id = $1 and sheet.catalog_id = $2 and sheet.sheet_no = page.sheet_no
     order by page.value = '', page.value collate "C" ${direction}, page.index`,
    [
      key.userId,
      key.catalogId,
      page.sort,
      page.digits ?? null,
      page.beginning ?? null,
      page.text ?? null,
      page.from,
      page.limit,
    ],
  );
  return rows;
}

/** The chunks that hold one of the numbers, with what is known. Searches the whole catalog for each, so pass few. */
export async function selectChunksHolding(tx: Queryable, key: CatalogKey, phoneNos: string[]): Promise<Chunk[]> {
  const { rows } = await tx.query<ChunkRow>(
    `select ${CHUNK_COLUMNS}, fields from (${INDEXED_CHUNKS}) as chunk
     where exists (
       select from unnest($3::text[]) as asked (phone_no)
       where position(',' || asked.phone_no || ',' in ',' || phone_nos || ',') > 0
     ) order by sheet_no`,
    [key.userId, key.catalogId, phoneNos],
  );
  return rows.map(toChunk);
}

export async function updateFields(
  tx: Queryable,
  key: CatalogKey,
  chunkNo: number,
  fields: ChunkFields | null,
): Promise<void> {
  await tx.query("update contact_sheet set fields = $4 where user_id = $1 and catalog_id = $2 and sheet_no = $3", [
    key.userId,
    key.catalogId,
    chunkNo,
    fields === null ? null : JSON.stringify(fields),
  ]);
}

/** Takes the values of columns out of all chunks. */
export async function forgetFields(tx: Queryable, key: CatalogKey, columnKeys: string[]): Promise<void> {
  await tx.query(
    `update contact_sheet set fields = nullif(fields - $3::text[], '{}')
     where user_id = $1 and catalog_id = $2 and fields ?| $3::text[]`,
    [key.userId, key.catalogId, columnKeys],
  );
}

function toChunk({ phoneNos, ...chunk }: ChunkRow): Chunk {
  return { ...chunk, phoneNos: phoneNos.split(",") };
}

/** The first contacts of several catalogs, in order; empty catalogs are missing. */
export async function selectFirstContacts(
  db: Queryable,
  userId: string,
  catalogIds: string[],
  limit: number,
): Promise<Map<string, string[]>> {
  // No chunk is empty, so that the first `limit` contacts lie in the first `limit` chunks.
  const { rows } = await db.query<{ catalogId: string; phoneNos: string }>(
    `select catalog.id as "catalogId", string_agg(chunk.phone_nos, ',' order by chunk.sheet_no) as "phoneNos"
     from unnest($2::uuid[]) as catalog (id)
     cross join lateral (
       select sheet_no, phone_nos, sum(contact_count) over (order by sheet_no) - contact_count as first_index
       from (
         select sheet_no, phone_nos, contact_count from contact_sheet
         where user_id = $1 and catalog_id = catalog.id order by sheet_no limit $3
       ) as first_chunks
     ) as chunk
     where chunk.first_index < $3
     group by catalog.id`,
    [userId, catalogIds, limit],
  );
  return new Map(rows.map((row) => [row.catalogId, row.phoneNos.split(",", limit)]));
}

/** @returns those of the numbers that the catalog holds. Searches the whole catalog for each, so pass few. */
export async function selectKnown(tx: Queryable, key: CatalogKey, phoneNos: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ phoneNo: string }>(
    `select asked.phone_no as "phoneNo" from unnest($3::text[]) as asked (phone_no)
     where exists (
       select 1 from contact_sheet
       where user_id = $1 and catalog_id = $2 and position(',' || asked.phone_no || ',' in ',' || phone_nos || ',') > 0
     )`,
    [key.userId, key.catalogId, phoneNos],
  );
  return rows.map((row) => row.phoneNo);
}

export async function findLastChunk(
  tx: Queryable,
  key: CatalogKey,
): Promise<{ chunkNo: number; contactCount: number } | undefined> {
  const { rows } = await tx.query<{ chunkNo: number; contactCount: number }>(
    `select sheet_no as "chunkNo", contact_count as "contactCount" from contact_sheet
     where user_id = $1 and catalog_id = $2 order by sheet_no desc limit 1`,
    [key.userId, key.catalogId],
  );
  return rows[0];
}

/** Adds to the end of a chunk that has room. */
export async function fillChunk(
  tx: Queryable,
  key: CatalogKey,
  { chunkNo, phoneNos, contactCount }: Omit<ChunkText, "fields">,
): Promise<void> {
  await tx.query(
    `update contact_sheet set phone_nos = phone_nos || ',' || $4, contact_count = contact_count + $5
     where user_id = $1 and catalog_id = $2 and sheet_no = $3`,
    [key.userId, key.catalogId, chunkNo, phoneNos, contactCount],
  );
}

export async function insertChunks(tx: Queryable, key: CatalogKey, chunks: ChunkText[]): Promise<void> {
  await tx.query(
    `insert into contact_sheet (user_id, catalog_id, sheet_no, phone_nos, contact_count, fields)
     select $1, $2, * from unnest($3::integer[], $4::text[], $5::integer[], $6::jsonb[])`,
    [
      key.userId,
      key.catalogId,
      chunks.map(({ chunkNo }) => chunkNo),
      chunks.map(({ phoneNos }) => phoneNos),
      chunks.map(({ contactCount }) => contactCount),
      chunks.map(({ fields }) => (fields === undefined ? null : JSON.stringify(fields))),
    ],
  );
}

/** Takes one contact out of a chunk; without any left the chunk is deleted. */
export async function removeFromChunk(tx: Queryable, key: CatalogKey, chunk: Chunk, place: number): Promise<void> {
  const values = [key.userId, key.catalogId, chunk.chunkNo];
  const phoneNos = chunk.phoneNos.toSpliced(place, 1);
  if (phoneNos.length === 0) {
    await tx.query("delete from contact_sheet where user_id = $1 and catalog_id = $2 and sheet_no = $3", values);
    return;
  }
  const fields =
    chunk.fields &&
    Object.fromEntries(Object.entries(chunk.fields).map(([field, known]) => [field, known.toSpliced(place, 1)]));
  await tx.query(
    `update contact_sheet set phone_nos = $4, contact_count = $5, fields = $6
     where user_id = $1 and catalog_id = $2 and sheet_no = $3`,
    [...values, phoneNos.join(","), phoneNos.length, fields ? JSON.stringify(fields) : null],
  );
}
