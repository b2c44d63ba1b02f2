/** All SQL about sender names, approved addresses, and the requests for them. */
import type { Queryable } from "../../../db/pool.ts";

export type WhitelistRequestState = "pending" | "approved" | "declined";

export type WhitelistRequest = {
  userId: string;
  requestId: string;
  email: string;
  senderName: string | null;
  address: string | null;
  state: WhitelistRequestState;
  reason: string;
  warnings: string[];
  /** An approved name of another customer that looks the same. */
  lookAlike: string | null;
  /** The administrator who approved it, while it waits for a second one. */
  approvedFirstBy: string | null;
  createdAt: Date;
};

export type NewWhitelistRequest = {
  requestId: string;
  senderName: string | null;
  skeleton: string | null;
  address: string | null;
  warnings: string[];
};

/** Skips what is requested already. @returns the ids of the new requests. */
export async function insertRequests(
  tx: Queryable,
  userId: string,
  requests: NewWhitelistRequest[],
  createdAt: Date,
): Promise<string[]> {
  const { rows } = await tx.query<{ requestId: string }>(
    `insert into whitelist_request (user_id, request_id, sender_name, skeleton, address, warnings, created_at)
     select $1, request_id, sender_name, skeleton, address, warnings::text[], $7
     from unnest($2::uuid[], $3::text[], $4::text[], $5::inet[], $6::text[]) as new (request_id, sender_name, skeleton, address, warnings)
     on conflict do nothing
     returning request_id as "requestId"`,
    [
      userId,
      requests.map((request) => request.requestId),
      requests.map((request) => request.senderName),
      requests.map((request) => request.skeleton),
      requests.map((request) => request.address),
      // SQL has no array of arrays of different lengths; each list travels as its own text.
      requests.map((request) => toArrayText(request.warnings)),
      createdAt,
    ],
  );
  return rows.map((row) => row.requestId);
}

function toArrayText(texts: string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

export async function countPendingRequests(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::integer as count from whitelist_request where user_id = $1 and state = 'pending'",
    [userId],
  );
  return rows[0]?.count ?? 0;
}

const SELECT_REQUESTS = `
  select r.user_id as "userId", r.request_id as "requestId", u.email, r.sender_name as "senderName", host(r.address) as address,
    r.state, r.reason, r.warnings, r.created_at as "createdAt", r.skeleton
  from whitelist_request r join app_user u using (user_id)`;

type RequestRow = Omit<WhitelistRequest, "lookAlike" | "approvedFirstBy"> & { skeleton: string | null };

/** What other customers' names and the administrators' approvals say of each request: tables that a cluster does not join with requests. */
async function completeRequests(db: Queryable, requests: RequestRow[]): Promise<WhitelistRequest[]> {
  if (requests.length === 0) return [];
  const skeletons = requests.map(({ skeleton }) => skeleton).filter((skeleton) => skeleton !== null);
  // Two customers of a skeleton are enough: one of them is not the one who asks.
  const { rows: names } = await db.query<{ skeleton: string; userId: string; name: string }>(
    `select skeleton, user_id as "userId", name from (
       select skeleton, user_id, min(name) as name, row_number() over (partition by skeleton order by user_id) as place
       from sender_name where skeleton = any ($1::text[]) group by skeleton, user_id
     ) as alike where place <= 2`,
    [skeletons],
  );
  const { rows: approvals } = await db.query<{ requestId: string; adminName: string }>(
    `select p.subject_key as "requestId", a.admin_name as "adminName" from approval p join admin a on a.admin_id = p.asked_by
     where p.kind = 'sender' and p.subject_key = any ($1::text[]) and p.state = 'waiting'`,
    [requests.map(({ requestId }) => requestId)],
  );
  return requests.map(({ skeleton, ...request }) => ({
    ...request,
    lookAlike: names.find((name) => name.skeleton === skeleton && name.userId !== request.userId)?.name ?? null,
    approvedFirstBy: approvals.find(({ requestId }) => requestId === request.requestId)?.adminName ?? null,
  }));
}

/** The open requests of a customer for these names and addresses, in the order they were made. */
export async function selectOpenRequests(
  db: Queryable,
  asked: { userId: string; senderNames: string[]; addresses: string[] },
): Promise<WhitelistRequest[]> {
  const { rows } = await db.query<RequestRow>(
    `${SELECT_REQUESTS} where r.user_id = $1 and r.state = 'pending' and (r.sender_name = any ($2::text[]) or r.address = any ($3::inet[]))
     order by r.request_id`,
    [asked.userId, asked.senderNames, asked.addresses],
  );
  return await completeRequests(db, rows);
}

/** Newest first. */
export async function selectCustomerRequests(
  db: Queryable,
  userId: string,
  limit: number,
): Promise<WhitelistRequest[]> {
  const { rows } = await db.query<RequestRow>(
    `${SELECT_REQUESTS} where r.user_id = $1 order by r.request_id desc limit $2`,
    [userId, limit],
  );
  return await completeRequests(db, rows);
}

/** Everybody's, newest first. `after` is the id that the last page ended with. */
export async function selectAllRequests(
  db: Queryable,
  page: { state: WhitelistRequestState | undefined; after: string | undefined; limit: number },
): Promise<WhitelistRequest[]> {
  const { rows } = await db.query<RequestRow>(
    `${SELECT_REQUESTS} where ($1::text is null or r.state = $1) and ($2::uuid is null or r.request_id < $2) order by r.request_id desc limit $3`,
    [page.state ?? null, page.after ?? null, page.limit],
  );
  return await completeRequests(db, rows);
}

