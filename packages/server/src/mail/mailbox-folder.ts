/** Mails kept as files while there is no mail server: `$DATA_DIR/mailbox/<time>-<id>.eml`. */
import { mkdir, open, readdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../base/config.ts";
import { privateModes } from "../base/private-modes.ts";

type FolderConfig = Pick<Config, "dataDir">;

function folderOf(config: FolderConfig): string {
  return join(config.dataDir, "mailbox");
}

/** Written whole or not at all, and again under the same name when it is sent again. */
export async function keepMail(
  config: FolderConfig,
  mail: { mailId: string; createdAt: Date },
  eml: Buffer,
): Promise<void> {
  const folder = folderOf(config);
  const modes = await privateModes(config.dataDir);
  await mkdir(folder, { recursive: true, mode: modes.folder });
  const name = `${mail.createdAt.toISOString().replace(/[-:.]/g, "")}-${mail.mailId}.eml`;
  const draft = join(folder, `.${name}.${process.pid}`);
  const file = await open(draft, "w", modes.file);
  try {
    await file.writeFile(eml);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
}

/** @returns the newest mails first; an empty list when nothing was ever written. */
export async function listKeptMails(config: FolderConfig, countMax: number): Promise<{ name: string; eml: Buffer }[]> {
  const folder = folderOf(config);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const newest = names
    .filter((name) => name.endsWith(".eml") && !name.startsWith("."))
    .toSorted()
    .toReversed()
    .slice(0, countMax);
  return await Promise.all(newest.map(async (name) => ({ name, eml: await readFile(join(folder, name)) })));
}
