/** Which parts of long messages belong together: those that are stored, and those of a group. */
import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import { accessTimesMs } from "../access-limits.ts";
import { receiptWishes, type SubmitFacts, type SubmittedPart } from "./read-submit.ts";
import {
  lockPartSet,
  selectParts,
  selectReceiptWishes,
  setAside,
  type PartSetKey,
  type StoredPart,
} from "./submit-store.ts";

export type GroupPart = { keyId: string; facts: SubmitFacts; part: SubmittedPart };

export type JoinedPart =
  | {
      kind: "joined";
      setId: string;
      part: SubmittedPart;
      /**
       * `last`: with it the message is complete, and `whole` has all its parts in their order. `withLast`: the same group brings the last one.
       * `early`: others are missing.
       */
      place: "last" | "withLast" | "early";
      whole: { dataCoding: number; octets: Buffer }[];
      /** Some part of the message asked for a receipt. */
      isReceiptWanted: boolean;
    }
  /** The same part was accepted before, as this submit: a client that missed the answer sends it again. */
  | { kind: "repeat"; submitId: string }
  /** Its number came in this group already: it is to come again when the first is stored. */
  | { kind: "twice" };

type IndexedPart = GroupPart & { index: number };

/**
 * Locks the sets that the parts belong to, so that of two hosts that take the last two parts the second sees the first's.
 *
 * @param parts undefined where a submit of the group is no part.
 * @returns what each part is, at the same places.
 */
export async function joinParts(
  tx: Tx,
  userId: string,
  parts: readonly (GroupPart | undefined)[],
): Promise<(JoinedPart | undefined)[]> {
  const joined: (JoinedPart | undefined)[] = parts.map(() => undefined);
  const indexed = parts.flatMap((one, index): IndexedPart[] => (one === undefined ? [] : [{ ...one, index }]));
  const sets = Map.groupBy(indexed, (one) => JSON.stringify(setKeyOf(one)));
  // In one order everywhere, so that two groups wait for each other and never deadlock.
  for (const name of [...sets.keys()].toSorted()) await joinSet(tx, userId, sets.get(name) ?? [], joined);
  return joined;
}

function setKeyOf({ keyId, facts, part: { place } }: GroupPart): PartSetKey {
  const addresses = `${facts.source.address} ${facts.destination.address}`;
  return { keyId, addresses, reference: place.reference, partCount: place.partCount };
}

/** @param joined gets what each of the parts, which have one key, is. */
async function joinSet(
  tx: Tx,
  userId: string,
  parts: readonly IndexedPart[],
  joined: (JoinedPart | undefined)[],
): Promise<void> {
  const [first] = parts;
  if (first === undefined) return;
  const setKey = setKeyOf(first);
  let set = await openSet(tx, userId, setKey);
  const isOfAnother = parts.some(({ part }) => {
    const stored = set.stored.get(part.place.partNumber);
    return stored !== undefined && !isSame(stored, part);
  });
  // Its number is taken by another text: references come round, and a newer message begins.
  if (isOfAnother || set.isOver) {
    await setAside(tx, { userId, setId: set.setId });
    set = await openSet(tx, userId, setKey);
  }
  const own = new Map<number, IndexedPart>();
  let hasRepeatWish = false;
  for (const one of parts) {
    const { partNumber } = one.part.place;
    const stored = set.stored.get(partNumber);
    if (stored !== undefined) joined[one.index] = { kind: "repeat", submitId: stored.submitId };
    else if (own.has(partNumber)) joined[one.index] = { kind: "twice" };
    else own.set(partNumber, one);
    hasRepeatWish ||= one.facts.receipt !== receiptWishes.none;
  }
  const isComplete = set.stored.size + own.size === setKey.partCount;
  const isReceiptWanted =
    isComplete && (hasRepeatWish || (await selectReceiptWishes(tx, userId, [set.setId])).length > 0);
  const numbers = Array.from({ length: setKey.partCount }, (_, index) => index + 1);
  const whole = isComplete ? numbers.flatMap((number) => set.stored.get(number) ?? own.get(number)?.part ?? []) : [];
  const last = [...own.values()].at(-1);
  for (const one of own.values()) {
    const place = !isComplete ? "early" : one === last ? "last" : "withLast";
    joined[one.index] = { kind: "joined", setId: set.setId, part: one.part, place, whole, isReceiptWanted };
  }
}

type OpenSet = { setId: string; isOver: boolean; stored: ReadonlyMap<number, StoredPart> };

async function openSet(tx: Tx, userId: string, key: PartSetKey): Promise<OpenSet> {
  const setId = await lockPartSet(tx, userId, { ...key, setId: uuidv7(), waitMs: accessTimesMs.partsWait });
  const { isOver, parts } = await selectParts(tx, { userId, setId });
  return { setId, isOver, stored: new Map(parts.map((part) => [part.partNumber, part])) };
}

function isSame(stored: StoredPart, { dataCoding, octets }: SubmittedPart): boolean {
  return stored.dataCoding === dataCoding && stored.octets.equals(octets);
}
