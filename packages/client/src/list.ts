export type Page<Row> = { data: Row[]; next: string | null };

/**
 * A list, read page by page as it is walked through:
 *
 *     for await (const message of client.messages.list()) ...
 */
export class List<Row> implements AsyncIterable<Row> {
  readonly #read: (after: string | undefined) => Promise<Page<Row>>;

  constructor(read: (after: string | undefined) => Promise<Page<Row>>) {
    this.#read = read;
  }

  /** One page: the first, or the one behind a cursor. */
  async page(after?: string): Promise<Page<Row>> {
    return await this.#read(after);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    let after: string | undefined;
    do {
      const { data, next } = await this.#read(after);
      yield* data;
      after = next ?? undefined;
    } while (after !== undefined);
  }

  /** Up to so many rows at once. */
  async take(countMax: number): Promise<Row[]> {
    const rows: Row[] = [];
    if (countMax > 0)
      for await (const row of this) {
        rows.push(row);
        if (rows.length >= countMax) break;
      }
    return rows;
  }
}
