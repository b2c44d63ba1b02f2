/** All SQL about months that are removed. Names of tables are made of a year and a month that were read as such, never of anything given. */
import type { Client } from "pg";
import type { Queryable } from "../../../db/pool.ts";
import { batchStates, deliveryStates, smallestIdOf } from "../states.ts";

const TABLES = ["delivery", "delivery_part"] as const;
/** Where a month lies between its detachment and its end. A back-up does not look here. */
const SCHEMA = "old_months";
/** Rows of the default partition that are moved, and messages whose numbers are cut, in one transaction. */
const ROWS_AT_A_TIME = 20_000;
const MESSAGES_AT_A_TIME = 500;

/** A calendar month in UTC, as ids tell it. */
export class Month {
  readonly year: number;
  /** From 1. */
  readonly number: number;

  constructor(year: number, number: number) {
    const first = new Date(Date.UTC(year, number - 1, 1));
    this.year = first.getUTCFullYear();
    this.number = first.getUTCMonth() + 1;
  }

  static of(time: Date): Month {
    return new Month(time.getUTCFullYear(), time.getUTCMonth() + 1);
  }

  plus(months: number): Month {
    return new Month(this.year, this.number + months);
  }

  isBefore(other: Month): boolean {
    return this.year * 12 + this.number < other.year * 12 + other.number;
  }

  /** The lowest id of this month; that of the next month is the first that is not in it. */
  get fromId(): string {
    return smallestIdOf(Date.UTC(this.year, this.number - 1, 1));
  }

  get toId(): string {
    return this.plus(1).fromId;
  }

  /** `2026-01`. */
  get label(): string {
    return `${this.year}-${String(this.number).padStart(2, "0")}`;
  }

  tableOf(table: (typeof TABLES)[number]): string {
    return `${table}_${this.label.replace("-", "_")}`;
  }
}

/** @returns months that have a partition, lie in the default partition, or were detached by a run that did not end; oldest first. */
export async function selectMonths(db: Queryable): Promise<Month[]> {
  const { rows } = await db.query<{ year: number; month: number }>(
    `select distinct part[1]::integer as year, part[2]::integer as month
     from pg_class, regexp_matches(relname, '^delivery(?:_part)?_(\\d{4})_(\\d{2})$') as part
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', '${SCHEMA}')
     union
     select extract(year from moment)::integer, extract(month from moment)::integer
     from (
       select distinct to_timestamp(('x' || left(translate(message_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone 'UTC' as moment
       from delivery_default
     ) as listed
     order by 1, 2`,
  );
  return rows.map(({ year, month }) => new Month(year, month));
}

