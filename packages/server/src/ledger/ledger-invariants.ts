/** The rules of the ledger, added up: all of it by the view `ledger_invariants`, or what happened since a moment by the statement here. */
import type { Queryable } from "../db/pool.ts";
import { atOneMoment } from "../db/transaction.ts";

/** A rule of the ledger, and how many rows break it at this moment. */
export type InvariantCheck = { name: string; violations: number };

/**
 * Counts violations of every rule of the ledger. A count above zero means that units were lost or invented, or that something
 * wrote to the tables without this module.
 *
 * @param options with `since`, only later movements and open holds are checked. Choose a moment five minutes before the previous
 *   check, because a movement's time lies before its COMMIT. Without `since`, everything is checked.
 */
export async function readLedgerInvariants(db: Queryable, options: { since?: Date } = {}): Promise<InvariantCheck[]> {
  const { rows } = await atOneMoment(db, async (now) =>
    options.since === undefined
      ? await now.query<InvariantCheck>(`select name, violations from ledger_invariants`)
      : await now.query<InvariantCheck>(INVARIANTS_SINCE, [options.since]),
  );
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Journals to check, and what lies before them. Texts of SQL, never from anybody outside. */
type Period = {
  /** `from ... where ...` of the journals as `j`. */
  journals: string;
  /** Rows (user_id) of accounts whose balance or number is not what the journals of the period make it. */
  wrongBalances: string;
  /** The balance before journal `p`, where `earlier` is the journal before it; and the tables that it needs. */
  earlierBalance: string;
  earlierJoin: string;
};

/**
 * At a cost that does not grow with the years: a journal of the period is held against the one before it, an account and a hold against
 * their newest one. A statement and no function, as a cluster takes no parameters into the statements of a function.
 */
function rulesOf({ journals, wrongBalances, earlierBalance, earlierJoin }: Period, more: string): string {
  return `
  with period as materialized (
    select j.user_id, j.number, j.kind, j.reference, j.hold_id, j.balance_after_milli, j.hold_total_milli,
        e.total_milli, e.entry_count, e.customer_milli, coalesce(earlier.hold_total_milli, 0) as earlier_hold_total_milli
      ${journals}
  )
  select 'all entries sum to zero' as name, (coalesce(sum(total_milli), 0) <> 0)::int::bigint as violations from period
  union all
  select 'each journal balances and has two entries or more', count(*) from period where entry_count < 2 or total_milli <> 0
  union all
  select 'each balance is the sum of its entries', count(*) from (${wrongBalances}) wrong
  union all
  select 'journals are numbered without gaps and carry their balance', count(*)
    from period p left join journal earlier on earlier.user_id = p.user_id and earlier.number = p.number - 1 ${earlierJoin}
    where (p.number > 1 and earlier.number is null)
      or p.balance_after_milli <> coalesce(${earlierBalance}, 0) + p.customer_milli
  union all
  select 'held units are the open holds', count(*)
    from ledger_account a left join (select user_id, sum(open_milli) as open_milli from hold where is_open group by user_id) h using (user_id)
    where a.held_milli <> coalesce(h.open_milli, 0)
  union all
  select 'no customer is negative', count(*)
    from ledger_account where balance_milli < 0 or held_milli < 0 or balance_milli < held_milli
  union all
  select 'each hold is captured, released and open, as its journals say', count(*)
    from (
      select hold_total_milli <> abs(customer_milli) + earlier_hold_total_milli as is_broken from period where hold_id is not null
      union all
      select newest.hold_total_milli <> case newest.kind when 'charge' then h.captured_milli else h.refunded_milli end
        from (
          select distinct on (user_id, hold_id, kind) user_id, hold_id, kind, hold_total_milli
            from period where hold_id is not null order by user_id, hold_id, kind, number desc
        ) newest join hold h using (user_id, hold_id)
      union all
      select amount_milli <> captured_milli + released_milli + open_milli or least(captured_milli, released_milli, open_milli) < 0
        from hold where is_open
    ) checked
    where is_broken${more}`;
}

/** The entries of journal `j`, and what its hold was charged or refunded before it. */
const ENTRIES = `
      cross join lateral (
        select coalesce(sum(amount_milli), 0) as total_milli, count(*) as entry_count,
            coalesce(sum(amount_milli) filter (where account = 'customer'), 0) as customer_milli
          from journal_entry where user_id = j.user_id and number = j.number
      ) e left join lateral (
        select hold_total_milli from journal
          where user_id = j.user_id and hold_id = j.hold_id and kind = j.kind and number < j.number
          order by number desc limit 1
      ) earlier on true`;

const INVARIANTS_SINCE = rulesOf(
  {
    journals: `from journal j ${ENTRIES} where j.created_at >= $1`,
    wrongBalances: `
      select a.user_id
      from (select distinct on (user_id) user_id, number, balance_after_milli from period order by user_id, number desc) newest
      join ledger_account a using (user_id)
      where a.balance_milli <> newest.balance_after_milli or a.journal_count <> newest.number`,
    earlierBalance: "earlier.balance_after_milli",
    earlierJoin: "",
  },
  "",
);

/**
 * Counts violations in what is not sealed, and holds every account against its seal. The statement's rules of accounts follow from these: what a
 * customer has is what was sealed and what came since, and each hold is as its journals say.
 */
export const INVARIANTS_SINCE_SEAL = rulesOf(
  {
    // A look into the index for each account: the planner would read all journals. `offset 0` keeps it from that.
    journals: `from ledger_account a left join ledger_seal s on s.user_id = a.user_id
      cross join lateral (
        select user_id, number, kind, reference, hold_id, balance_after_milli, hold_total_milli
          from journal where user_id = a.user_id and number > coalesce(s.number, 0) offset 0
      ) j ${ENTRIES}`,
    wrongBalances: `
      select a.user_id
      from ledger_account a left join ledger_seal s on s.user_id = a.user_id
      left join (select user_id, sum(customer_milli) as moved_milli, count(*) as count from period group by user_id) moved on moved.user_id = a.user_id
      where a.balance_milli <> coalesce(s.balance_milli, 0) + coalesce(moved.moved_milli, 0)
        or a.journal_count <> coalesce(s.number, 0) + coalesce(moved.count, 0)`,
    earlierBalance: "case when p.number = s.number + 1 then s.balance_milli else earlier.balance_after_milli end",
    earlierJoin: "left join ledger_seal s on s.user_id = p.user_id",
  },
  `
  union all
  select 'each payment and deposit reached one customer', count(*)
    from (
      select kind, reference from journal
        where kind in ('card_payment', 'bank_deposit')
          and (kind, reference) in (select kind, reference from period where kind in ('card_payment', 'bank_deposit'))
        group by kind, reference having count(*) > 1
    ) twice`,
);
