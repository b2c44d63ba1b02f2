import { randomBytes } from "node:crypto";
import { appendFile, chown, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../base/config.ts";

const KEY_BYTES = 32;
/** The file of replaced keys, one per line. */
const OLD_FILE = "secrets.old.key";

/**
 * Reads the key that encrypts secrets in the database, such as carriers' passwords. The key lies outside the database, so that
 * a dump alone reveals no secret.
 *
 * @returns the key of the configuration, or else the key of the data directory. The first call makes the latter.
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

/** All keys that may have sealed a secret, for `openSecret`: the current key first, then the replaced ones. */
export async function getSecretsKeys(
  config: Pick<Config, "secretsKey" | "oldSecretsKeys" | "dataDir">,
): Promise<Buffer[]> {
  const current = await getSecretsKey(config);
  if (config.secretsKey !== undefined) return [current, ...config.oldSecretsKeys];
  const old = (await findText(join(config.dataDir, "secrets", OLD_FILE))) ?? "";
  return [
    current,
    ...config.oldSecretsKeys,
    ...old
      .split("\n")
      .filter(Boolean)
      .map((line) => Buffer.from(line, "base64")),
  ];
}

/** Writes a new key into the data directory's file, and adds the current one to the file of replaced keys. */
export async function replaceSecretsKeyFile(config: Pick<Config, "secretsKey" | "dataDir">): Promise<void> {
  const folder = join(config.dataDir, "secrets");
  const present = (await getSecretsKey(config)).toString("base64");
  // This comes before the new key is written: a key that has sealed something must never be missing.
  await appendFile(join(folder, OLD_FILE), `${present}\n`, { mode: 0o600, flush: true });
  const draft = join(folder, `secrets.key.${randomBytes(6).toString("hex")}`);
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  // Root may run the command while the product's processes have other users, which must still be able to read these files.
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(join(folder, "secrets.key"));
    for (const path of [draft, join(folder, OLD_FILE)]) await chown(path, uid, gid);
  }
  await rename(draft, join(folder, "secrets.key"));
}

/** Writes the whole file or nothing, and never replaces one: two processes may call this at the same moment. */
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
