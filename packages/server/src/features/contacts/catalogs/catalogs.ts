/** Making, naming, listing and deleting catalogs. What is in them: `add-numbers.ts`, `delete-contact.ts`, `list-contacts.ts`. */
import { isSendable, limits, NOT_SENDABLE_CODE, type Rates } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { catalogChanged, publishChange } from "../../../events/index.ts";
import {
  deleteCatalogRow,
  findCatalogRow,
  insertCatalog,
  lockAndCountCatalogs,
  lockCatalogRow,
  selectCatalogs,
  updateCatalog,
  type Catalog,
  type CatalogKey,
} from "./catalog-store.ts";
import { selectFirstContacts } from "../numbers/chunk-store.ts";

export type NewCatalog = { name: string; code: string };
export type CatalogWithContacts = Catalog & { firstPhoneNos: string[] };

/** What an `If-Match` is compared with. */
export function etagOf({ version }: Pick<Catalog, "version">): string {
  return `"${version}"`;
}

/** @throws AppError `VALIDATION` for a code that cannot be sent to at these rates. */
export function assertSendable(code: string, rates: Rates): void {
  if (!isSendable(code, rates)) throw fieldError("code", NOT_SENDABLE_CODE);
}

/**
 * Makes an empty catalog.
 *
 * @throws AppError `STATE_CONFLICT` when the customer has as many as may be kept.
 */
export async function createCatalog(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  userId: string,
  catalog: NewCatalog,
): Promise<Catalog> {
  const made = await insertCatalog(tx, { userId, catalogId: uuidv7(), ...catalog, createdAt: deps.clock.now() });
  await publishCatalog(tx, made);
  return made;
}

/**
 * Counts after the new one is there, and last in its transaction: an upload works for seconds, and the customer's row must not
 * be locked for that long.
 *
 * @throws AppError `STATE_CONFLICT` when there is one too many.
 */
export async function assertCatalogsWithinLimit(tx: Tx, userId: string): Promise<void> {
  if ((await lockAndCountCatalogs(tx, userId)) <= limits.catalogsMax) return;
  const message = `You can keep ${limits.catalogsMax.toLocaleString("en")} catalogs. Please delete some first`;
  throw new AppError("STATE_CONFLICT", { message });
}

/** Every page of the customer that shows the catalog, the list of them or their number. */
export async function publishCatalog(tx: Tx, { userId, catalogId }: CatalogKey): Promise<void> {
  await publishChange(tx, catalogChanged({ userId, catalogId }));
}

/** @throws AppError `NOT_FOUND`. */
export async function renameCatalog(deps: Deps, key: CatalogKey, name: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if (!(await updateCatalog(tx, key, { name }))) throw new AppError("NOT_FOUND");
    await publishCatalog(tx, key);
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function deleteCatalog(deps: Deps, key: CatalogKey): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    if (!(await deleteCatalogRow(tx, key))) throw new AppError("NOT_FOUND");
    await publishCatalog(tx, key);
  });
}

/**
 * Takes the lock that whoever changes contacts needs; others wait until the transaction ends.
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function lockCatalog(tx: Tx, key: CatalogKey): Promise<Catalog> {
  const catalog = await lockCatalogRow(tx, key);
  if (catalog === undefined) throw new AppError("NOT_FOUND");
  return catalog;
}

/** @throws AppError `NOT_FOUND`. */
export async function getCatalog(db: Queryable, key: CatalogKey): Promise<Catalog> {
  const catalog = await findCatalogRow(db, key);
  if (catalog === undefined) throw new AppError("NOT_FOUND");
  return catalog;
}

/**
 * @param contactsMax how many contacts to bring along.
 * @throws AppError `NOT_FOUND`.
 */
export async function viewCatalog(db: Queryable, key: CatalogKey, contactsMax: number): Promise<CatalogWithContacts> {
  const [catalog] = await withFirstContacts(db, key.userId, [await getCatalog(db, key)], contactsMax);
  return catalog as CatalogWithContacts;
}

/**
 * A customer's catalogs, newest first, each with its first 100 contacts.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listCatalogs(
  db: Queryable,
  userId: string,
  query: { limit: number; after?: string | undefined; search?: string | undefined },
): Promise<{ rows: CatalogWithContacts[]; next: string | null }> {
  assertIdCursor(query.after);
  const select = (limit: number) => selectCatalogs(db, { userId, after: query.after, limit, search: query.search });
  const { rows, next } = await readPage(query.limit, select, ({ catalogId }) => catalogId);
  return { rows: await withFirstContacts(db, userId, rows, limits.listedPhoneNosMax), next };
}

async function withFirstContacts(
  db: Queryable,
  userId: string,
  catalogs: Catalog[],
  contactsMax: number,
): Promise<CatalogWithContacts[]> {
  const ids = catalogs.filter(({ contactCount }) => contactCount > 0).map(({ catalogId }) => catalogId);
  const firstContacts =
    contactsMax === 0 || ids.length === 0
      ? new Map<string, string[]>()
      : await selectFirstContacts(db, userId, ids, contactsMax);
  return catalogs.map((catalog) => ({ ...catalog, firstPhoneNos: firstContacts.get(catalog.catalogId) ?? [] }));
}
