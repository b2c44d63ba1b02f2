import { findDemoLeft, makeDemo } from "./demo.ts";
import { readCatalogNumbers } from "../features/contacts/index.ts";
import { readBalance } from "../ledger/index.ts";
import { expect, test } from "../testing/app.ts";

test("the demo's customer has units and a catalog of contacts to send to; made again, it stays as it is", async ({
  db,
  deps,
}) => {
  expect(await makeDemo(deps)).toHaveLength(3);
  const { rows } = await db.query<{ user_id: string; catalog_id: string }>(
    "select user_id, catalog_id from app_user join catalog using (user_id)",
  );
  const [{ user_id: userId, catalog_id: catalogId } = { user_id: "", catalog_id: "" }] = rows;
  const { code, numbers } = await readCatalogNumbers(db, { userId, catalogId });
  expect([code, numbers.length > 0]).toEqual(["234", true]);
  expect(await readBalance(db, userId)).toMatchObject({ balanceMilli: 100_000_000 });
  expect(await makeDemo(deps)).toEqual([]);
  expect((await db.query("select from catalog")).rowCount).toBe(1);
});

test("demo accounts that outlive their trial are told of until they are blocked", async ({ db, deps }) => {
  expect(await findDemoLeft(deps)).toEqual([]);
  await makeDemo(deps);
  expect(await findDemoLeft(deps)).toEqual([
    expect.stringContaining("demo.customer@gmail.com, demo@ewebal.com. Their passwords were printed"),
  ]);
  await db.query("update app_user set blocked_at = now()");
  expect(await findDemoLeft(deps)).toEqual([expect.not.stringContaining("demo.customer@gmail.com")]);
});
