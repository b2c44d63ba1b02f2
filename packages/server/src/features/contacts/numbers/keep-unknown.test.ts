import { expect, test } from "../../../testing/app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { lockCatalog } from "../catalogs/catalogs.ts";
import { keepUnknown } from "./keep-unknown.ts";

test.for([0, 1, 3, 20, 21, 500, 2_500, 4_000])(
  "of %i numbers those that a catalog holds are left out, the others keep their order",
  async (count, { db }) => {
    const user = await buildUser(db);
    const key = {
      userId: user.userId,
      catalogId: await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(2_500) }),
    };
    await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(4_000) });
    // Every second one of the list, from behind, is beyond what the catalog holds.
    const asked = [...buildNumbers(count)]
      .toReversed()
      .map((number, index) => (index % 2 === 0 ? number : number + 10_000_000));
    const known = new Set(buildNumbers(2_500));
    const kept = await withTransaction(
      db,
      async (tx) => await keepUnknown(tx, await lockCatalog(tx, key), Float64Array.from(asked)),
    );
    expect([...kept]).toEqual(asked.filter((number) => !known.has(number)));
  },
);

test("a number that is a part of another one is another number", async ({ db }) => {
  const user = await buildUser(db);
  const numbers = Float64Array.of(4_512_345_678, 49_123_456_789);
  const key = { userId: user.userId, catalogId: await buildCatalog(db, { userId: user.userId, code: "45", numbers }) };
  const asked = Float64Array.of(1_234_567, 4_512_345, 12_345_678, 49_123_456_789);
  const kept = await withTransaction(db, async (tx) => await keepUnknown(tx, await lockCatalog(tx, key), asked));
  expect([...kept]).toEqual([1_234_567, 4_512_345, 12_345_678]);
});
