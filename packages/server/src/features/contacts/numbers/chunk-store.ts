/**
 * All SQL about the contacts of a catalog. Rows of `contact_sheet` hold chunks of up to 1,000 numbers, as text with commas; a
 * contact's index is the number of contacts in earlier chunks plus its offset in its own. Counts are beside the numbers, so that
 * finding an index reads at most 1,000 narrow rows. Every change needs the catalog's lock (`lockCatalogRow`).
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
};

/** The part of a chunk that is written. */
export type ChunkText = {
  chunkNo: number;
  /** With commas. */
  phoneNos: string;
  contactCount: number;
};

type ChunkRow = Omit<Chunk, "phoneNos"> & { phoneNos: string };

const CHUNK_COLUMNS = `sheet_no as "chunkNo", first_index as "firstIndex", phone_nos as "phoneNos"`;

/** Chunks of a catalog with the index of their first contact. */
const INDEXED_CHUNKS = `
  select sheet_no, phone_nos, contact_count,
    (sum(contact_count) over (order by sheet_no) - contact_count)::integer as first_index
  from contact_sheet where user_id = $1 and catalog_id = $2`;

/** The chunks that hold the index `from` or a later one, in order. */
export async function selectChunks(
  db: Queryable,
  key: CatalogKey,
  page: { from: number; limit: number },
): Promise<Chunk[]> {
  const { rows } = await db.query<ChunkRow>(
    `select ${CHUNK_COLUMNS} from (${INDEXED_CHUNKS}) as chunk
     where first_index + contact_count > $3 order by sheet_no limit $4`,
    [key.userId, key.catalogId, page.from, page.limit],
  );
  return rows.map(toChunk);
}

/** As `selectChunks`, of those in which some number contains the digits, or begins with `beginning`. */
export async function searchChunks(
  db: Queryable,
  key: CatalogKey,
  page: { from: number; limit: number; digits: string; beginning: string | undefined },
): Promise<Chunk[]> {
  const { rows } = await db.query<ChunkRow>(
    `select ${CHUNK_COLUMNS} from (${INDEXED_CHUNKS}) as chunk
     where first_index + contact_count > $3
       and (position($5 in phone_nos) > 0 or position(',' || $6 in phone_nos) > 0 or starts_with(phone_nos, $6))
     order by sheet_no limit $4`,
    [key.userId, key.catalogId, page.from, page.limit, page.digits, page.beginning ?? null],
  );
  return rows.map(toChunk);
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
  { chunkNo, phoneNos, contactCount }: ChunkText,
): Promise<void> {
  await tx.query(
    `update contact_sheet set phone_nos = phone_nos || ',' || $4, contact_count = contact_count + $5
     where user_id = $1 and catalog_id = $2 and sheet_no = $3`,
    [key.userId, key.catalogId, chunkNo, phoneNos, contactCount],
  );
}

export async function insertChunks(tx: Queryable, key: CatalogKey, chunks: ChunkText[]): Promise<void> {
  await tx.query(
    `insert into contact_sheet (user_id, catalog_id, sheet_no, phone_nos, contact_count)
     select $1, $2, * from unnest($3::integer[], $4::text[], $5::integer[])`,
    [
      key.userId,
      key.catalogId,
      chunks.map(({ chunkNo }) => chunkNo),
      chunks.map(({ phoneNos }) => phoneNos),
      chunks.map(({ contactCount }) => contactCount),
    ],
  );
}

/** Replaces the numbers of a chunk; without any the chunk is deleted. */
export async function replaceChunk(tx: Queryable, key: CatalogKey, chunkNo: number, phoneNos: string[]): Promise<void> {
  const values = [key.userId, key.catalogId, chunkNo];
  if (phoneNos.length === 0) {
    await tx.query("delete from contact_sheet where user_id = $1 and catalog_id = $2 and sheet_no = $3", values);
    return;
  }
  await tx.query(
    "update contact_sheet set phone_nos = $4, contact_count = $5 where user_id = $1 and catalog_id = $2 and sheet_no = $3",
    [...values, phoneNos.join(","), phoneNos.length],
  );
}
