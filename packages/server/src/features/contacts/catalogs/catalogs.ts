/** Making, naming, listing and deleting catalogs. Their contacts: see `numbers/`. */
import {
  isSendable,
  limits,
  NOT_SENDABLE_CODE,
  ValueRowList,
  type ContactColumnName,
  type Rates,
  type ValueRows,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { doOnce, fingerprintOf } from "../../../db/idempotency.ts";
import { Gate } from "../../../http/bounds/gate.ts";
import { createRateReader, type ReadRates } from "../../rates/index.ts";
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
  selectPhonebooks,
  updateCatalog,
  type Catalog,
  type CatalogKey,
} from "./catalog-store.ts";
import { forgetFields, selectFirstContacts, selectChunks, type Chunk } from "../numbers/chunk-store.ts";
import { keptCatalogs, type MadeCatalog } from "../present-made.ts";

/** From here on (17,000 numbers) a request counts as large. */
const LARGE_BYTES_MIN = 256 * 1024;

export type ContactDeps = Deps & {
  readRates: ReadRates;
  /**
   * Changes of catalogs wait here for their turn: each holds one of the ten connections to the database, a large one for
   * seconds, and whoever changes the same catalog waits for it with another.
   */
  inTurn: <Result>(byteLength: number, work: () => Promise<Result>) => Promise<Result>;
};

/** What all calls about contacts share in one process. */
export function createContactDeps(deps: Deps): ContactDeps {
  const small = new Gate({ placesMax: 3, waitingMax: 1_000 });
  const large = new Gate({ placesMax: 2, waitingMax: 20 });
  const inTurn: ContactDeps["inTurn"] = async (byteLength, work) =>
    await (byteLength >= LARGE_BYTES_MIN ? large : small).run(work);
  return { ...deps, readRates: createRateReader(deps), inTurn };
}

/** For a change of one thing, whose bytes do not count. */
const SMALL = 0;

export type NewCatalog = { name: string; code: string; columns?: readonly ContactColumnName[] | undefined };
export type CatalogWithContacts = Catalog & { firstPhoneNos: string[] };

/** The state of a catalog, which an `If-Match` is compared with. */
export function etagOf({ version }: Pick<Catalog, "version">): string {
  return `"${version}"`;
}

/** @throws AppError `VALIDATION` for a code that cannot be sent to at these rates. */
export function assertSendable(code: string, rates: Rates): void {
  if (!isSendable(code, rates)) throw fieldError("code", NOT_SENDABLE_CODE);
}

/**
 * Makes an empty catalog, once for each key.
 *
 * @throws AppError `VALIDATION` for a code that cannot be sent to, `STATE_CONFLICT` for too many catalogs, `IDEMPOTENCY_CONFLICT`.
 */
export async function makeCatalog(
  deps: ContactDeps,
  userId: string,
  catalog: NewCatalog,
  key: string | undefined,
): Promise<MadeCatalog> {
  assertSendable(catalog.code, await deps.readRates());
  const { name, code, columns } = catalog;
  const fingerprint = fingerprintOf({ name, code, columns: columns && JSON.stringify(columns) });
  const keyed = { actorId: userId, scope: "create-catalog", key, fingerprint, answers: keptCatalogs };
  const make = async (tx: Tx): Promise<MadeCatalog> => {
    const { catalogId } = await createCatalog(deps, tx, userId, catalog);
    await assertCatalogsWithinLimit(tx, userId);
    return { catalogId };
  };
  return await deps.inTurn(SMALL, () => withTransaction(deps.db, (tx) => doOnce(tx, keyed, () => make(tx))));
}

/** Writes the row of an empty catalog; the caller checks `assertCatalogsWithinLimit` at the end of its transaction. */
export async function createCatalog(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  userId: string,
  catalog: NewCatalog,
): Promise<Catalog> {
  const { name, code, columns = [] } = catalog;
  const made = await insertCatalog(tx, {
    userId,
    catalogId: uuidv7(),
    name,
    code,
    columns,
    createdAt: deps.clock.now(),
  });
  await publishCatalog(tx, made);
  return made;
}

/**
 * Counts the catalogs after the new one is there, last in its transaction: an upload works for seconds, and the customer's row
 * must not be locked for that long.
 *
 * @throws AppError `STATE_CONFLICT` when there is one too many.
 */
export async function assertCatalogsWithinLimit(tx: Tx, userId: string): Promise<void> {
  if ((await lockAndCountCatalogs(tx, userId)) <= limits.catalogsMax) return;
  const message = `You can keep ${limits.catalogsMax.toLocaleString("en")} catalogs. Please delete some first`;
  throw new AppError("STATE_CONFLICT", { message });
}

