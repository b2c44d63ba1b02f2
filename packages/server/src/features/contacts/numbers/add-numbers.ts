import assert from "node:assert";
import { limits } from "@ewebal/contract";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { createCatalog, publishCatalog, streamChunks } from "../catalogs/catalogs.ts";
import { updateCatalog, type Catalog } from "../catalogs/catalog-store.ts";
import { putFields, receivedAt, type ReceivedFields } from "./contact-fields.ts";
import { FEW_NUMBERS_MAX, keepUnknown } from "./keep-unknown.ts";
import {
  CHUNK_CONTACTS_MAX,
  fillChunk,
  findLastChunk,
  insertChunks,
  selectChunksHolding,
  updateFields,
  type ChunkFields,
  type ChunkText,
} from "./chunk-store.ts";

/** Chunks in one statement: 0.3 MB of text. */
const CHUNKS_PER_STATEMENT = 20;

/**
 * Appends to a catalog those of the numbers that it does not hold yet, in their order; what was received of them is kept, for those
 * that it holds already, too.
 *
 * @param tx open transaction that holds the catalog's lock: two that add at once would both miss what the other adds.
 * @param catalog as it was locked, or made by this transaction.
 * @param numbers distinct, whole, with the catalog's code.
 * @param received of each number, in their order, by keys of the catalog.
 * @returns how many were added; the catalog held the others already.
 * @throws AppError `STATE_CONFLICT` when the catalog would hold more than 1,000,000.
 */
export async function addNumbers(
  tx: Tx,
  catalog: Catalog,
  numbers: Float64Array,
  received?: ReceivedFields,
): Promise<number> {
  const fresh = await keepUnknown(tx, catalog, numbers);
  if (catalog.contactCount + fresh.length > limits.catalogContactsMax) {
    const message = `A catalog holds ${limits.catalogContactsMax.toLocaleString("en")} contacts. Please use another one for the rest`;
    throw new AppError("STATE_CONFLICT", { message });
  }
  const given = received && indexReceived(numbers, received);
  const hasChanged = given !== undefined && fresh.length < numbers.length && (await changeKnown(tx, catalog, given));
  if (fresh.length > 0) await appendNumbers(tx, catalog, fresh, given);
  if (fresh.length === 0 && !hasChanged) return 0;
  assert(await updateCatalog(tx, catalog, { contactCountChange: fresh.length }));
  await publishCatalog(tx, catalog);
  return fresh.length;
}

/** What was received, by number. */
type Given = { numbers: Float64Array; of: (phoneNo: number) => Readonly<Record<string, string>> };

function indexReceived(numbers: Float64Array, received: ReceivedFields): Given {
  const places = new Map<number, number>();
  for (const [index, number] of numbers.entries()) places.set(number, index);
  const of: Given["of"] = (phoneNo) => {
    const index = places.get(phoneNo);
    return index === undefined ? NOTHING : receivedAt(received, index);
  };
  return { numbers, of };
}

const NOTHING: Readonly<Record<string, string>> = {};

/** Gives contacts that are there what was received of them. @returns whether anything was another before. */
async function changeKnown(tx: Tx, catalog: Catalog, given: Given): Promise<boolean> {
  const chunks =
    given.numbers.length <= FEW_NUMBERS_MAX
      ? await selectChunksHolding(tx, catalog, Array.from(given.numbers, String))
      : streamChunks(tx, catalog);
  let hasChanged = false;
  for await (const { chunkNo, phoneNos, fields: before } of chunks) {
    const fields = { ...before };
    let isChanged = false;
    for (const [place, phoneNo] of phoneNos.entries())
      if (putFields(fields, place, given.of(Number(phoneNo)))) isChanged = true;
    if (isChanged) await updateFields(tx, catalog, chunkNo, fields);
    hasChanged ||= isChanged;
  }
  return hasChanged;
}

async function appendNumbers(tx: Tx, catalog: Catalog, numbers: Float64Array, given?: Given): Promise<void> {
  const last = await findLastChunk(tx, catalog);
  const room = last === undefined ? 0 : CHUNK_CONTACTS_MAX - last.contactCount;
  if (last !== undefined && room > 0) {
    const part = numbers.subarray(0, room);
    await fillChunk(tx, catalog, toChunk(last.chunkNo, part));
    if (given !== undefined) await appendFields(tx, catalog, part, given);
  }
  let chunkNo = (last?.chunkNo ?? 0) + 1;
  for (let start = room; start < numbers.length; start += CHUNKS_PER_STATEMENT * CHUNK_CONTACTS_MAX) {
    const part = numbers.subarray(start, start + CHUNKS_PER_STATEMENT * CHUNK_CONTACTS_MAX);
    const chunks: ChunkText[] = [];
    for (let offset = 0; offset < part.length; offset += CHUNK_CONTACTS_MAX) {
      chunks.push(toChunk(chunkNo, part.subarray(offset, offset + CHUNK_CONTACTS_MAX), given));
      chunkNo += 1;
    }
    await insertChunks(tx, catalog, chunks);
  }
}

/** The numbers stand at the end of the last chunk already. */
async function appendFields(tx: Tx, catalog: Catalog, numbers: Float64Array, given: Given): Promise<void> {
  const [first] = numbers;
  if (first === undefined) return;
  const [chunk] = await selectChunksHolding(tx, catalog, [String(first)]);
  assert(chunk !== undefined);
  const fields = { ...chunk.fields };
  const start = chunk.phoneNos.length - numbers.length;
  let isChanged = false;
  for (const [offset, number] of numbers.entries())
    if (putFields(fields, start + offset, given.of(number))) isChanged = true;
  if (isChanged) await updateFields(tx, catalog, chunk.chunkNo, fields);
}

function toChunk(chunkNo: number, numbers: Float64Array, given?: Given): ChunkText {
  const chunk = { chunkNo, phoneNos: numbers.join(","), contactCount: numbers.length };
  if (given === undefined) return chunk;
  const fields: ChunkFields = {};
  for (const [place, number] of numbers.entries()) putFields(fields, place, given.of(number));
  return Object.keys(fields).length === 0 ? chunk : { ...chunk, fields };
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
