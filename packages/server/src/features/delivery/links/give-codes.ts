import type { Tx } from "../../../db/transaction.ts";
import { withCodes, type MergeLinks } from "../merged/merge-values.ts";
import type { NewBatch } from "../queue/message-store.ts";
import { LinkCodes } from "./link-codes.ts";
import { insertLinkBlocks, readLinkKey } from "./link-store.ts";

/** Numbers of one block; a batch has up to 500 recipients. */
export const NUMBERS_PER_BLOCK = 512;

/**
 * Gives the recipients of a merged message's batches a code for each of their links. The batches carry them; one row for each batch and link finds
 * them again, so a million recipients cost 2,000 rows a link.
 */
export async function giveCodes(
  tx: Tx,
  key: { userId: string; messageId: string },
  links: MergeLinks,
  batches: readonly NewBatch[],
): Promise<NewBatch[]> {
  const codes = new LinkCodes(await readLinkKey(tx));
  const slots = links.linkCount + Number(links.hasOptOutLink);
  const batchIndexes = batches.map(({ batchIndex }) => batchIndex);
  const blocks = await insertLinkBlocks(tx, key, { batchIndexes, slots, hasOptOutLink: links.hasOptOutLink });
  const byBatch = Map.groupBy(blocks, ({ batchIndex }) => batchIndex);
  return batches.map((batch) => {
    const own = (byBatch.get(batch.batchIndex) ?? []).toSorted((one, other) => one.slot - other.slot);
    const numbers = batch.phoneNos.flatMap((_, offset) =>
      own.map(({ blockId }) => blockId * NUMBERS_PER_BLOCK + offset),
    );
    const values = { ...links, codes: codes.encode(numbers).join("") };
    return { ...batch, mergeValues: withCodes(batch.mergeValues ?? "", values) };
  });
}
