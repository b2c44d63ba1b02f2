/** What stands behind a link of a text: a recipient of a message, found by the code alone. */
import { personalLimits } from "@ewebal/contract";
import type { Db, Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { optOutsChanged, publishChange } from "../../../events/index.ts";
import { deliveryLimits } from "../delivery-limits.ts";
import { MergedTexts } from "../merged/merge-values.ts";
import { deleteOptOutsByLink, findOptOutSource } from "../opt-outs/opt-out-store.ts";
import { optOut } from "../opt-outs/opt-outs.ts";
import { NUMBERS_PER_BLOCK } from "./give-codes.ts";
import { LinkCodes } from "./link-codes.ts";
import {
  addClick,
  addToTotals,
  findBlockOwner,
  findLinkedBatch,
  readLinkKey,
  type BlockOwner,
  type LinkedBatch,
} from "./link-store.ts";

const DAY_MS = 24 * 3_600_000;
/** Rows that a message's clicks are counted in. */
const CLICK_SHARDS = 16;

type Found = BlockOwner & LinkedBatch & { offset: number; texts: MergedTexts };

async function findLink(db: Queryable, code: string, isOptOut: boolean): Promise<Found | undefined> {
  const number = new LinkCodes(await readLinkKey(db)).decode(code);
  if (number === undefined) return undefined;
  const offset = number % NUMBERS_PER_BLOCK;
  const owner = await findBlockOwner(db, Math.floor(number / NUMBERS_PER_BLOCK));
  if (owner?.isOptOut !== isOptOut) return undefined;
  const batch = await findLinkedBatch(db, owner, offset);
  if (batch === undefined) return undefined;
  const texts = new MergedTexts(batch.mergeValues, batch.body);
  // A scheduled message that was edited has other codes; those that it had before were sent to nobody.
  if (texts.codeAt(offset, owner.slot) !== code) return undefined;
  return { ...owner, ...batch, offset, texts };
}

/** Whose text a short link stands in. */
export type LinkPlace = { userId: string; messageId: string; position: number };

export type ShortLink = { kind: "unknown" } | { kind: "expired" } | { kind: "live"; target: string; place: LinkPlace };

/** Where a short link leads, for 180 days from when its message went out. */
export async function readShortLink(db: Queryable, code: string, now: Date): Promise<ShortLink> {
  const link = await findLink(db, code, false);
  const target = link?.texts.targetAt(link.offset, link.slot);
  if (link === undefined || target === undefined) return { kind: "unknown" };
  if (now.getTime() - link.startsAt.getTime() > personalLimits.linkDays * DAY_MS) return { kind: "expired" };
  const position = link.batchIndex * deliveryLimits.batchRecipientsMax + link.offset;
  return { kind: "live", target, place: { userId: link.userId, messageId: link.messageId, position } };
}

/** Counts a click. A preview, which some program made, is in no figure but its own. */
export async function countClick(db: Db, { position, ...key }: LinkPlace, isPreview: boolean): Promise<void> {
  const shard = Math.floor(Math.random() * CLICK_SHARDS);
  if (isPreview) {
    await addToTotals(db, key, shard, { total: 0, recipients: 0, previews: 1 });
    return;
  }
  await withTransaction(db, async (tx) => {
    const isFirst = await addClick(tx, key, position);
    await addToTotals(tx, key, shard, { total: 1, recipients: Number(isFirst), previews: 0 });
  });
}

export type OptOutLink = {
  userId: string;
  messageId: string;
  phoneNo: number;
  senderName: string;
  /** `link`: on the list, and may come off it by the same link. `otherwise`: on the list by another way. */
  state: "free" | "link" | "otherwise";
};

/** @returns undefined for a code that nobody has, and for one of a month whose numbers are no longer kept. */
export async function readOptOutLink(db: Queryable, code: string): Promise<OptOutLink | undefined> {
  const link = await findLink(db, code, true);
  if (link === undefined || link.phoneNo === null) return undefined;
  const { userId, messageId, phoneNo, senderName } = link;
  const source = await findOptOutSource(db, userId, phoneNo);
  const state = source === undefined ? "free" : source === "link" ? "link" : "otherwise";
  return { userId, messageId, phoneNo, senderName, state };
}

/**
 * Puts a link's recipient onto its customer's list, or takes off it who came there by a link. Who opted out by another way does not come back
 * by this one: texts are passed on.
 *
 * @returns where the recipient stands now; undefined as `readOptOutLink`.
 */
export async function followOptOutLink(db: Db, code: string, wish: "stop" | "undo"): Promise<OptOutLink | undefined> {
  const link = await readOptOutLink(db, code);
  if (link === undefined) return undefined;
  const { userId, messageId, phoneNo } = link;
  await withTransaction(db, async (tx) => {
    if (wish === "stop") await optOut(tx, { userId, phoneNos: [phoneNo], source: "link", messageId });
    else await deleteOptOutsByLink(tx, userId, phoneNo);
    await publishChange(tx, optOutsChanged(userId));
  });
  return await readOptOutLink(db, code);
}
