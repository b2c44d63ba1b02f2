/**
 * All SQL about the contacts of a catalog. They lie in sheets of up to 1,000, as text with commas; a contact's index is the
 * number of contacts in earlier sheets plus its place in its own. Counts are beside the numbers, so that finding an index
 * reads at most 1,000 narrow rows. Every change needs the catalog's lock (`lockCatalogRow`).
 */
import type { Queryable } from "../../../db/pool.ts";
import type { CatalogKey } from "../catalogs/catalog-store.ts";

/** What a row holds at most; the table says so too. */
export const SHEET_CONTACTS_MAX = 1_000;

export type Sheet = {
  sheetNo: number;
  /** Index of its first contact. */
  firstIndex: number;
  /** Digits only, in order. */
  phoneNos: string[];
};

/** As much of a sheet as is written. */
export type SheetText = {
  sheetNo: number;
  /** With commas. */
  phoneNos: string;
  contactCount: number;
};

type SheetRow = { sheet_no: number; first_index: number; phone_nos: string };

/** Sheets of a catalog with the index of their first contact. */
const PLACED_SHEETS = `
  select sheet_no, phone_nos, contact_count,
    (sum(contact_count) over (order by sheet_no) - contact_count)::integer as first_index
  from contact_sheet where user_id = $1 and catalog_id = $2`;

/** The sheets that hold the index `from` or a later one, in order. */
export async function selectSheets(
  db: Queryable,
  key: CatalogKey,
  page: { from: number; limit: number },
): Promise<Sheet[]> {
  const { rows } = await db.query<SheetRow>(
    `select sheet_no, first_index, phone_nos from (${PLACED_SHEETS}) as sheet
     where first_index + contact_count > $3 order by sheet_no limit $4`,
    [key.userId, key.catalogId, page.from, page.limit],
  );
  return rows.map(toSheet);
}

/** The same, of sheets in which some number contains the digits, or begins with `beginning`. */
export async function searchSheets(
  db: Queryable,
  key: CatalogKey,
  page: { from: number; limit: number; digits: string; beginning: string | undefined },
): Promise<Sheet[]> {
  const { rows } = await db.query<SheetRow>(
    `select sheet_no, first_index, phone_nos from (${PLACED_SHEETS}) as sheet
     where first_index + contact_count > $3
       and (position($5 in phone_nos) > 0 or position(',' || $6 in phone_nos) > 0 or starts_with(phone_nos, $6))
     order by sheet_no limit $4`,
    [key.userId, key.catalogId, page.from, page.limit, page.digits, page.beginning ?? null],
  );
  return rows.map(toSheet);
}

function toSheet({ sheet_no: sheetNo, first_index: firstIndex, phone_nos: phoneNos }: SheetRow): Sheet {
  return { sheetNo, firstIndex, phoneNos: phoneNos.split(",") };
}

/** The first contacts of several catalogs, in order; empty catalogs are missing. */
export async function selectFirstContacts(
  db: Queryable,
  userId: string,
  catalogIds: string[],
  limit: number,
): Promise<Map<string, string[]>> {
  // No sheet is empty, so that the first `limit` contacts lie in the first `limit` sheets.
  const { rows } = await db.query<{ catalog_id: string; phone_nos: string }>(
    `select catalog.id as catalog_id, string_agg(sheet.phone_nos, ',' order by sheet.sheet_no) as phone_nos
     from unnest($2::uuid[]) as catalog (id)
     cross join lateral (
       select sheet_no, phone_nos, sum(contact_count) over (order by sheet_no) - contact_count as first_index
       from (
         select sheet_no, phone_nos, contact_count from contact_sheet
         where user_id = $1 and catalog_id = catalog.id order by sheet_no limit $3
       ) as first_sheets
     ) as sheet
     where sheet.first_index < $3
     group by catalog.id`,
    [userId, catalogIds, limit],
  );
  return new Map(rows.map((row) => [row.catalog_id, row.phone_nos.split(",", limit)]));
}

/** @returns those of the numbers that the catalog holds. Each is looked for in the whole catalog, so let them be few. */
export async function selectKnown(tx: Queryable, key: CatalogKey, phoneNos: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ phone_no: string }>(
    `select asked.phone_no from unnest($3::text[]) as asked (phone_no)
     where exists (
       select from contact_sheet
       where user_id = $1 and catalog_id = $2 and position(',' || asked.phone_no || ',' in ',' || phone_nos || ',') > 0
     )`,
    [key.userId, key.catalogId, phoneNos],
  );
  return rows.map((row) => row.phone_no);
}

export async function findLastSheet(
  tx: Queryable,
  key: CatalogKey,
): Promise<{ sheetNo: number; contactCount: number } | undefined> {
  const { rows } = await tx.query<{ sheetNo: number; contactCount: number }>(
    `select sheet_no as "sheetNo", contact_count as "contactCount" from contact_sheet
     where user_id = $1 and catalog_id = $2 order by sheet_no desc limit 1`,
    [key.userId, key.catalogId],
  );
  return rows[0];
}

/** Adds to the end of a sheet that has room. */
export async function fillSheet(
  tx: Queryable,
  key: CatalogKey,
  { sheetNo, phoneNos, contactCount }: SheetText,
): Promise<void> {
  await tx.query(
    `update contact_sheet set phone_nos = phone_nos || ',' || $4, contact_count = contact_count + $5
     where user_id = $1 and catalog_id = $2 and sheet_no = $3`,
    [key.userId, key.catalogId, sheetNo, phoneNos, contactCount],
  );
}

export async function insertSheets(tx: Queryable, key: CatalogKey, sheets: SheetText[]): Promise<void> {
  await tx.query(
    `insert into contact_sheet (user_id, catalog_id, sheet_no, phone_nos, contact_count)
     select $1, $2, * from unnest($3::integer[], $4::text[], $5::integer[])`,
    [
      key.userId,
      key.catalogId,
      sheets.map(({ sheetNo }) => sheetNo),
      sheets.map(({ phoneNos }) => phoneNos),
      sheets.map(({ contactCount }) => contactCount),
    ],
  );
}

/** Puts other numbers into a sheet; none, and it goes. */
export async function replaceSheet(tx: Queryable, key: CatalogKey, sheetNo: number, phoneNos: string[]): Promise<void> {
  const values = [key.userId, key.catalogId, sheetNo];
  if (phoneNos.length === 0) {
    await tx.query("delete from contact_sheet where user_id = $1 and catalog_id = $2 and sheet_no = $3", values);
    return;
  }
  await tx.query(
    "update contact_sheet set phone_nos = $4, contact_count = $5 where user_id = $1 and catalog_id = $2 and sheet_no = $3",
    [...values, phoneNos.join(","), phoneNos.length],
  );
}
