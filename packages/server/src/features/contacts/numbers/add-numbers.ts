import assert from "node:assert";
import { limits } from "@ewebal/contract";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { createCatalog, publishCatalog } from "../catalogs/catalogs.ts";
import { updateCatalog, type Catalog } from "../catalogs/catalog-store.ts";
import { keepUnknown } from "./keep-unknown.ts";
import { fillChunk, findLastChunk, insertChunks, CHUNK_CONTACTS_MAX, type ChunkText } from "./chunk-store.ts";

/** Chunks in one statement: 0.3 MB of text. */
const CHUNKS_PER_STATEMENT = 20;

/**
 * Appends to a catalog those of the numbers that it does not hold yet, in their order.
 *
 * @param tx open transaction that holds the catalog's lock: two that add at once would both miss what the other adds.
 * @param catalog as it was locked, or made by this transaction.
 * @param numbers distinct, whole, with the catalog's code.
 * @returns how many were added; the catalog held the others already.
 * @throws AppError `STATE_CONFLICT` when the catalog would hold more than 1,000,000.
 */
export async function addNumbers(tx: Tx, catalog: Catalog, numbers: Float64Array): Promise<number> {
  const fresh = await keepUnknown(tx, catalog, numbers);
  if (fresh.length === 0) return 0;
  if (catalog.contactCount + fresh.length > limits.catalogContactsMax) {
    const message = `A catalog holds ${limits.catalogContactsMax.toLocaleString("en")} contacts. Please use another one for the rest`;
    throw new AppError("STATE_CONFLICT", { message });
  }
  await appendNumbers(tx, catalog, fresh);
  assert(await updateCatalog(tx, catalog, { contactCountChange: fresh.length }));
  await publishCatalog(tx, catalog);
  return fresh.length;
}

async function appendNumbers(tx: Tx, catalog: Catalog, numbers: Float64Array): Promise<void> {
  const last = await findLastChunk(tx, catalog);
  const room = last === undefined ? 0 : CHUNK_CONTACTS_MAX - last.contactCount;
  if (last !== undefined && room > 0) await fillChunk(tx, catalog, toChunk(last.chunkNo, numbers.subarray(0, room)));
  let chunkNo = (last?.chunkNo ?? 0) + 1;
  for (let start = room; start < numbers.length; start += CHUNKS_PER_STATEMENT * CHUNK_CONTACTS_MAX) {
    const part = numbers.subarray(start, start + CHUNKS_PER_STATEMENT * CHUNK_CONTACTS_MAX);
    const chunks: ChunkText[] = [];
    for (let offset = 0; offset < part.length; offset += CHUNK_CONTACTS_MAX) {
      chunks.push(toChunk(chunkNo, part.subarray(offset, offset + CHUNK_CONTACTS_MAX)));
      chunkNo += 1;
    }
    await insertChunks(tx, catalog, chunks);
  }
}

function toChunk(chunkNo: number, numbers: Float64Array): ChunkText {
  return { chunkNo, phoneNos: numbers.join(","), contactCount: numbers.length };
}

const DEMO_CATALOG = { name: "Demo customers", code: "234" };
const DEMO_CONTACTS = 48;
/** The simulator answers for every number; nobody is called. */
const DEMO_FIRST_NUMBER = 2_348_030_000_001;

/** Gives the demo's customer a catalog of numbers to send to. */
export async function addDemoCatalog(deps: Pick<Deps, "clock">, tx: Tx, userId: string): Promise<void> {
  const catalog = await createCatalog(deps, tx, userId, DEMO_CATALOG);
  await addNumbers(
    tx,
    catalog,
    Float64Array.from({ length: DEMO_CONTACTS }, (_, index) => DEMO_FIRST_NUMBER + index),
  );
}
