import type { Queryable } from "../../../db/pool.ts";
import type { UserFilter, UserSort } from "@ewebal/contract";

export type User = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  phoneNo: string;
  isVerified: boolean;
  isBlocked: boolean;
  isApproved: boolean;
  hasTwoFactor: boolean;
  maySendTransactional: boolean;
  isSignedIn: boolean;
  lastSignInAt: Date | null;
  /** When its owner closed the account. */
  closedAt: Date | null;
  createdAt: Date;
};

export type Credentials = {
  userId: string;
  userName: string;
  fullName: string;
  email: string;
  passwordHash: string;
  isVerified: boolean;
  isBlocked: boolean;
  /** When its owner closed the account; null for all others. */
  closedAt: Date | null;
  /** Nothing leads back any more. */
  isErasing: boolean;
  createdAt: Date;
};

export async function insertUser(
  db: Queryable,
  user: {
    userId: string;
    userName: string;
    fullName: string;
    email: string;
    phoneNo: string;
    passwordHash: string;
    createdAt: Date;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into app_user (user_id, user_name, full_name, email, phone_no, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (email) do nothing`,
    [user.userId, user.userName, user.fullName, user.email, user.phoneNo, user.passwordHash, user.createdAt],
  );
  return rowCount === 1;
}

const CREDENTIAL_COLUMNS = `
  user_id as "userId", user_name as "userName", full_name as "fullName", email, password_hash as "passwordHash",
  verified_at is not null as "isVerified", blocked_at is not null as "isBlocked", closed_at as "closedAt",
  erasing_at is not null as "isErasing", created_at as "createdAt"`;

export async function findCredentialsByEmail(db: Queryable, email: string): Promise<Credentials | undefined> {
  const { rows } = await db.query<Credentials>(`select ${CREDENTIAL_COLUMNS} from app_user where email = $1`, [email]);
  return rows[0];
}

/** Holds the row until the transaction ends, so that a block or a new password waits, or has happened. */
export async function lockCredentials(db: Queryable, userId: string): Promise<Credentials | undefined> {
  const { rows } = await db.query<Credentials>(
    `select ${CREDENTIAL_COLUMNS} from app_user where user_id = $1 for no key update`,
    [userId],
  );
  return rows[0];
}

export async function markVerified(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(`update app_user set verified_at = coalesce(verified_at, $2) where user_id = $1`, [userId, now]);
}

export async function markSignedIn(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(`update app_user set last_sign_in_at = $2 where user_id = $1`, [userId, now]);
}

export async function updatePasswordHash(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query(`update app_user set password_hash = $2 where user_id = $1`, [userId, passwordHash]);
}

export async function updatePersonalInfo(
  db: Queryable,
  userId: string,
  info: { userName: string; fullName: string; phoneNo: string },
): Promise<void> {
  await db.query(`update app_user set user_name = $2, full_name = $3, phone_no = $4 where user_id = $1`, [
    userId,
    info.userName,
    info.fullName,
    info.phoneNo,
  ]);
}

/** What an administrator may change of a customer. */
export type PersonalFacts = { userName: string; fullName: string; email: string; phoneNo: string };

/** Holds the row until the transaction ends. */
export async function lockPersonalFacts(db: Queryable, userId: string): Promise<PersonalFacts | undefined> {
  const { rows } = await db.query<PersonalFacts>(
    `select user_name as "userName", full_name as "fullName", email, phone_no as "phoneNo"
     from app_user where user_id = $1 for no key update`,
    [userId],
  );
  return rows[0];
}

export async function updatePersonalFacts(db: Queryable, userId: string, facts: PersonalFacts): Promise<void> {
  await db.query(`update app_user set user_name = $2, full_name = $3, email = $4, phone_no = $5 where user_id = $1`, [
    userId,
    facts.userName,
    facts.fullName,
    facts.email,
    facts.phoneNo,
  ]);
}

/** An account that is unblocked is open again, too. @returns whether that changed anything. */
export async function updateBlocked(db: Queryable, userId: string, blockedAt: Date | null): Promise<boolean> {
  const { rowCount } = await db.query(
    `update app_user set blocked_at = $2, closed_at = case when $2::timestamptz is not null then closed_at end
     where user_id = $1 and (blocked_at is null) <> ($2::timestamptz is null)`,
    [userId, blockedAt],
  );
  return rowCount === 1;
}

export async function updateClosed(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.query("update app_user set closed_at = $2, blocked_at = $2 where user_id = $1", [userId, now]);
}

/** @returns whether that changed anything. */
export async function updateApproved(db: Queryable, userId: string, isApproved: boolean): Promise<boolean> {
  const { rowCount } = await db.query(`update app_user set is_approved = $2 where user_id = $1 and is_approved <> $2`, [
    userId,
    isApproved,
  ]);
  return rowCount === 1;
}

/** A session is alive at $1 when it ends after that and was acted in after $2. */
export const USER_COLUMNS = `
  u.user_id as "userId", u.user_name as "userName", u.full_name as "fullName", u.email, u.phone_no as "phoneNo",
  u.verified_at is not null as "isVerified", u.blocked_at is not null as "isBlocked", u.is_approved as "isApproved",
  u.may_send_transactional as "maySendTransactional", u.last_sign_in_at as "lastSignInAt", u.closed_at as "closedAt", u.created_at as "createdAt",
  exists (
    select 1 from session s
    where s.actor_id = u.user_id and s.kind = 'user' and s.expires_at > $1 and s.last_active_at > $2
  ) as "isSignedIn",
  exists (
    select 1 from second_factor f where f.kind = 'user' and f.actor_id = u.user_id and f.confirmed_at is not null
  ) as "hasTwoFactor"`;

export type SessionLimits = { now: Date; idleSince: Date };

export async function findUser(db: Queryable, userId: string, limits: SessionLimits): Promise<User | undefined> {
  const { rows } = await db.query<User>(`select ${USER_COLUMNS} from app_user u where u.user_id = $3`, [
    limits.now,
    limits.idleSince,
    userId,
  ]);
  return rows[0];
}

/** All SQL of the administrators' list of customers. Each order and the search have their index: 0011_admin.sql. */
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
    select 1 from session where actor_id = u.user_id and kind = 'user' and expires_at > $1 and last_active_at > $2
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

/** Facts about customers that other features need. */
export type Customer = {
  userId: string;
  userName: string;
  email: string;
  isBlocked: boolean;
  /** Whether the dashboard, like programs, may send only from approved IP addresses. */
  isAddressRestricted: boolean;
  maySendTransactional: boolean;
  /** Kinds of events that an endpoint of the customer asks for, as bits; see outbox/event-types.ts. */
  followedEvents: number;
  /** Whether prices of their own may stand in place of the list's; see rates/price-of.ts. */
  hasOwnPrices: boolean;
  /** What senders of the account send to more recipients than this waits for an approver; null: nothing does. */
  approvalAbove: number | null;
  /** What a sub-account may spend in a day, in thousandths of a unit; null: as much as it has. */
  capMilliPerDay: number | null;
};

/** The number that a customer registered with, as it was typed. */
export async function findAccountNumber(db: Queryable, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ phoneNo: string }>(
    `select phone_no as "phoneNo" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0]?.phoneNo;
}

const CUSTOMER_COLUMNS = `
  select user_id as "userId", user_name as "userName", email, blocked_at is not null as "isBlocked",
    is_address_restricted as "isAddressRestricted", may_send_transactional as "maySendTransactional",
    followed_events as "followedEvents", has_own_prices as "hasOwnPrices",
    approval_above as "approvalAbove", cap_milli_per_day as "capMilliPerDay"
  from app_user`;

export async function findCustomer(db: Queryable, userId: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>({
    name: "customer",
    text: `${CUSTOMER_COLUMNS} where user_id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** @returns undefined while the customer has not proven their mailbox. */
export async function findVerifiedEmail(db: Queryable, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>(
    `select email from app_user where user_id = $1 and verified_at is not null`,
    [userId],
  );
  return rows[0]?.email;
}

/** @param email trimmed and in lower case. */
export async function findCustomerByEmail(db: Queryable, email: string): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(`${CUSTOMER_COLUMNS} where email = $1`, [email]);
  return rows[0];
}

/** Customers by their ids, in any order; unknown ids are left out. */
export async function selectCustomers(db: Queryable, userIds: readonly string[]): Promise<Customer[]> {
  const { rows } = await db.query<Customer>(`${CUSTOMER_COLUMNS} where user_id = any ($1::uuid[])`, [userIds]);
  return rows;
}

/** @returns calls a second, null for as many as everybody. */
export async function findCallLimit(db: Queryable, userId: string): Promise<number | null> {
  const { rows } = await db.query<{ perSecond: number | null }>(
    `select calls_per_second as "perSecond" from app_user where user_id = $1`,
    [userId],
  );
  return rows[0]?.perSecond ?? null;
}

/** @param perSecond null gives everybody's limit back. @returns the limit before, undefined when there is no such customer. */
export async function updateCallLimit(
  tx: Queryable,
  userId: string,
  perSecond: number | null,
): Promise<{ before: number | null } | undefined> {
  const { rows } = await tx.query<{ before: number | null }>(
    `with old as (select calls_per_second from app_user where user_id = $1 for update)
     update app_user set calls_per_second = $2 from old where user_id = $1 returning old.calls_per_second as before`,
    [userId, perSecond],
  );
  return rows[0];
}

/** @param recipients null: nothing waits. */
export async function updateApprovalLimit(tx: Queryable, userId: string, recipients: number | null): Promise<void> {
  await tx.query("update app_user set approval_above = $2 where user_id = $1", [userId, recipients]);
}

/** The names of people, by their ids; unknown ids are left out. */
export async function selectFullNames(db: Queryable, personIds: readonly string[]): Promise<Map<string, string>> {
  if (personIds.length === 0) return new Map();
  const { rows } = await db.query<{ userId: string; fullName: string }>(
    `select user_id as "userId", full_name as "fullName" from app_user where user_id = any ($1::uuid[])`,
    [personIds],
  );
  return new Map(rows.map(({ userId, fullName }) => [userId, fullName]));
}

export async function updateAddressRestriction(tx: Queryable, userId: string, isRestricted: boolean): Promise<void> {
  await tx.query("update app_user set is_address_restricted = $2 where user_id = $1", [userId, isRestricted]);
}

/** @returns what it was before; undefined when there is no such customer. */
export async function updateMaySendTransactional(
  tx: Queryable,
  userId: string,
  isAllowed: boolean,
): Promise<boolean | undefined> {
  const { rows } = await tx.query<{ before: boolean }>(
    `update app_user own set may_send_transactional = $2
     from (select user_id, may_send_transactional as before from app_user where user_id = $1 for no key update) as old
     where own.user_id = old.user_id returning before`,
    [userId, isAllowed],
  );
  return rows[0]?.before;
}
