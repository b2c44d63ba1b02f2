import type { Queryable } from "../../../db/pool.ts";
import { selectEnabledCarriers } from "./carrier-store.ts";

/**
 * Whether any carrier takes numbers that begin with a dialling code, at least some of them. A carrier that is down at the
 * moment counts: its messages wait.
 *
 * @param code digits only.
 */
export async function hasRoute(db: Queryable, code: string): Promise<boolean> {
  const carriers = await selectEnabledCarriers(db);
  return carriers.some(
    ({ prefixes }) =>
      prefixes.length === 0 || prefixes.some((prefix) => code.startsWith(prefix) || prefix.startsWith(code)),
  );
}
