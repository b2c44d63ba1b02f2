/** Numbers with what is known of each, read row by row: a contact's fields, a recipient's own text. */
import { ValueRowList, type ValueRows, type Values } from "./value-rows.ts";

/** Keeps one row of values for each distinct number, in the order in which `RecipientReader` first met them. */
export class FieldedNumbers {
  readonly #indexes = new Map<number, number>();
  readonly #rows = new ValueRowList();
  readonly #isFirstKept: boolean;

  /** @param options.repeats whether a number that comes again keeps what stood first, or takes what it is given anew. */
  constructor({ repeats }: { repeats: "first" | "merged" }) {
    this.#isFirstKept = repeats === "first";
  }

  /** More text than may be kept. */
  get isTooMuch(): boolean {
    return this.#rows.isTooMuch;
  }

  /** To be told every valid number, see `RecipientReader`. */
  put(number: number, values: Values): void {
    const index = this.#indexes.get(number);
    if (index === undefined) {
      this.#rows.set(this.#indexes.size, values);
      this.#indexes.set(number, this.#indexes.size);
      return;
    }
    if (this.#isFirstKept) return;
    const before = this.#rows.get(index);
    this.#rows.set(
      index,
      values.map((value, place) => value ?? before[place] ?? null),
    );
  }

  finish(): ValueRows {
    return this.#rows.finish();
  }
}