/** Messages of the month that are not at their end: some of their recipients still wait. */
export async function countOpenMessages(db: Queryable, { fromId, toId }: Month): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(distinct message_id)::integer as count from message_batch
     where (state + 0) < ${batchStates.done} and message_id >= $1 and message_id < $2`,
    [fromId, toId],
  );
  return rows[0]?.count ?? 0;
}

/** Whether a delivery of the month was handed over at this time or later, so that its report may still come. */
export async function hasDeliverySince(db: Queryable, { fromId, toId }: Month, since: Date): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>(
    "select exists (select 1 from delivery where message_id >= $1 and message_id < $2 and submitted_at >= $3) as exists",
    [fromId, toId, since],
  );
  return rows[0]?.exists === true;
}

/**
 * Takes the month's partitions out of their tables. Both tables are locked for a moment; nobody waits longer than a fifth of a second
 * for that, because a lock that is not to be had by then is given up.
 *
 * @throws Error 55P03 when the tables were busy.
 */
export async function detachMonth(client: Client, month: Month): Promise<void> {
  await client.query(`create schema if not exists ${SCHEMA}`);
  await client.query("begin");
  try {
    await client.query("set local lock_timeout = '200ms'");
    // In a cluster one connection to each server, so that the parts of a table are locked once; others take the name without a meaning.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    for (const table of TABLES) {
      const name = month.tableOf(table);
      const { rows } = await client.query(
        "select from pg_inherits where inhparent = $1::regclass and inhrelid = to_regclass($2)",
        [table, `public.${name}`],
      );
      if (rows.length === 0) continue;
      await client.query(`alter table ${table} detach partition public.${name}`);
      await client.query(`alter table public.${name} set schema ${SCHEMA}`);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Brings the month's rows of the default partitions to those that were detached. */
export async function moveOutOfDefault(client: Client, month: Month): Promise<void> {
  for (const table of TABLES) {
    const own = `${SCHEMA}.${month.tableOf(table)}`;
    await client.query(`create table if not exists ${own} (like ${table} including defaults)`);
    for (;;) {
      const { rowCount } = await client.query(
        `with gone as (
           delete from ${table}_default where (user_id, message_id, position) in (
             select user_id, message_id, position from ${table}_default where message_id >= $1 and message_id < $2 limit ${ROWS_AT_A_TIME})
           returning *)
         insert into ${own} select * from gone`,
        [month.fromId, month.toId],
      );
      if ((rowCount ?? 0) < ROWS_AT_A_TIME) break;
    }
  }
}

/** Whether nothing was ever sent in a detached month: nothing has to be written then. */
export async function isEmptyMonth(db: Queryable, month: Month): Promise<boolean> {
  const { rows } = await db.query<{ isEmpty: boolean }>(
    `select not exists (select 1 from ${SCHEMA}.${month.tableOf("delivery")})
       and not exists (select 1 from message where message_id >= $1 and message_id < $2) as "isEmpty"`,
    [month.fromId, month.toId],
  );
  return rows[0]?.isEmpty === true;
}

/** The statements that write a detached month as CSV, by the name of their file. Ids are those of our own tables, so nothing is quoted. */
export function exportsOf(month: Month): Record<string, string> {
  const stateWords = Object.entries(deliveryStates)
    .map(([word, number]) => `when ${number} then '${word}'`)
    .join(" ");
  const ofMonth = `message_id >= '${month.fromId}' and message_id < '${month.toId}'`;
  return {
    "recipients.csv": `copy (
      select own.user_id, own.message_id, own.position, own.phone_no, case own.state ${stateWords} end as state, carrier.name as carrier,
        own.carrier_key, own.error_code, own.submitted_at, own.updated_at
      from ${SCHEMA}.${month.tableOf("delivery")} own left join carrier using (carrier_id)
    ) to stdout with (format csv, header)`,
    "parts.csv": `copy (
      select user_id, message_id, position, part_index, part_count, carrier_key, submitted_at
      from ${SCHEMA}.${month.tableOf("delivery_part")}
    ) to stdout with (format csv, header)`,
    "numbers.csv": `copy (
      select batch.user_id, batch.message_id, batch.batch_index * 500 as first_position, array_to_string(batch.recipients, ' ') as phone_nos,
        array_to_string(batch.skipped, ' ') as skipped
      from message join message_batch batch using (user_id, message_id) where ${ofMonth} and batch.recipients <> '{}'
    ) to stdout with (format csv, header)`,
  };
}

/** The file that a detached month was written to; undefined before that. The table itself says so, whoever wrote it. */
export async function readExportOf(db: Queryable, month: Month): Promise<string | undefined> {
  const { rows } = await db.query<{ file: string | null }>(
    "select obj_description(to_regclass($1), 'pg_class') as file",
    [`${SCHEMA}.${month.tableOf("delivery")}`],
  );
  return rows[0]?.file ?? undefined;
}

export async function noteExport(client: Client, month: Month, file: string): Promise<void> {
  const table = `${SCHEMA}.${month.tableOf("delivery")}`;
  await client.query(`comment on table ${table} is ${client.escapeLiteral(file)}`);
}

/** Empties the numbers of the month's messages, some hundred messages at a time. What was skipped or cancelled stays known by place. */
export async function cutNumbers(client: Client, { fromId, toId }: Month): Promise<void> {
  let after: string | undefined;
  do {
    const { rows } = await client.query<{ last: string }>(
      `with slice as materialized (
         select user_id, message_id from message
         where message_id >= $1 and message_id < $2 and ($3::uuid is null or message_id > $3) order by message_id limit ${MESSAGES_AT_A_TIME}
       ), cut as (
         update message_batch batch set recipients = '{}' from slice
         where batch.user_id = slice.user_id and batch.message_id = slice.message_id and batch.recipients <> '{}'
       )
       select message_id as last from slice order by message_id desc limit 1`,
      [fromId, toId, after ?? null],
    );
    after = rows[0]?.last;
  } while (after !== undefined);
}

export async function dropMonth(client: Client, month: Month): Promise<void> {
  await client.query(`drop table if exists ${TABLES.map((table) => `${SCHEMA}.${month.tableOf(table)}`).join(", ")}`);
}