/** Tells every page of the customer that shows the catalog, the list of catalogs or their number. */
export async function publishCatalog(tx: Tx, { userId, catalogId }: CatalogKey): Promise<void> {
  await publishChange(tx, catalogChanged({ userId, catalogId }));
}

export type CatalogEdit = { name?: string | undefined; columns?: readonly ContactColumnName[] | undefined };

/**
 * Renames a catalog, or gives it other columns; the values of a column that is gone go with it.
 *
 * @throws AppError `NOT_FOUND`.
 */
export async function editCatalog(deps: ContactDeps, key: CatalogKey, { name, columns }: CatalogEdit): Promise<void> {
  await deps.inTurn(SMALL, () =>
    withTransaction(deps.db, async (tx) => {
      const before = await lockCatalog(tx, key);
      const kept = new Set(columns?.map((column) => column.key));
      const gone = before.columns.filter((column) => !kept.has(column.key)).map((column) => column.key);
      if (columns !== undefined && gone.length > 0) await forgetFields(tx, key, gone);
      await updateCatalog(tx, key, { name, ...(columns && { columns }) });
      await publishCatalog(tx, key);
    }),
  );
}

/** @throws AppError `NOT_FOUND`. */
export async function deleteCatalog(deps: ContactDeps, key: CatalogKey): Promise<void> {
  await deps.inTurn(SMALL, () =>
    withTransaction(deps.db, async (tx) => {
      if (!(await deleteCatalogRow(tx, key))) throw new AppError("NOT_FOUND");
      await publishCatalog(tx, key);
    }),
  );
}

/**
 * Takes the lock that every change of contacts needs; others wait until the transaction ends.
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

/** What customers' records show of their catalogs: the newest ids, and how many there are. */
export async function readPhonebooks(
  db: Queryable,
  userIds: string[],
  idsMax: number,
): Promise<{ userId: string; phonebook: { newestIds: string[]; count: number } }[]> {
  const rows = await selectPhonebooks(db, userIds, idsMax);
  return rows.map(({ userId, ...phonebook }) => ({ userId, phonebook }));
}

/** 20,000 numbers a statement: 300 kB. */
const CHUNKS_PER_READ = 20;

/**
 * The numbers of a catalog in its order, digits only, up to 1,000 at a time, so that a million need no more memory than twenty
 * thousand. The caller who needs one state of a catalog that may change holds its lock or a snapshot.
 */
export async function* streamCatalogNumbers(db: Queryable, key: CatalogKey): AsyncGenerator<string[]> {
  for await (const { phoneNos } of streamChunks(db, { ...key, columns: [] })) yield phoneNos;
}

/** The same with what is known of the contacts, when the catalog has columns. */
export async function* streamChunks(
  db: Queryable,
  catalog: CatalogKey & { columns: readonly unknown[] },
): AsyncGenerator<Chunk> {
  const hasFields = catalog.columns.length > 0;
  for (let from = 0; ;) {
    const chunks = await selectChunks(db, catalog, { from, limit: CHUNKS_PER_READ, hasFields });
    yield* chunks;
    const last = chunks.at(-1);
    if (last === undefined || chunks.length < CHUNKS_PER_READ) return;
    from = last.firstIndex + last.phoneNos.length;
  }
}

/**
 * All numbers of a catalog, for a send to it.
 *
 * @param keys of columns whose values are wanted.
 * @returns distinct international numbers of the catalog's code, in its order; whole numbers of at most 15 digits, 8 bytes each. `rows` has
 *   the values of each, when keys were asked for.
 * @throws AppError `NOT_FOUND` if the customer has no such catalog.
 */
export async function readCatalogNumbers(
  db: Queryable,
  key: CatalogKey,
  keys: readonly string[] = [],
): Promise<Pick<Catalog, "name" | "code" | "columns"> & { numbers: Float64Array; rows: ValueRows | undefined }> {
  const { name, code, columns, contactCount } = await getCatalog(db, key);
  const rows = keys.length > 0 ? new ValueRowList() : undefined;
  let numbers = new Float64Array(contactCount);
  let count = 0;
  for await (const { phoneNos, fields } of streamChunks(db, { ...key, columns: rows === undefined ? [] : columns })) {
    // Somebody may add between the two reads.
    if (count + phoneNos.length > numbers.length) {
      const larger = new Float64Array(count + phoneNos.length);
      larger.set(numbers);
      numbers = larger;
    }
    for (const [place, phoneNo] of phoneNos.entries()) {
      numbers[count] = Number(phoneNo);
      rows?.set(
        count,
        keys.map((one) => fields?.[one]?.[place] ?? null),
      );
      count += 1;
    }
  }
  return { name, code, columns, numbers: numbers.subarray(0, count), rows: rows?.finish() };
}
