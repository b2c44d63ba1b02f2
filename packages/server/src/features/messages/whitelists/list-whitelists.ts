import type { ListQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { addressRestrictionChanged, publishChange } from "../../../events/index.ts";
import { AppError } from "../../../base/errors.ts";
import { findCustomer, updateAddressRestriction } from "../../accounts/index.ts";
import {
  selectAddresses,
  selectAllRequests,
  selectCustomerRequests,
  selectSenderNames,
  type WhitelistRequest,
  type WhitelistRequestState,
} from "./whitelist-store.ts";

const REQUESTS_SHOWN_MAX = 100;

export type Whitelists = {
  senderNames: string[];
  addresses: string[];
  isDashboardRestricted: boolean;
  requests: WhitelistRequest[];
};

/**
 * What a customer may send as and from where, and the newest 100 requests.
 *
 * @throws AppError `NOT_FOUND` when there is no such customer.
 */
export async function readWhitelists(db: Queryable, userId: string): Promise<Whitelists> {
  const customer = await findCustomer(db, userId);
  if (customer === undefined) throw new AppError("NOT_FOUND");
  return {
    isDashboardRestricted: customer.isAddressRestricted,
    senderNames: await selectSenderNames(db, userId),
    addresses: await selectAddresses(db, userId),
    requests: await selectCustomerRequests(db, userId, REQUESTS_SHOWN_MAX),
  };
}

/** The names that a customer may send as, in the order in which they were approved. */
export async function listSenderNames(db: Queryable, userId: string): Promise<string[]> {
  return await selectSenderNames(db, userId);
}

/**
 * Everybody's requests, newest first, for administrators.
 *
 * @returns `next` is the cursor for `after`, null when this page is the last.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listWhitelistRequests(
  db: Queryable,
  query: ListQuery & { state?: WhitelistRequestState | undefined },
): Promise<{ rows: WhitelistRequest[]; next: string | null }> {
  assertIdCursor(query.after);
  const { state, after } = query;
  return await readPage(
    query.limit,
    (limit) => selectAllRequests(db, { state, after, limit }),
    ({ requestId }) => requestId,
  );
}

/** The GET form always needs an approved address; with this switch on the dashboard does too, as soon as one is approved. */
export async function restrictDashboard(
  deps: Pick<Deps, "db">,
  change: { userId: string; isRestricted: boolean },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await updateAddressRestriction(tx, change.userId, change.isRestricted);
    await publishChange(tx, addressRestrictionChanged(change.userId));
  });
}
