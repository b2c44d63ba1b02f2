import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { MADE_PRODUCT, makeDataDir, startProduct, type MadeProduct } from "./product.ts";

/** Names the file in which a run of several projects notes the product that the first of them made; the run removes both. */
const NOTE = process.env["MADE_PRODUCT_NOTE"];

/**
 * Starts a product once for all files of a run, and stops it. Most files begin with a copy of its folder, which saves each of them the making of a
 * PostgreSQL, every migration and the demo. The processes of the tests learn from the environment where the folder lies.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (NOTE !== undefined && existsSync(NOTE)) {
    process.env[MADE_PRODUCT] = await readFile(NOTE, "utf8");
    return async () => await Promise.resolve();
  }
  const dataDir = await makeDataDir("ewebal-made-");
  const product = await startProduct({ dataDir });
  await product.stop();
  const made = JSON.stringify({ dataDir, demo: product.demo } satisfies MadeProduct);
  process.env[MADE_PRODUCT] = made;
  if (NOTE !== undefined) await writeFile(NOTE, made);
  return async () => {
    if (NOTE === undefined) await rm(dataDir, { recursive: true, force: true });
  };
}
