/**
 * Where pasted numbers are read, in a worker: a million of them take a third of a second, in which a page could not even
 * scroll. The worker keeps the pasted lists, so that a keystroke sends it only the typed numbers. What is known of recipients
 * stays here too, and so do their texts: the page gets counts, and one recipient at a time.
 */
import type { PageRule, Rates, RecipientsRead, SendRecipient, WrongNumber } from "@ewebal/contract";
import {
  FieldedNumbers,
  findLikelyNetwork,
  RecipientReader,
  valuesAt,
  type ContactColumnName,
  type RepairCounts,
  type ValueRows,
} from "@ewebal/contract/rules";
import { readTable, writeTable } from "../../../shared/numbers/recipient-table.ts";
import { mergeAll, mergeOne, type MergedRecipient, type MergeSummary, type MergeText } from "./merge-recipients.ts";

export type RecipientsSummary = {
  /** Distinct valid numbers: who gets the message. */
  validCount: number;
  receivedCount: number;
  duplicateCount: number;
  wrongCount: number;
  /** What was undone of what spreadsheets and phones did to them. */
  repaired: RepairCounts | undefined;
  /** The first 100. */
  wrong: WrongNumber[];
  /** The first valid ones, to show how they were understood. */
  first: string[];
  /** Numbers in each pasted list, repeated and wrong ones included. */
  listCounts: ReadonlyMap<number, number>;
  /** What is known of recipients, in the order of the lists; empty where nothing is. */
  columns: readonly ContactColumnName[];
  /** Whether recipients bring texts of their own, or are called something by the sender. */
  hasOwnTexts: boolean;
  /** Likely networks of Nigerian numbers, the largest first. */
  networks: ReadonlyArray<{ network: string; count: number }>;
};

export type ListsTask =
  /** @param columns of a table, see `writeTable`; its rows may end in a text of the recipient's own and in what the sender calls it. */
  | { kind: "put"; listId: number; text: string; columns?: readonly ContactColumnName[] }
  | { kind: "drop"; listId: number }
  | { kind: "read"; code: string; rates: Rates; typed: string }
  | { kind: "write" }
  /** All of them, or from one place on so many. */
  | { kind: "write-recipients"; from?: number; count?: number }
  /** A few of them, some of each network: enough to ask what would become of a send. */
  | { kind: "sample" }
  /** All of them as one table, see `writeTable`. */
  | { kind: "write-table" }
  | ({ kind: "merge"; pageRule: PageRule } & MergeText)
  | ({ kind: "recipient"; place: number } & MergeText);

export type ListsAnswer =
  | { kind: "read"; summary: RecipientsSummary }
  | { kind: "written"; text: string }
  | { kind: "recipients"; recipients: SendRecipient[] }
  | { kind: "merged"; summary: MergeSummary }
  | { kind: "recipient"; recipient: MergedRecipient | undefined };

const FIRST_SHOWN_MAX = 8;

type List = { text: string; columns: readonly ContactColumnName[] | undefined };
type Personal = { keys: readonly string[]; rows: ValueRows };

export class RecipientLists {
  readonly #lists = new Map<number, List>();
  #latest: RecipientsRead | undefined;
  #personal: Personal = { keys: [], rows: { bytes: new Uint8Array(), places: new Float64Array() } };

  /** @returns what goes back to the page; all but what is put and dropped is answered, in the order it was asked. */
  handle(task: ListsTask): ListsAnswer | undefined {
    if (task.kind === "put") this.#lists.set(task.listId, { text: task.text, columns: task.columns });
    else if (task.kind === "drop") this.#lists.delete(task.listId);
    else return this.#answer(task);
    return undefined;
  }

