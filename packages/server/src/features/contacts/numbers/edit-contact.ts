import assert from "node:assert";
import { withTransaction, type Tx } from "../../../db/transaction.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { lockCatalog, publishCatalog, type ContactDeps } from "../catalogs/catalogs.ts";
import { updateCatalog, type CatalogKey } from "../catalogs/catalog-store.ts";
import { selectChunksHolding, updateFields } from "./chunk-store.ts";
import { fieldsAt, putFields, refuseUnknownKeys } from "./contact-fields.ts";
import { readNumber } from "./delete-contact.ts";
import type { Contact } from "./list-contacts.ts";

/**
 * Changes the given fields of one contact.
 *
 * @throws AppError `NOT_FOUND` without such a catalog or number, `VALIDATION` for a key that the catalog does not have.
 */
export async function editContact(
  deps: ContactDeps,
  key: CatalogKey,
  edit: { phoneNo: string; fields: Record<string, string> },
): Promise<Contact> {
  const change = async (tx: Tx): Promise<Contact> => {
    const catalog = await lockCatalog(tx, key);
    refuseUnknownKeys(catalog, edit.fields, "fields");
    const phoneNo = readNumber(edit.phoneNo, catalog.code);
    if (phoneNo === null) throw fieldError("phoneNo", "is not a number of the catalog's country");
    const [chunk] = await selectChunksHolding(tx, key, [phoneNo]);
    if (chunk === undefined) throw new AppError("NOT_FOUND");
    const place = chunk.phoneNos.indexOf(phoneNo);
    const fields = { ...chunk.fields };
    if (putFields(fields, place, edit.fields)) {
      await updateFields(tx, key, chunk.chunkNo, fields);
      assert(await updateCatalog(tx, key, {}));
      await publishCatalog(tx, key);
    }
    const known = fieldsAt(catalog, fields, place);
    return { index: chunk.firstIndex + place, phoneNo, ...(known && { fields: known }) };
  };
  return await deps.inTurn(0, () => withTransaction(deps.db, change));
}
