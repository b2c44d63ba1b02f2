import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { addNumbers } from "../numbers/add-numbers.ts";
import { createCatalog } from "./catalogs.ts";

const DEMO_CATALOG = { name: "Demo customers", code: "234" };
const DEMO_CONTACTS = 48;
/** The simulator answers for every number; nobody is called. */
const DEMO_FIRST_NUMBER = 2_348_030_000_001;

/** Gives the demo's customer a catalog of numbers to send to. */
export async function addDemoCatalog(deps: Pick<Deps, "clock">, tx: Tx, userId: string): Promise<void> {
  const catalog = await createCatalog(deps, tx, userId, DEMO_CATALOG);
  await addNumbers(
    tx,
    catalog,
    Float64Array.from({ length: DEMO_CONTACTS }, (_, index) => DEMO_FIRST_NUMBER + index),
  );
}
