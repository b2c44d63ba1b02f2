import { setTimeout as sleep } from "node:timers/promises";

/** Waits for something that loopback traffic brings about; a fault shows as this error instead of a hanging test. */
export async function until(isTrue: () => boolean, what: string, deadlineMs = 20_000): Promise<void> {
  const startedAtMs = performance.now();
  while (!isTrue()) {
    if (performance.now() - startedAtMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    // oxlint-disable-next-line no-await-in-loop
    await sleep(2);
  }
}
