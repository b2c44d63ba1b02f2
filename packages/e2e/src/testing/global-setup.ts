import { rm } from "node:fs/promises";
import { MADE_PRODUCT, makeDataDir, startProduct, type MadeProduct } from "./product.ts";

/**
 * Starts a product once for all files of a run, and stops it. Most files begin with a copy of its folder, which saves each of them the making of a
 * PostgreSQL, every migration and the demo. The processes of the tests learn from the environment where the folder lies.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const dataDir = await makeDataDir("ewebal-made-");
  const product = await startProduct({ dataDir });
  await product.stop();
  process.env[MADE_PRODUCT] = JSON.stringify({ dataDir, demo: product.demo } satisfies MadeProduct);
  return async () => await rm(dataDir, { recursive: true, force: true });
}