  #answer(task: Exclude<ListsTask, { kind: "put" | "drop" }>): ListsAnswer {
    const numbers = this.#latest?.valid ?? new Float64Array();
    if (task.kind === "read") return { kind: "read", summary: this.#read(task) };
    if (task.kind === "write") return { kind: "written", text: numbers.join(",") };
    if (task.kind === "write-recipients" || task.kind === "sample") {
      const { from = 0, count = numbers.length } = task.kind === "sample" ? {} : task;
      const places =
        task.kind === "sample" ? samplePlaces(numbers) : placesFrom(from, Math.min(count, numbers.length - from));
      return { kind: "recipients", recipients: this.#writeRecipients(numbers, places) };
    }
    if (task.kind === "write-table") {
      const { rows } = this.#personal;
      return {
        kind: "written",
        text: writeTable(numbers.length, (place) => [String(numbers[place]), ...valuesAt(rows, place)]),
      };
    }
    if (task.kind === "merge") return { kind: "merged", summary: mergeAll({ ...task, ...this.#personal, numbers }) };
    return { kind: "recipient", recipient: mergeOne({ ...task, ...this.#personal, numbers }) };
  }

  #read({ code, rates, typed }: Extract<ListsTask, { kind: "read" }>): RecipientsSummary {
    const columns = this.#listColumns();
    const keys = columns.map(({ key }) => key);
    const fielded = this.#hasTables() ? new FieldedNumbers({ repeats: "first" }) : undefined;
    let values: (string | null)[] = [];
    let hasOwnTexts = false;
    const reader = new RecipientReader(
      code,
      rates,
      undefined,
      fielded && ((number: number): void => fielded.put(number, values)),
    );
    const countReceived = (): number => reader.validCount + reader.duplicateCount + reader.wrongCount;
    const listCounts = new Map<number, number>();
    for (const [listId, { text, columns: own }] of this.#lists) {
      const before = countReceived();
      if (own === undefined) {
        values = [];
        reader.add(text);
      } else {
        const places = keys.map((key) => own.findIndex((column) => column.key === key));
        readTable(text, ([to, ...row]) => {
          const ownText = row[own.length] ?? null;
          const reference = row[own.length + 1] ?? null;
          hasOwnTexts ||= ownText !== null || reference !== null;
          values = [...places.map((place) => row[place] ?? null), ownText, reference];
          reader.add(to ?? "");
        });
      }
      listCounts.set(listId, countReceived() - before);
    }
    values = [];
    reader.add(typed);
    const read = reader.finish();
    this.#latest = read;
    this.#personal = { keys, rows: fielded?.finish() ?? { bytes: new Uint8Array(), places: new Float64Array() } };
    const { valid, wrong, receivedCount, duplicateCount, wrongCount, repaired } = read;
    return {
      validCount: valid.length,
      receivedCount,
      duplicateCount,
      wrongCount,
      repaired,
      wrong,
      first: Array.from(valid.subarray(0, FIRST_SHOWN_MAX), String),
      listCounts,
      columns,
      hasOwnTexts,
      networks: code === "234" ? countNetworks(valid) : [],
    };
  }

  #hasTables(): boolean {
    return [...this.#lists.values()].some(({ columns }) => columns !== undefined);
  }

  #listColumns(): ContactColumnName[] {
    const found = new Map<string, ContactColumnName>();
    for (const { columns = [] } of this.#lists.values())
      for (const column of columns) if (!found.has(column.key)) found.set(column.key, column);
    return [...found.values()];
  }

  #writeRecipients(numbers: Float64Array, places: readonly number[]): SendRecipient[] {
    const { keys, rows } = this.#personal;
    return places.map((place) => {
      const values = valuesAt(rows, place);
      const [text, reference] = values.slice(keys.length);
      // Every key, so that the first recipient alone does not decide which are known.
      const fields = Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ""]));
      return {
        to: String(numbers[place]),
        ...(keys.length > 0 && { fields }),
        ...(typeof text === "string" && { text }),
        ...(typeof reference === "string" && { reference }),
      };
    });
  }
}

function placesFrom(from: number, count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => from + index);
}

const SAMPLED_FIRST = 20;

/** The first few, and the first of each beginning: rules of administrators may be for one network. */
function samplePlaces(numbers: Float64Array): number[] {
  const places = new Map<number, number>();
  for (const [place, number] of numbers.entries()) {
    const prefix = Math.floor(number / PREFIX_UNIT);
    if (!places.has(prefix) && places.size < SAMPLED_PREFIXES_MAX) places.set(prefix, place);
  }
  return [...new Set([...placesFrom(0, Math.min(SAMPLED_FIRST, numbers.length)), ...places.values()])];
}

const SAMPLED_PREFIXES_MAX = 60;

const UNKNOWN_NETWORK = "Other";
/** The digits of a Nigerian number that tell its network; the rest is the same for a million of them. */
const PREFIX_UNIT = 100_000;

function countNetworks(numbers: Float64Array): { network: string; count: number }[] {
  const byPrefix = new Map<number, number>();
  for (const number of numbers) {
    const prefix = Math.floor(number / PREFIX_UNIT);
    byPrefix.set(prefix, (byPrefix.get(prefix) ?? 0) + 1);
  }
  const counts = new Map<string, number>();
  for (const [prefix, count] of byPrefix) {
    const network = findLikelyNetwork(String(prefix * PREFIX_UNIT))?.name ?? UNKNOWN_NETWORK;
    counts.set(network, (counts.get(network) ?? 0) + count);
  }
  return [...counts].map(([network, count]) => ({ network, count })).toSorted((one, other) => other.count - one.count);
}
