import type { Queryable } from "../db/pool.ts";

/** A rule of the ledger, and how many rows break it at this moment. */
export type InvariantCheck = { name: string; violations: number };

/**
 * Adds the ledger up. Every answer but zeros means that units were lost or made, or somebody wrote past this module.
 *
 * @param options since checks only what happened after that moment and what is open: choose it five minutes before the
 *   previous check, since movements carry a time from before their COMMIT. Without it everything is added up.
 */
export async function readLedgerInvariants(db: Queryable, options: { since?: Date } = {}): Promise<InvariantCheck[]> {
  const { rows } =
    options.since === undefined
      ? await db.query<InvariantCheck>(`select name, violations from ledger_invariants order by name`)
      : await db.query<InvariantCheck>(`select name, violations from ledger_invariants_since($1) order by name`, [
          options.since,
        ]);
  return rows;
}
