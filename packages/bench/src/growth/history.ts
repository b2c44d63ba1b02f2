/**
 * A generated history: months of messages of many customers, with batches, deliveries, counts, holds, journals and card payments that agree with each
 * other, so that every rule of the ledger holds. Sets of rows are written, no product runs meanwhile, and nothing of it is measured.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@ewebal/embedded-postgres";
import { signIn } from "@ewebal/e2e/testing/api-client";
import { startProduct, type Account } from "@ewebal/e2e/testing/product";
import { Client } from "pg";
import { say } from "../print.ts";

export type History = { dataDir: string; recipients: number; customer: Account; admin: Account };

/** Ready, or no start at all: the machine may do other work. */
export const READY_WITHIN_MS = 600_000;

/** One customer sent a tenth of everything; the others share the rest unevenly. */
const CUSTOMERS = 2_000;
const DAYS = 300;
/** Of each million recipients: this many messages to 1,500 and to 25. */
const LARGE = { count: 500, size: 1_500 };
const SMALL = { count: 10_000, size: 25 };

/** Nothing of the load has to outlive a power cut, so it writes next to no log. */
const LOAD_SETTINGS = {
  wal_level: "minimal",
  max_wal_senders: 0,
  full_page_writes: false,
  wal_compression: "off",
  synchronous_commit: "off",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
  autovacuum: false,
  work_mem: "256MB",
  maintenance_work_mem: "1GB",
  log_min_duration_statement: "-1",
};

/**
 * Makes the installation of one size in a folder, or finds it there from an earlier run.
 *
 * @param recipients whole millions.
 */
