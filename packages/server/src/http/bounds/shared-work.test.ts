import { describe, expect, test } from "vitest";
import { SharedWork } from "./shared-work.ts";

/** Work that ends when it is told to, and what it was given. */
type Limits = Partial<ConstructorParameters<typeof SharedWork<number, string>>[0]>;

function build(limits: Limits = {}) {
  const begun: { items: readonly number[]; key: string; end: (error?: Error) => void }[] = [];
  const shared = new SharedWork<number, string>({
    itemsMax: 10,
    waitingMax: 10,
    ...limits,
    work: async (items, key) =>
      await new Promise((resolve, reject) => {
        const end = (error?: Error): void => (error ? reject(error) : resolve(items.map((item) => `${key}${item}`)));
        begun.push({ items, key, end });
      }),
  });
  return { shared, begun };
}
const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

describe("shared work", () => {
  test("what comes while work is under way is the next work's, together; other keys have work of their own", async () => {
    const { shared, begun } = build();
    const answers = [shared.ask("a", 1), shared.ask("a", 2), shared.ask("b", 3), shared.ask("a", 4)];
    expect(begun.map(({ items }) => items)).toEqual([[1], [3]]);
    begun[0]?.end();
    begun[1]?.end();
    await turn();
    expect(begun[2]?.items).toEqual([2, 4]);
    begun[2]?.end();
    expect(await Promise.all(answers)).toEqual(["a1", "a2", "b3", "a4"]);
    const late = shared.ask("a", 5);
    await turn();
    begun[3]?.end();
    expect([await late, begun[3]?.items]).toEqual(["a5", [5]]);
  });

  test("a failure is told to its own items alone, and the next go on", async () => {
    const { shared, begun } = build({ itemsMax: 2 });
    const answers = [1, 2, 3, 4].map(async (item) => await shared.ask("a", item));
    const settled = Promise.allSettled(answers);
    for (const error of [undefined, new Error("broken"), undefined]) {
      await turn();
      begun.at(-1)?.end(error);
    }
    expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
  });

  test("one that is too many is refused, and told when to come again", async () => {
    const { shared, begun } = build({ waitingMax: 2 });
    const answers = [shared.ask("a", 1), shared.ask("a", 2), shared.ask("a", 3)];
    await expect(shared.ask("a", 4)).rejects.toMatchObject({ code: "UNAVAILABLE", extra: { retryAfterSeconds: 5 } });
    for (const place of [0, 1]) {
      begun[place]?.end();
      await turn();
    }
    expect(await Promise.all(answers)).toEqual(["a1", "a2", "a3"]);
  });

  test("a further work begins once half of what it may take waits, and no third", async () => {
    const { shared, begun } = build({ itemsMax: 4, worksMax: 2 });
    const answers = [1, 2, 3, 4, 5, 6].map(async (item) => await shared.ask("a", item));
    expect(begun.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    begun[1]?.end();
    await turn();
    expect(begun[2]?.items).toEqual([4, 5, 6]);
    begun[0]?.end();
    begun[2]?.end();
    expect(await Promise.all(answers)).toEqual(["a1", "a2", "a3", "a4", "a5", "a6"]);
  });

  test("what comes while its place is waited for comes along; without a place all of it is refused, and the next goes on", async () => {
    const places: PromiseWithResolvers<void>[] = [];
    const { shared, begun } = build({
      worksMax: 2,
      itemsMax: 4,
      inTurn: async (work) => {
        const place = Promise.withResolvers<void>();
        places.push(place);
        await place.promise;
        await work();
      },
    });
    const refused = Promise.allSettled([shared.ask("a", 1), shared.ask("a", 2)]);
    places[0]?.reject(new Error("too many"));
    expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // The second place, of the works that two items began, finds nothing.
    places[1]?.resolve();
    await turn();
    expect(begun).toEqual([]);
    const answers = [shared.ask("a", 3), shared.ask("a", 4)];
    for (const place of places) place.resolve();
    await turn();
    expect(begun.map(({ items }) => items)).toEqual([[3, 4]]);
    begun[0]?.end();
    expect(await Promise.all(answers)).toEqual(["a3", "a4"]);
  });
});
