import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";

const KEY_BYTES = 32;

/**
 * The key that encrypts what the database must not give away, such as carriers' passwords. It is not in the database: who
 * gets hold of a dump cannot read them.
 *
 * @returns that of the configuration, else that of the data directory, which is made when it is asked for first.
 */
export async function getSecretsKey({ secretsKey, dataDir }: Pick<Config, "secretsKey" | "dataDir">): Promise<Buffer> {
  if (secretsKey !== undefined) return secretsKey;
  const folder = join(dataDir, "secrets");
  const path = join(folder, "secrets.key");
  const text = (await findText(path)) ?? (await makeKey(folder, path));
  const key = Buffer.from(text.trim(), "base64");
  if (key.byteLength !== KEY_BYTES) throw new Error(`${path} does not hold a key of ${KEY_BYTES} bytes`);
  return key;
}

/** Whole or not at all, and never over another one: two processes may ask at the same moment. */
async function makeKey(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, "utf8");
}

async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
