import type { App } from "../http/app-type.ts";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { systemClock } from "../base/deps.ts";
import { addNumbers } from "../features/contacts/numbers/add-numbers.ts";
import { createCatalog } from "../features/contacts/catalogs/catalogs.ts";

/** Distinct Nigerian mobile numbers in a scattered order, as whole numbers. */
export function buildNumbers(count: number, first = 0): Float64Array {
  // 7,654,321 and ten million have no common divisor, so that none of the first ten million comes twice.
  return Float64Array.from(
    { length: count },
    (_, index) => 2_348_030_000_000 + (((first + index) * 7_654_321) % 10_000_000),
  );
}

/** A catalog with contacts. @returns its id. */
export async function buildCatalog(
  db: Db,
  facts: { userId: string; name?: string; code?: string; numbers?: Float64Array },
): Promise<string> {
  const { userId, name = "Friends", code = "234", numbers = new Float64Array() } = facts;
  return await withTransaction(db, async (tx) => {
    const catalog = await createCatalog({ clock: systemClock }, tx, userId, { name, code });
    await addNumbers(tx, catalog, numbers);
    return catalog.catalogId;
  });
}

type UploadFacts = {
  file?: string | Uint8Array<ArrayBuffer>;
  fileName?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
};

/** Uploads a file of contacts as a browser does. */
export function upload(
  app: App,
  url: string,
  { file, fileName = "numbers.csv", fields = {}, headers = {} }: UploadFacts,
) {
  const form = new FormData();
  if (file !== undefined) form.set("csv", new File([file], fileName, { type: "text/csv" }));
  // After the file, as a form may well do.
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return app.inject({ method: "POST", url, headers, payload: form });
}
