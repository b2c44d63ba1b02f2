import { isDistributed } from "./distribution.ts";
import type { Queryable } from "./pool.ts";

/** Counters that triggers keep, because counting the rows would take too long. See migrations/0011_admin.sql. */
export type CounterName = "messages" | "drafts";

const COUNT_STATEMENTS: Record<CounterName, string> = {
  messages: "select coalesce(sum(messages), 0)::bigint as count from customer_count",
  drafts: "select count(*) as count from draft",
};

/** Returns the exact count as of this statement. Its cost grows with the changes since the last fold; in a cluster with the customers or the drafts. */
export async function readCounter(db: Queryable, name: CounterName): Promise<number> {
  // Triggers on the servers of a cluster have no table that they could write to for all; there every server adds up or counts its rows.
  if (isDistributed(db)) {
    const { rows } = await db.query<{ count: number }>(COUNT_STATEMENTS[name]);
    return rows[0]?.count ?? 0;
  }
  const { rows } = await db.query<{ count: number }>(
    `select (coalesce((select total from tally where name = $1), 0)
       + coalesce((select sum(amount) from tally_change where name = $1), 0))::bigint as count`,
    [name],
  );
  return rows[0]?.count ?? 0;
}

/** Folds the changes into the totals. Two calls at once share the work: each change is deleted by one of them. */
export async function foldCounters(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (delete from tally_change returning name, amount)
     insert into tally (name, total) select name, sum(amount) from folded group by name order by name
     on conflict (name) do update set total = tally.total + excluded.total`,
  );
}
