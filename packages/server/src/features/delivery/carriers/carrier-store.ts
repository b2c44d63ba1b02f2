/** All SQL about carriers and who holds their binds. */
import type { Queryable } from "../../../db/pool.ts";

export type CarrierRow = {
  carrier_id: number;
  name: string;
  prefixes: string[];
  weight: number;
  priority: number;
  bind_count: number;
};

export async function selectEnabledCarriers(db: Queryable): Promise<CarrierRow[]> {
  const { rows } = await db.query<CarrierRow>(
    "select carrier_id, name, prefixes, weight, priority, bind_count from carrier where is_enabled order by carrier_id",
  );
  return rows;
}

export type CarrierColumns = {
  name: string;
  prefixes: readonly string[];
  weight: number;
  priority: number;
  bindCount: number;
};

/** Makes the carriers what the configuration says; those that are gone from it keep their rows and take no more. */
export async function upsertCarriers(tx: Queryable, carriers: readonly CarrierColumns[]): Promise<CarrierRow[]> {
  // A row at a time: an identity must not be spent on every start, and there are a handful.
  for (const carrier of carriers) {
    const values = [carrier.name, carrier.prefixes, carrier.weight, carrier.priority, carrier.bindCount];
    const { rowCount } = await tx.query(
      `update carrier set prefixes = $2, weight = $3, priority = $4, bind_count = $5, is_enabled = true, updated_at = now() where name = $1`,
      values,
    );
    if (rowCount === 1) continue;
    await tx.query(
      `insert into carrier (name, prefixes, weight, priority, bind_count) values ($1, $2, $3, $4, $5)
       on conflict (name) do nothing`,
      values,
    );
  }
  await tx.query(
    "update carrier set is_enabled = false, updated_at = now() where is_enabled and not (name = any ($1::text[]))",
    [carriers.map((carrier) => carrier.name)],
  );
  return selectEnabledCarriers(tx);
}

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
