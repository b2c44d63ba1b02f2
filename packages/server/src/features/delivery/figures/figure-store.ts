/** All SQL of what processes count. */
import type { Queryable } from "../../../db/pool.ts";
import { numberArray } from "../../../db/sql-array.ts";
import type { FigureRow } from "./figures.ts";

/** Carriers that are gone leave after so long. */
const KEPT_DAYS = 90;

/** Adds what one process has counted to what all have; in one order, so that two of them never wait for each other. */
export async function addFigures(db: Queryable, rows: readonly FigureRow[]): Promise<void> {
  await db.query(
    `insert into delivery_figure (name, carrier, class, kind, counts, written_at)
     select name, carrier, class, kind, counts::bigint[], now()
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as counted (name, carrier, class, kind, counts)
     order by name, carrier, class, kind
     on conflict (name, carrier, class, kind) do update set written_at = excluded.written_at,
       counts = (
         select array_agg(coalesce(earlier, 0) + coalesce(added, 0) order by place)
         from unnest(delivery_figure.counts, excluded.counts) with ordinality as pair (earlier, added, place)
       )`,
    [
      rows.map(({ name }) => name),
      rows.map(({ carrier }) => carrier),
      rows.map((row) => row.class),
      rows.map(({ kind }) => kind),
      rows.map(({ counts }) => numberArray(counts)),
    ],
  );
}

export async function selectFigures(db: Queryable): Promise<FigureRow[]> {
  const { rows } = await db.query<FigureRow>(
    "select name, carrier, class, kind, counts from delivery_figure order by name, carrier, class, kind",
  );
  return rows;
}

export async function deleteOldFigures(db: Queryable): Promise<void> {
  await db.query("delete from delivery_figure where written_at < now() - make_interval(days => $1)", [KEPT_DAYS]);
}
