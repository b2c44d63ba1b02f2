import type { Queryable } from "./pool.ts";

/** What is counted by triggers, because counting its rows would take too long. See migrations/0011_admin.sql. */
export type TallyName = "messages" | "drafts";

/** How many there are, exactly, as of this statement. Its cost is what was written since the last fold. */
export async function readTally(db: Queryable, name: TallyName): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select (coalesce((select total from tally where name = $1), 0)
       + coalesce((select sum(amount) from tally_change where name = $1), 0))::bigint as count`,
    [name],
  );
  return rows[0]?.count ?? 0;
}

/** Adds the changes up. Two at once share the work: each change is deleted by one of them. */
export async function foldTallies(db: Queryable): Promise<void> {
  await db.query(
    `with folded as (delete from tally_change returning name, amount)
     insert into tally (name, total) select name, sum(amount) from folded group by name order by name
     on conflict (name) do update set total = tally.total + excluded.total`,
  );
}