export async function makeHistory(folder: string, recipients: number): Promise<History> {
  const dataDir = join(folder, String(recipients));
  const notePath = join(dataDir, "history.json");
  if (existsSync(notePath)) return JSON.parse(await readFile(notePath, "utf8")) as History;
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const startedAtMs = performance.now();
  const product = await startProduct({ dataDir, readyWithinMs: READY_WITHIN_MS });
  const { customer, admin } = product.demo;
  const { actorId } = await signIn(product, customer);
  await product.stop();
  const server = await startEmbeddedPostgres({
    program: "ewebal",
    dataDir,
    fsync: false,
    settings: LOAD_SETTINGS,
    log: { info: () => undefined, warn: say, error: say },
  });
  try {
    const password = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim();
    const address = new URL(server.url);
    address.username = "postgres";
    address.password = password;
    const client = new Client({ connectionString: address.href, statement_timeout: 0 });
    await client.connect();
    try {
      await writeHistory(client, { busiest: actorId, millions: recipients / 1e6 });
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
  }
  const history: History = { dataDir, recipients, customer, admin };
  await writeFile(notePath, JSON.stringify(history));
  say(`${recipients} recipients were generated in ${Math.round((performance.now() - startedAtMs) / 1000)} s`);
  return history;
}

async function writeHistory(
  client: Client,
  { busiest, millions }: { busiest: string; millions: number },
): Promise<void> {
  // Foreign keys hold by construction; the ledger's own rules stay on.
  await client.query("set session_replication_role = replica");
  await client.query(
    `create temp table size as select $1::integer as millions, $2::uuid as busiest,
       date_trunc('month', now() - interval '12 days', 'UTC') as ends_at`,
    [millions, busiest],
  );
  for (const [index, statement] of STATEMENTS.entries()) {
    const startedAtMs = performance.now();
    await client.query(statement);
    say(`statement ${index + 1} of ${STATEMENTS.length}: ${Math.round(performance.now() - startedAtMs)} ms`);
  }
  const { rows: months } = await client.query<{
    name: string;
    fromAt: string;
    toAt: string;
    fromId: string;
    toId: string;
  }>(
    `select to_char(month at time zone 'UTC', 'YYYY_MM') as name, month as "fromAt", month + interval '1 month' as "toAt",
       pg_temp.floor7(month) as "fromId", pg_temp.floor7((month at time zone 'UTC' + interval '1 month') at time zone 'UTC') as "toId"
     from (select distinct date_trunc('month', at, 'UTC') as month from m) as months order by 1`,
  );
  for (const month of months) {
    const startedAtMs = performance.now();
    await writeMonth(client, month);
    say(`deliveries of ${month.name}: ${Math.round(performance.now() - startedAtMs)} ms`);
  }
  await client.query("vacuum analyze");
  await client.query("checkpoint");
}

/** Rows first and in one transaction with their table, so that neither they nor their indexes are logged; indexes when the table is whole. */
async function writeMonth(
  client: Client,
  { name, fromId, toId }: { name: string; fromId: string; toId: string },
): Promise<void> {
  const own = `delivery_${name}`;
  await client.query("begin");
  await client.query(
    `create table ${own} (like delivery including defaults including constraints) with (fillfactor = 50)`,
  );
  await client.query(
    `insert into ${own} (user_id, message_id, position, phone_no, state, carrier_id, delivered_parts, submitted_at, updated_at, carrier_key, error_code)
     select user_id, message_id, p, ${PHONE_NO}, case when p % 25 = 24 then 3 else 2 end, 1, case when p % 25 = 24 then 0 else 1 end,
       at + p * interval '1 ms', at + p * interval '1 ms' + interval '5 s', key || lpad(to_hex(p), 4, '0'), case when p % 25 = 24 then '00B' end
     from (select * from m where message_id >= '${fromId}' and message_id < '${toId}' order by at) m, generate_series(0, size - 1) p`,
  );
  await client.query(
    `alter table ${own} add constraint of_month check (message_id >= '${fromId}' and message_id < '${toId}')`,
  );
  await client.query(`alter table delivery attach partition ${own} for values from ('${fromId}') to ('${toId}')`);
  await client.query(`alter table ${own} drop constraint of_month`);
  await client.query(
    `create table delivery_part_${name} partition of delivery_part for values from ('${fromId}') to ('${toId}')`,
  );
  await client.query("commit");
  await client.query(`vacuum (analyze) ${own}`);
}

/** Distinct within a message of up to 10,000,000. */
const PHONE_NO = "2348030000000 + (seed + p * 7919::bigint) % 10000019";

const STATEMENTS = [
  `create function pg_temp.uuid7(at timestamptz) returns uuid language sql volatile as $$
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid $$`,
  `create function pg_temp.floor7(at timestamptz) returns uuid language sql immutable as $$
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$`,
  `insert into app_user (user_id, user_name, full_name, email, phone_no, password_hash, verified_at, is_approved, created_at)
     select pg_temp.uuid7(at), 'user' || n, 'Full Name ' || n, 'user' || n || '@gmail.com', '80' || n, 'x', at, true, at
     from (select n, ends_at - interval '400 days' + n * interval '1 hour' as at from size, generate_series(2, ${CUSTOMERS}) n) as made`,
  `create temp table u as
     select user_id, n, coalesce(balance_milli, 0) as balance, coalesce(journal_count, 0) as journals
     from (select user_id, substr(user_name, 5)::integer as n from app_user where email = user_name || '@gmail.com' union all select busiest, 1 from size) as numbered
     left join ledger_account using (user_id)`,
  `create temp table m as
     select u.user_id, pg_temp.uuid7(x.at) as message_id, x.at, x.size, (random() * 1e7)::bigint as seed,
       lpad(to_hex((extract(epoch from x.at) * 1000)::bigint), 12, '0') as key
     from (
       select ends_at - random() * interval '${DAYS} days' as at, kind.size,
         case when random() < 0.1 then 1 else 2 + floor(power(random(), 3) * ${CUSTOMERS - 1})::integer end as n
       from size, generate_series(1, millions) million, (
         select ${LARGE.size} as size from generate_series(1, ${LARGE.count}) union all select ${SMALL.size} from generate_series(1, ${SMALL.count})) kind
     ) x join u using (n)`,
  `create unique index on m (message_id)`,
  `analyze m`,
  `insert into ledger_account (user_id) select user_id from u on conflict do nothing`,
  `insert into hold (user_id, hold_id, amount_milli, captured_milli, charge_count, created_at)
     select user_id, message_id, size * 3000, size * 3000, 1 + (size - 1) / 500, at from m order by at`,
  `insert into message (user_id, message_id, user_name, sender_name, body, code, page_count, price_milli, recipient_count, hold_id, state, created_at, state_at)
     select user_id, message_id, 'user', 'SENDER' || seed % 5, 'Dear customer, our sale begins on Friday. ' || md5(message_id::text), '234', 1, 3000,
       size, message_id, 1, at, at from m order by at`,
  `insert into message_count (user_id, message_id, waiting, delivered, failed) select user_id, message_id, 0, size - size / 25, size / 25 from m order by at`,
  `insert into message_batch (user_id, message_id, batch_index, recipients, recipient_count, state, is_express, turn, lane, attempt, intent_count)
     select user_id, message_id, b, (select array_agg(${PHONE_NO} order by p) from generate_series(b * 500, least(size, b * 500 + 500) - 1) p),
       least(500, size - b * 500), 3, size <= 100, 0, 234, 1, least(500, size - b * 500)
     from (select * from m order by at) m, generate_series(0, (size - 1) / 500) b`,
  `create temp table j as
     select *, row_number() over account as place, sum(amount) over account as used
     from (select user_id, message_id, b, least(500, size - b * 500) * 3000::bigint as amount, least(size, b * 500 + 500) * 3000::bigint as of_hold,
         at + b * interval '1 s' as at from m, generate_series(0, (size - 1) / 500) b) as charges
     window account as (partition by user_id order by at, message_id, b)`,
  `create temp table total as
     select user_id, balance, journals, max(used)::bigint as used, max(place) as places, max(used)::bigint / 15000000 + 1 as payments
     from j join u using (user_id) group by user_id, balance, journals`,
  `create temp table paid as
     select user_id, 'growth-' || user_id || '-' || i as reference, journals + i as number, balance + i * 15000000 as balance_after,
       ends_at - interval '${DAYS + 1} days' + i * interval '1 s' as at
     from size, total, generate_series(1, payments) i`,
  `insert into card_payment (user_id, reference, units, total_kobo, state, is_sandbox, created_at, paid_at)
     select user_id, reference, 15000, 1, 'paid', false, at, at from paid order by at`,
  `insert into journal (user_id, number, journal_id, kind, reference, balance_after_milli, created_at)
     select user_id, number, gen_random_uuid(), 'card_payment', reference, balance_after, at from paid order by at`,
  `insert into journal (user_id, number, journal_id, kind, reference, hold_id, hold_total_milli, balance_after_milli, created_at)
     select user_id, journals + payments + place, gen_random_uuid(), 'charge', message_id || ':' || b + 1, message_id, of_hold,
       balance + payments * 15000000 - j.used, at from j join total using (user_id) order by at`,
  `insert into journal_entry (user_id, number, account, amount_milli)
     select user_id, number, account, case account when 'customer' then 15000000 else -15000000 end
     from (select * from paid order by at) paid, unnest(array['customer', 'card_clearing']) account`,
  `insert into journal_entry (user_id, number, account, amount_milli)
     select user_id, journals + payments + place, account, case account when 'customer' then -amount else amount end
     from (select * from j join total using (user_id) order by at) j, unnest(array['customer', 'sales']) account`,
  `update ledger_account a set balance_milli = balance + payments * 15000000 - used, journal_count = journals + payments + places
     from total where total.user_id = a.user_id`,
  `drop table j, paid`,
];
