import { type DepositState, limits, type ListQuery } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { ERASED_CONTENT_TYPE, fileNameOf, type FileStore } from "../../../files/index.ts";
import type { Session } from "../../../http/session/session.ts";
import type { UserSummaryPart } from "../../accounts/index.ts";
import {
  type Deposit,
  type DepositDuplicate,
  findDeposit,
  selectDeposits,
  selectDepositSummaries,
  selectDuplicates,
} from "./deposit-store.ts";

export type Viewer = Pick<Session, "kind" | "accountId">;

export type DepositQuery = ListQuery & {
  state?: DepositState | undefined;
  search?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  flagged?: "true" | undefined;
};

/**
 * Deposits, newest first. Administrators also see what customers have deleted from their own lists.
 *
 * @param userId whose; undefined for everybody's.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listDeposits(
  db: Queryable,
  viewer: Viewer,
  userId: string | undefined,
  query: DepositQuery,
): Promise<{ rows: Deposit[]; next: string | null }> {
  assertIdCursor(query.after);
  const { state, search, from, to, after } = query;
  const isHiddenListed = viewer.kind === "admin";
  const isFlaggedOnly = query.flagged === "true";
  const select = (limit: number) =>
    selectDeposits(db, { userId, isHiddenListed, state, search, from, to, isFlaggedOnly, after, limit });
  return await readPage(query.limit, select, ({ depositId }) => depositId);
}

/** A deposit with its duplicates, which customers are not shown. */
export type ViewedDeposit = { deposit: Deposit; duplicates: DepositDuplicate[] };

/** @throws AppError `NOT_FOUND`, also for another customer's, and for one that the customer has deleted. */
export async function viewDeposit(db: Queryable, viewer: Viewer, depositId: string): Promise<ViewedDeposit> {
  const deposit = await getVisibleDeposit(db, viewer, depositId);
  return { deposit, duplicates: viewer.kind === "admin" ? await findDuplicates(db, deposit) : [] };
}

/** @returns the other deposits because of which this one is flagged. */
export async function findDuplicates(db: Queryable, deposit: Deposit): Promise<DepositDuplicate[]> {
  return deposit.isFlagged ? await selectDuplicates(db, deposit) : [];
}

export type Receipt = { bytes: Buffer; contentType: string; extension: Deposit["extension"] };

/** @throws AppError `NOT_FOUND` like `viewDeposit`; `UNAVAILABLE` when the store is away. */
export async function readReceipt(
  deps: Pick<Deps, "db">,
  store: FileStore,
  viewer: Viewer,
  depositId: string,
): Promise<Receipt> {
  const deposit = await getVisibleDeposit(deps.db, viewer, depositId);
  if (deposit.contentType === ERASED_CONTENT_TYPE) throw new AppError("NOT_FOUND");
  const bytes = await store.get(fileNameOf(deposit));
  if (bytes === undefined) throw new Error(`The receipt of deposit ${depositId} is not in the file store`);
  return { bytes, contentType: deposit.contentType, extension: deposit.extension };
}

async function getVisibleDeposit(db: Queryable, viewer: Viewer, depositId: string): Promise<Deposit> {
  const deposit = await findDeposit(db, depositId);
  const isVisible = viewer.kind === "admin" || (deposit?.userId === viewer.accountId && deposit.hiddenAt === null);
  if (deposit === undefined || !isVisible) throw new AppError("NOT_FOUND");
  return deposit;
}

/** The deposits that a customer's record names, for a whole page of customers in one statement. */
export const depositSummaryPart: UserSummaryPart = async (db, users) => {
  const userIds = users.map(({ userId }) => userId);
  const summaries = await selectDepositSummaries(db, userIds, limits.embeddedIdsMax);
  return new Map(summaries.map(({ userId, ...transfers }) => [userId, { transfers }]));
};
