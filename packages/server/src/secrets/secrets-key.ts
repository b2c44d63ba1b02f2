import { randomBytes } from "node:crypto";
import { appendFile, chown, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../base/config.ts";

const KEY_BYTES = 32;
/** Replaced keys, one a line. */
const OLD_FILE = "secrets.old.key";

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

/** Keys with which secrets may have been sealed, as `openSecret` takes them: the present one first, then replaced ones. */
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

/** Puts a new key into the data directory's file; the present one goes on reading from the file beside it. */
export async function replaceSecretsKeyFile(config: Pick<Config, "secretsKey" | "dataDir">): Promise<void> {
  const folder = join(config.dataDir, "secrets");
  const present = (await getSecretsKey(config)).toString("base64");
  // Before the new key is there: a key that sealed something must never be missing.
  await appendFile(join(folder, OLD_FILE), `${present}\n`, { mode: 0o600, flush: true });
  const draft = join(folder, `secrets.key.${randomBytes(6).toString("hex")}`);
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  // Run by root for a product whose processes are users of their own: they must go on reading these.
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(join(folder, "secrets.key"));
    for (const path of [draft, join(folder, OLD_FILE)]) await chown(path, uid, gid);
  }
  await rename(draft, join(folder, "secrets.key"));
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
