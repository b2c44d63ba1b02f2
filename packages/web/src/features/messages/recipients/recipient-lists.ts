/**
 * Where pasted numbers are read, in a worker: a million of them take a third of a second, in which a page could not even
 * scroll. The worker keeps the pasted lists, so that a keystroke sends it only the typed numbers.
 */
import type { Rates, RecipientsRead, WrongNumber } from "@ewebal/contract";
import { RecipientReader } from "@ewebal/contract/rules";

export type RecipientsSummary = {
  /** Distinct valid numbers: who gets the message. */
  validCount: number;
  receivedCount: number;
  duplicateCount: number;
  wrongCount: number;
  /** Numbers that got the 0 back that a spreadsheet had dropped. */
  lostZeroCount: number;
  /** The first 100. */
  wrong: WrongNumber[];
  /** The first valid ones, to show how they were understood. */
  first: string[];
  /** Numbers in each pasted list, repeated and wrong ones included. */
  listCounts: ReadonlyMap<number, number>;
};

export type ListsTask =
  | { kind: "put"; listId: number; text: string }
  | { kind: "drop"; listId: number }
  | { kind: "read"; code: string; rates: Rates; typed: string }
  | { kind: "write" };

export type ListsAnswer = { kind: "read"; summary: RecipientsSummary } | { kind: "written"; text: string };

const FIRST_SHOWN_MAX = 8;

export class RecipientLists {
  readonly #lists = new Map<number, string>();
  #latest: RecipientsRead | undefined;

  /** @returns what goes back to the page; reads and writes are answered in the order they were asked. */
  handle(task: ListsTask): ListsAnswer | undefined {
    if (task.kind === "read") return { kind: "read", summary: this.#read(task) };
    if (task.kind === "write") return { kind: "written", text: this.#latest?.valid.join(",") ?? "" };
    if (task.kind === "put") this.#lists.set(task.listId, task.text);
    else this.#lists.delete(task.listId);
    return undefined;
  }

  #read({ code, rates, typed }: Extract<ListsTask, { kind: "read" }>): RecipientsSummary {
    const reader = new RecipientReader(code, rates);
    const countReceived = (): number => reader.validCount + reader.duplicateCount + reader.wrongCount;
    const listCounts = new Map<number, number>();
    for (const [listId, text] of this.#lists) {
      const before = countReceived();
      reader.add(text);
      listCounts.set(listId, countReceived() - before);
    }
    reader.add(typed);
    const read = reader.finish();
    this.#latest = read;
    const { valid, wrong, receivedCount, duplicateCount, wrongCount, repaired } = read;
    return {
      validCount: valid.length,
      receivedCount,
      duplicateCount,
      wrongCount,
      lostZeroCount: repaired?.leadingZero ?? 0,
      wrong,
      first: Array.from(valid.subarray(0, FIRST_SHOWN_MAX), String),
      listCounts,
    };
  }
}
