import type { MessageClass } from "@ewebal/contract";
import type { Queryable } from "../../db/pool.ts";

export type RateEdit = {
  rateEditId: string;
  code: string;
  /** Null: of both. */
  class: MessageClass | null;
  /** Null: the specified one. */
  rateMilli: number | null;
  effectiveAt: Date;
  adminName: string;
  createdAt: Date;
  withdrawnAt: Date | null;
};

const EDIT_COLUMNS = `e.rate_edit_id as "rateEditId", e.code, e.class, e.rate_milli as "rateMilli", e.effective_at as "effectiveAt",
  a.admin_name as "adminName", e.created_at as "createdAt", e.withdrawn_at as "withdrawnAt"`;

/** The edits that hold at a moment for one class, one for each code that has any. */
export async function selectEditedRates(
  db: Queryable,
  at: Date,
  messageClass: MessageClass = "promotional",
): Promise<Pick<RateEdit, "rateEditId" | "code" | "rateMilli">[]> {
  const { rows } = await db.query<Pick<RateEdit, "rateEditId" | "code" | "rateMilli">>(
    `select distinct on (code) rate_edit_id as "rateEditId", code, rate_milli as "rateMilli" from rate_edit
     where withdrawn_at is null and effective_at <= $1 and coalesce(class, $2) = $2
     order by code, effective_at desc, rate_edit_id desc`,
    [at, messageClass],
  );
  return rows;
}

/** @returns thousandths of a unit; undefined when the specified rate holds at that moment. */
export async function findEditedRate(
  db: Queryable,
  code: string,
  at: Date,
  messageClass: MessageClass,
): Promise<number | undefined> {
  const { rows } = await db.query<{ rateMilli: number | null }>({
    name: "rate-of-code",
    text: `select rate_milli as "rateMilli" from rate_edit where withdrawn_at is null and code = $1 and effective_at <= $2
       and coalesce(class, $3) = $3
     order by effective_at desc, rate_edit_id desc limit 1`,
    values: [code, at, messageClass],
  });
  return rows[0]?.rateMilli ?? undefined;
}

export async function findNextChange(db: Queryable, after: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ next: Date | null }>(
    "select min(effective_at) as next from rate_edit where withdrawn_at is null and effective_at > $1",
    [after],
  );
  return rows[0]?.next ?? undefined;
}

/** Soonest first. */
export async function selectPlannedRates(db: Queryable, after: Date): Promise<RateEdit[]> {
  const { rows } = await db.query<RateEdit>(
    `select ${EDIT_COLUMNS} from rate_edit e join admin a using (admin_id)
     where e.withdrawn_at is null and e.effective_at > $1 order by e.effective_at, e.rate_edit_id`,
    [after],
  );
  return rows;
}

/** Newest first: the ids are in order of time. `after` is the id that the last page ended with. */
export async function selectRateEdits(
  db: Queryable,
  page: { code: string | undefined; limit: number; after: string | undefined },
): Promise<RateEdit[]> {
  const { rows } = await db.query<RateEdit>(
    `select ${EDIT_COLUMNS} from rate_edit e join admin a using (admin_id)
     where ($1::text is null or e.code = $1) and ($2::uuid is null or e.rate_edit_id < $2) order by e.rate_edit_id desc limit $3`,
    [page.code ?? null, page.after ?? null, page.limit],
  );
  return rows;
}

export async function insertRateEdit(
  db: Queryable,
  edit: Pick<RateEdit, "rateEditId" | "code" | "class" | "rateMilli" | "effectiveAt" | "createdAt"> & {
    adminId: string;
  },
): Promise<RateEdit> {
  const { rows } = await db.query<RateEdit>(
    `with e as (
       insert into rate_edit (rate_edit_id, code, rate_milli, effective_at, admin_id, created_at, class)
       values ($1, $2, $3, $4, $5, $6, $7) returning *
     ) select ${EDIT_COLUMNS} from e join admin a using (admin_id)`,
    [edit.rateEditId, edit.code, edit.rateMilli, edit.effectiveAt, edit.adminId, edit.createdAt, edit.class],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the inserted edit came back without its row");
  return row;
}

/** @returns the edit with its lock until the transaction ends; undefined when there is none. */
export async function lockRateEdit(db: Queryable, rateEditId: string): Promise<RateEdit | undefined> {
  const { rows } = await db.query<RateEdit>(
    `select ${EDIT_COLUMNS} from rate_edit e join admin a using (admin_id) where e.rate_edit_id = $1 for no key update of e`,
    [rateEditId],
  );
  return rows[0];
}

export async function markRateWithdrawn(db: Queryable, rateEditId: string, now: Date): Promise<void> {
  await db.query("update rate_edit set withdrawn_at = $2 where rate_edit_id = $1", [rateEditId, now]);
}

/** Edits of one code wait for each other until the transaction ends. */
export async function lockRate(db: Queryable, lockClass: number, code: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock($1, $2)", [lockClass, Number(code)]);
}
