/** Files in `$DATA_DIR/files`, readable by our own users alone. */
import { copyFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { privateModes } from "../base/private-modes.ts";
import { assertFileName, type FileStore } from "./file-store.ts";

export function openFolderStore(dataDir: string): FileStore {
  const root = join(dataDir, "files");
  const pathOf = (name: string): string => {
    assertFileName(name);
    return join(root, name);
  };
  return {
    put: async ({ name, bytes }) => {
      const path = pathOf(name);
      const modes = await privateModes(dataDir);
      await mkdir(dirname(path), { recursive: true, mode: modes.folder });
      await writeWhole(path, bytes, modes.file);
      await syncFolder(dirname(path));
    },
    putAt: async ({ name, path: from }) => {
      const path = pathOf(name);
      const modes = await privateModes(dataDir);
      await mkdir(dirname(path), { recursive: true, mode: modes.folder });
      const draft = draftOf(path);
      await copyFile(from, draft);
      const file = await open(draft, "r+");
      try {
        await file.chmod(modes.file);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      await syncFolder(dirname(path));
    },
    stream: async (name) => {
      try {
        return (await open(pathOf(name))).createReadStream();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    get: async (name) => await readIfThere(pathOf(name)),
    remove: async (name) => {
      const path = pathOf(name);
      for (const left of [path, draftOf(path)]) await rm(left, { force: true });
    },
    close: () => undefined,
  };
}

/** The name while the file is written. `remove` also deletes what a killed process left of it. */
function draftOf(path: string): string {
  return `${path}.part`;
}

/** Writes under another name first, so that readers find the whole file or none, also after a crash. */
async function writeWhole(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const draft = draftOf(path);
  try {
    const file = await open(draft, "w", mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Without this a power cut may lose the new name from the folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
