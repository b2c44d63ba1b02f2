/** A small file system of its own, which can be filled to the last byte and emptied again. */
import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @returns its folder, or undefined: only root may mount, and not in every container. */
export function mountSmallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "ewebal-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
    chmodSync(folder, 0o711);
    return folder;
  } catch {
    rmdirSync(folder);
    return undefined;
  }
}

export function unmountSmallDisk(folder: string): void {
  execFileSync("umount", [folder]);
  rmdirSync(folder);
}

/** Writes a file until nothing more fits. */
export function fillDisk(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const block of [Buffer.alloc(1 << 20, 1), Buffer.alloc(512, 1)]) {
      for (let isFull = false; !isFull;) isFull = !tryWrite(file, block);
    }
  } finally {
    closeSync(file);
  }
}

function tryWrite(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
    throw error;
  }
}
