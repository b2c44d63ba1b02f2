import assert from "node:assert";
import { readRecipients } from "@ewebal/contract";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { etagOf, lockCatalog, publishCatalog, type ContactDeps } from "../catalogs/catalogs.ts";
import { updateCatalog, type CatalogKey } from "../catalogs/catalog-store.ts";
import { removeFromChunk, selectChunks, selectChunksHolding, type Chunk } from "./chunk-store.ts";

/** What the caller saw when it chose the index; without either field the index counts as it is. */
export type Seen = { ifMatch?: string | undefined; phoneNo?: string | undefined };

/**
 * Takes the contact at an index out of a catalog.
 *
 * @throws AppError `NOT_FOUND` without such a catalog or index, `LIST_CHANGED` when the list is not the one that was seen;
 * nothing is deleted.
 */
export async function deleteContact(deps: ContactDeps, key: CatalogKey, index: number, seen: Seen): Promise<void> {
  const remove = async (tx: Tx): Promise<void> => {
    const catalog = await lockCatalog(tx, key);
    if (seen.ifMatch !== undefined && !isMatch(seen.ifMatch, etagOf(catalog))) throw new AppError("LIST_CHANGED");
    const [chunk] = await selectChunks(tx, key, { from: index, limit: 1, hasFields: true });
    const offset = index - (chunk?.firstIndex ?? 0);
    const contact = chunk?.phoneNos[offset];
    if (seen.phoneNo !== undefined && contact !== readNumber(seen.phoneNo, catalog.code))
      throw new AppError("LIST_CHANGED");
    if (chunk === undefined || contact === undefined) throw new AppError("NOT_FOUND");
    await removeContact(tx, key, chunk, offset);
  };
  await deps.inTurn(0, () => withTransaction(deps.db, remove));
}

/**
 * Takes a number out of a catalog, wherever it stands.
 *
 * @throws AppError `NOT_FOUND` without such a catalog or number, `VALIDATION` for what is no number of the catalog's country.
 */
export async function deleteContactByNumber(deps: ContactDeps, key: CatalogKey, number: string): Promise<void> {
  const remove = async (tx: Tx): Promise<void> => {
    const { code } = await lockCatalog(tx, key);
    const phoneNo = readNumber(number, code);
    if (phoneNo === null) throw fieldError("phoneNo", "is not a number of the catalog's country");
    const [chunk] = await selectChunksHolding(tx, key, [phoneNo]);
    if (chunk === undefined) throw new AppError("NOT_FOUND");
    await removeContact(tx, key, chunk, chunk.phoneNos.indexOf(phoneNo));
  };
  await deps.inTurn(0, () => withTransaction(deps.db, remove));
}

/** Takes a number out of a catalog in which it may stand. */
export async function forgetContact(tx: Tx, key: CatalogKey, phoneNo: string): Promise<void> {
  await lockCatalog(tx, key);
  const [chunk] = await selectChunksHolding(tx, key, [phoneNo]);
  if (chunk !== undefined) await removeContact(tx, key, chunk, chunk.phoneNos.indexOf(phoneNo));
}

async function removeContact(tx: Tx, key: CatalogKey, chunk: Chunk, offset: number): Promise<void> {
  await removeFromChunk(tx, key, chunk, offset);
  assert(await updateCatalog(tx, key, { contactCountChange: -1 }));
  await publishCatalog(tx, key);
}

/** A list of tags, or `*` for whatever is there (RFC 9110, 13.1.1). A weak tag never matches. */
function isMatch(ifMatch: string, etag: string): boolean {
  return ifMatch.split(",").some((tag) => ["*", etag].includes(tag.trim()));
}

/** A plus in an address means a space, so the number is read as if it was pasted. */
export function readNumber(phoneNo: string, code: string): string | null {
  const [number] = readRecipients(phoneNo, code).valid;
  return number === undefined ? null : String(number);
}