export async function countWaitingRequests(db: Queryable): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await db.query<{ count: number; oldestAt: Date | null }>(
    `select count(*) as count, min(created_at) as "oldestAt" from whitelist_request where state = 'pending'`,
  );
  return rows[0] ?? { count: 0, oldestAt: null };
}

/** Open requests of everybody behind that place, the oldest first. */
export async function selectWaitingRequests(
  db: Queryable,
  page: { afterTime: Date; afterId: string; limit: number },
): Promise<WhitelistRequest[]> {
  const { rows } = await db.query<RequestRow>(
    `${SELECT_REQUESTS} where r.state = 'pending' and (date_trunc('milliseconds', r.created_at), r.request_id) > ($1, $2)
     order by date_trunc('milliseconds', r.created_at), r.request_id limit $3`,
    [page.afterTime, page.afterId, page.limit],
  );
  return await completeRequests(db, rows);
}

export type DecidedRequest = {
  userId: string;
  email: string;
  userName: string;
  senderName: string | null;
  address: string | null;
};

/** Decides a request that is open. @returns undefined when it is not, or no request. */
export async function decideRequest(
  tx: Queryable,
  decision: { requestId: string; state: "approved" | "declined"; reason: string; adminId: string; now: Date },
): Promise<DecidedRequest | undefined> {
  const { rows } = await tx.query<DecidedRequest>(
    `update whitelist_request r set state = $2, reason = $3, decided_by = $4, decided_at = $5
     from app_user u
     where r.request_id = $1 and r.state = 'pending' and u.user_id = r.user_id
     returning r.user_id as "userId", u.email, u.user_name as "userName", r.sender_name as "senderName", host(r.address) as address`,
    [decision.requestId, decision.state, decision.reason, decision.adminId, decision.now],
  );
  return rows[0];
}

/** A request with its customer. Holds the row until the transaction ends. */
export async function lockRequest(
  tx: Queryable,
  requestId: string,
): Promise<(DecidedRequest & { state: WhitelistRequestState }) | undefined> {
  // A row is locked where its customer's rows lie; a request never changes hands.
  const { rows: owners } = await tx.query<{ userId: string }>(
    'select user_id as "userId" from whitelist_request where request_id = $1',
    [requestId],
  );
  if (owners[0] === undefined) return undefined;
  const { rows } = await tx.query<DecidedRequest & { state: WhitelistRequestState }>(
    `select r.user_id as "userId", u.email, u.user_name as "userName", r.sender_name as "senderName", host(r.address) as address, r.state
     from whitelist_request r join app_user u using (user_id) where r.user_id = $1 and r.request_id = $2 for no key update of r`,
    [owners[0].userId, requestId],
  );
  return rows[0];
}

/** Closes what a customer had asked for and got another way. @returns the ids of what is closed with it. */
export async function approveOpenNames(
  tx: Queryable,
  approval: { userId: string; names: string[]; adminId: string; now: Date },
): Promise<string[]> {
  const { rows } = await tx.query<{ requestId: string }>(
    `update whitelist_request set state = 'approved', decided_by = $3, decided_at = $4
     where user_id = $1 and sender_name = any ($2::text[]) and state = 'pending' returning request_id as "requestId"`,
    [approval.userId, approval.names, approval.adminId, approval.now],
  );
  return rows.map((row) => row.requestId);
}

/** @returns the names that the customer did not have. */
export async function insertSenderNames(
  tx: Queryable,
  userId: string,
  names: { name: string; skeleton: string }[],
  createdAt: Date,
): Promise<string[]> {
  const { rows } = await tx.query<{ name: string }>(
    `insert into sender_name (user_id, name, skeleton, created_at)
     select $1, name, skeleton, $4 from unnest($2::text[], $3::text[]) as new (name, skeleton)
     on conflict do nothing
     returning name`,
    [userId, names.map(({ name }) => name), names.map(({ skeleton }) => skeleton), createdAt],
  );
  return rows.map((row) => row.name);
}

export async function deleteSenderNames(tx: Queryable, userId: string, names: string[]): Promise<void> {
  await tx.query("delete from sender_name where user_id = $1 and name = any ($2::text[])", [userId, names]);
}

export async function insertAddress(tx: Queryable, userId: string, address: string, createdAt: Date): Promise<void> {
  await tx.query(
    "insert into approved_address (user_id, address, created_at) values ($1, $2, $3) on conflict do nothing",
    [userId, address, createdAt],
  );
}

export async function selectSenderNames(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    "select name from sender_name where user_id = $1 order by created_at, name",
    [userId],
  );
  return rows.map((row) => row.name);
}

/** The same for many customers at once; who has none is missing. */
export async function selectSenderNamesOf(db: Queryable, userIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ userId: string; names: string[] }>(
    `select user_id as "userId", array_agg(name order by created_at, name) as names
     from sender_name where user_id = any ($1::uuid[]) group by user_id`,
    [userIds],
  );
  return new Map(rows.map(({ userId, names }) => [userId, names]));
}

export async function hasSenderName(db: Queryable, userId: string, name: string): Promise<boolean> {
  const { rows } = await db.query({
    name: "has-sender-name",
    text: "select from sender_name where user_id = $1 and name = $2",
    values: [userId, name],
  });
  return rows.length > 0;
}

export async function selectAddresses(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>(
    "select host(address) as address from approved_address where user_id = $1 order by created_at, address",
    [userId],
  );
  return rows.map((row) => row.address);
}
