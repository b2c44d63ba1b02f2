import type { Rates } from "@ewebal/contract";
import type { ContactColumnName } from "@ewebal/contract/rules";
import { readCsvInWorker } from "../../../shared/numbers/contact-file.ts";

type CatalogFile = { code: string; rates: Rates; columns: readonly ContactColumnName[] };

/**
 * The contacts of a catalog's file with their fields, as `writeTable` writes them; read beside the page, because there may be a million.
 *
 * @param csv as the catalog is exported: the number, then its columns in their order, under headings.
 */
export async function readCatalogTable(csv: string, { code, rates, columns }: CatalogFile): Promise<string> {
  const fields = columns.map(({ key, label }, index) => ({ key, label, column: index + 2 }));
  const wish = { numbers: [1], fields, header: 1 };
  const task = { file: new Blob([csv]), code, rates, wish, wantsNumbers: true };
  const summary = await readCsvInWorker(task, new AbortController().signal);
  if (summary.kind !== "read") throw new Error("The catalog's file could not be read");
  return summary.numbers ?? "";
}
