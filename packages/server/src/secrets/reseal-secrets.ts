import type { Queryable } from "../db/pool.ts";
import { isSealedWith, openSecret, sealSecret } from "./seal-secret.ts";
import { selectSealed, updateSealed } from "./reseal-store.ts";

/**
 * Seals every secret with the current key. It may run at any time and any number of times, also while the product works.
 *
 * @param keys the current key first.
 * @returns how many secrets were sealed again, and how many no key opens. The latter stay unchanged.
 */
export async function resealSecrets(
  db: Queryable,
  keys: readonly Buffer[],
): Promise<{ sealedCount: number; lockedCount: number }> {
  const [current] = keys;
  if (current === undefined) throw new Error("there is no key to seal with");
  const counts = { sealedCount: 0, lockedCount: 0 };
  for (const row of await selectSealed(db)) {
    if (isSealedWith(current, row.sealed)) continue;
    const secret = openSecret(keys, row.owner, row.sealed);
    if (secret === undefined) counts.lockedCount += 1;
    else {
      await updateSealed(db, row, sealSecret(current, row.owner, secret));
      counts.sealedCount += 1;
    }
  }
  return counts;
}
