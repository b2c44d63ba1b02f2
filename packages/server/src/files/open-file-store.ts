import type { Config } from "../base/config.ts";
import type { FileStore } from "./file-store.ts";
import { openFolderStore } from "./folder-store.ts";

/** The folder in `DATA_DIR`, or the store that `FILE_STORE` names. Both throw AppError `UNAVAILABLE` or an `ENOSPC` error. */
export async function openFileStore({ fileStore, dataDir }: Pick<Config, "fileStore" | "dataDir">): Promise<FileStore> {
  if (fileStore === undefined) return openFolderStore(dataDir);
  // 15 MB of program that most installations never need.
  const { openS3Store } = await import("./s3-store.ts");
  return openS3Store(fileStore);
}
