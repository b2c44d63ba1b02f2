/** All SQL about catalogs; their contacts are in `numbers/chunk-store.ts`. */
import type { ContactColumnName } from "@ewebal/contract";
import { selectOwnedSummaries, type OwnedSummary } from "../../../db/owned-summary.ts";
import type { Queryable } from "../../../db/pool.ts";

export type CatalogKey = { userId: string; catalogId: string };

export type Catalog = CatalogKey & {
  name: string;
  code: string;
  /** What is kept of each contact beside its number. */
  columns: ContactColumnName[];
  contactCount: number;
  /** Raised by every change. */
  version: number;
  createdAt: Date;
};

const COLUMNS = `user_id as "userId", catalog_id as "catalogId", name, code, columns, contact_count as "contactCount", version, created_at as "createdAt"`;

export async function insertCatalog(
  tx: Queryable,
  catalog: CatalogKey & { name: string; code: string; columns: readonly ContactColumnName[]; createdAt: Date },
): Promise<Catalog> {
  const { rows } = await tx.query<Catalog>(
    `insert into catalog (user_id, catalog_id, name, code, columns, created_at) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [catalog.userId, catalog.catalogId, catalog.name, catalog.code, JSON.stringify(catalog.columns), catalog.createdAt],
  );
  return rows[0] as Catalog;
}

/** Serializes what changes the number of a customer's catalogs. @returns that number. */
export async function lockAndCountCatalogs(tx: Queryable, userId: string): Promise<number> {
  await tx.query("select from app_user where user_id = $1 for no key update", [userId]);
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from catalog where user_id = $1",
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Holds the catalog, and with it the right to change its chunks, until the transaction ends. */
export async function lockCatalogRow(tx: Queryable, key: CatalogKey): Promise<Catalog | undefined> {
  const { rows } = await tx.query<Catalog>(
    `select ${COLUMNS} from catalog where user_id = $1 and catalog_id = $2 for update`,
    [key.userId, key.catalogId],
  );
  return rows[0];
}

export async function findCatalogRow(db: Queryable, key: CatalogKey): Promise<Catalog | undefined> {
  const { rows } = await db.query<Catalog>(`select ${COLUMNS} from catalog where user_id = $1 and catalog_id = $2`, [
    key.userId,
    key.catalogId,
  ]);
  return rows[0];
}

/** @param change the new name or columns, or how many contacts were added (negative: taken out). @returns whether there is such a catalog. */
export async function updateCatalog(
  tx: Queryable,
  key: CatalogKey,
  change: { name?: string | undefined; columns?: readonly ContactColumnName[]; contactCountChange?: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update catalog set name = coalesce($3, name), columns = coalesce($5, columns), contact_count = contact_count + $4,
       version = version + 1
     where user_id = $1 and catalog_id = $2`,
    [
      key.userId,
      key.catalogId,
      change.name ?? null,
      change.contactCountChange ?? 0,
      change.columns === undefined ? null : JSON.stringify(change.columns),
    ],
  );
  return rowCount === 1;
}

/** The chunks go with it. @returns whether there was such a catalog. */
export async function deleteCatalogRow(tx: Queryable, key: CatalogKey): Promise<boolean> {
  const { rowCount } = await tx.query("delete from catalog where user_id = $1 and catalog_id = $2", [
    key.userId,
    key.catalogId,
  ]);
  return rowCount === 1;
}

/** Newest first. A name is looked for among the 1,000 catalogs that a customer may have. */
export async function selectCatalogs(
  db: Queryable,
  page: { userId: string; after: string | undefined; limit: number; search: string | undefined },
): Promise<Catalog[]> {
  const { rows } = await db.query<Catalog>(
    `select ${COLUMNS} from catalog
     where user_id = $1 and ($2::uuid is null or catalog_id < $2) and ($4 = '' or position(lower($4) in lower(name)) > 0)
     order by catalog_id desc limit $3`,
    [page.userId, page.after ?? null, page.limit, page.search ?? ""],
  );
  return rows;
}

/** For customers' records: the newest ids and the number of all. */
export async function selectPhonebooks(db: Queryable, userIds: string[], idsMax: number): Promise<OwnedSummary[]> {
  return await selectOwnedSummaries(db, { table: "catalog", idColumn: "catalog_id" }, userIds, idsMax);
}

/** Of all customers together. */
export async function countCatalogs(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("select count(*) as count from catalog");
  return rows[0]?.count ?? 0;
}
