/** All SQL of the administrators' list of customers. Each order and the search have their index: 0011_admin.sql. */
import type { UserFilter, UserSort } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";
import { type SessionLimits, type User, USER_COLUMNS } from "./user-store.ts";

export type UserList = {
  limit: number;
  /** The id that the last page ended with. */
  after: string | undefined;
  /** A part of a name, an e-mail or a phone number. */
  search: string | undefined;
  filter: UserFilter | undefined;
  sort: UserSort;
  isDescending: boolean;
};

/** The columns of each order; unique together, so that a page starts exactly where the last one ended. */
const sortKeys: Record<UserSort, readonly string[]> = {
  // The ids are in order of time.
  createdAt: ["user_id"],
  userName: ["lower(user_name)", "user_id"],
  fullName: ["lower(full_name)", "user_id"],
  email: ["email"],
};

/** As in `USER_COLUMNS`, a session is alive at $1 when it ends after that and was acted in after $2. */
const filterConditions: Record<UserFilter, string> = {
  active: `exists (
    select from session where actor_id = u.user_id and kind = 'user' and expires_at > $1 and last_active_at > $2
  )`,
  blocked: "blocked_at is not null",
  verified: "verified_at is not null",
  unverified: "verified_at is null",
};

/** The expression of the index, word for word. */
const SEARCH_TEXT = "lower(user_name || ' ' || full_name || ' ' || email || ' ' || phone_no)";

export async function selectUsers(db: Queryable, list: UserList, limits: SessionLimits): Promise<User[]> {
  const values: unknown[] = [limits.now, limits.idleSince, list.limit];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const keys = sortKeys[list.sort];
  const direction = list.isDescending ? "desc" : "asc";
  const conditions: string[] = [];
  if (list.filter !== undefined) conditions.push(filterConditions[list.filter]);
  if (list.search !== undefined && list.search !== "")
    conditions.push(`${SEARCH_TEXT} like lower(${parameter(likePattern(list.search))})`);
  if (list.after !== undefined) {
    const after = `${parameter(list.after)}::uuid`;
    // Values instead of a join let the index start there instead of filtering everything before.
    const ends = keys.map((key) =>
      key === "user_id" ? after : `(select ${key} from app_user where user_id = ${after})`,
    );
    conditions.push(`(${keys.join(", ")}) ${list.isDescending ? "<" : ">"} (${ends.join(", ")})`);
  }
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const { rows } = await db.query<User>(
    `select ${USER_COLUMNS} from app_user u ${where} order by ${keys.map((key) => `${key} ${direction}`).join(", ")} limit $3`,
    values,
  );
  return rows;
}

/**
 * A `like` pattern that finds the text, taken literally, anywhere. Phone numbers are stored without their prefix, so
 * `+234 803...` and `0803...` mean `803...`.
 */
function likePattern(search: string): string {
  const digits = /^\+?[0-9][0-9 ]{3,}$/.test(search)
    ? search.replaceAll(/[+ ]/g, "").replace(/^(?:234|0+)/, "")
    : search;
  return `%${digits.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** How many customers there are, and how many of them are signed in. */
export async function countUsers(
  db: Queryable,
  limits: SessionLimits,
): Promise<{ registered: number; active: number }> {
  const { rows } = await db.query<{ registered: number; active: number }>(
    `select (select count(*) from app_user) as registered,
       (select count(distinct actor_id) from session where kind = 'user' and expires_at > $1 and last_active_at > $2) as active`,
    [limits.now, limits.idleSince],
  );
  return rows[0] ?? { registered: 0, active: 0 };
}
