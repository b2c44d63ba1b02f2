/** Everything that waits for an administrator's decision, from all features. */
import { formatUnits, type ListQuery, MILLI_PER_UNIT, type WaitingAnswer } from "@ewebal/contract";
import { cursorError, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { AppError } from "../../../base/errors.ts";
import { administratorCalls } from "../../../http/session/administrator-calls.ts";
import { countOpenAlarms } from "../../alarms/index.ts";
import {
  countWaitingApprovals,
  type Decider,
  findDecider,
  mayDecide,
  selectWaitingApprovals,
} from "../../approvals/index.ts";
import {
  countOpenDisputes,
  countWaitingDeposits,
  selectOpenDisputes,
  selectWaitingDeposits,
} from "../../billing/index.ts";
import { countHeldMessages, countReviews } from "../../delivery/index.ts";
import { countWaitingRequests, selectWaitingRequests } from "../../messages/index.ts";

/** The cursor of the first page: everything comes after it. */
const BEGINNING = { afterTime: new Date(0), afterId: "00000000-0000-0000-0000-000000000000" };
const CURSOR = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

type Place = { afterTime: Date; afterId: string };
/** One thing that waits. @property mayDecide whether the administrator who reads may decide it. */
export type WaitingThing = Pick<WaitingAnswer, "kind" | "what" | "by" | "mayDecide"> & {
  id: string;
  isFlagged: boolean;
  createdAt: Date;
};

export type WaitingCounts = {
  deposits: number;
  requests: number;
  approvals: number;
  disputes: number;
  held: number;
  reviews: number;
  alarms: number;
  oldestAt: Date | null;
};

/** How many of each kind wait, and since when the oldest waits. */
export async function countWaiting(db: Queryable): Promise<WaitingCounts> {
  const [deposits, requests, approvals, disputes, held, reviews, alarms] = await Promise.all([
    countWaitingDeposits(db),
    countWaitingRequests(db),
    countWaitingApprovals(db),
    countOpenDisputes(db),
    countHeldMessages(db),
    countReviews(db),
    countOpenAlarms(db),
  ]);
  const times = [deposits, requests, approvals, disputes, held, reviews].flatMap(
    ({ oldestAt }) => oldestAt?.getTime() ?? [],
  );
  return {
    deposits: deposits.count,
    requests: requests.count,
    approvals: approvals.count,
    disputes: disputes.count,
    held: held.count,
    reviews: reviews.count,
    alarms,
    oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}

/**
 * Everything that waits, the oldest first.
 *
 * @param adminId who reads: each row says whether they may decide it.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function viewWaiting(
  db: Queryable,
  adminId: string,
  query: ListQuery,
): Promise<{ rows: WaitingThing[]; next: string | null }> {
  const place = readPlace(query.after);
  const reader = await findDecider(db, adminId);
  if (reader === undefined) throw new AppError("AUTH_REQUIRED");
  return await readPage(query.limit, (limit) => selectWaiting(db, { ...place, limit }, reader), cursorOf);
}

async function selectWaiting(db: Queryable, page: Place & { limit: number }, reader: Decider): Promise<WaitingThing[]> {
  const [deposits, requests, approvals, disputes] = await Promise.all([
    selectWaitingDeposits(db, page),
    selectWaitingRequests(db, page),
    selectWaitingApprovals(db, page),
    selectOpenDisputes(db, page),
  ]);
  const may = (call: string): boolean => administratorCalls[call]?.roles.includes(reader.role) === true;
  const [mayCredit, mayGiveNames] = [
    may("PATCH /api/:userId/:transferId/:adminId/credit-user"),
    may("PATCH /api/:requestId/approve-whitelist-request"),
  ];
  const rows: WaitingThing[] = [
    ...deposits.map(({ id, amountKobo, isFlagged, createdAt, ...customer }) => {
      return {
        id,
        kind: "deposit" as const,
        what: `Bank deposit of ${nairaOf(amountKobo)}`,
        by: nameOf(customer),
        isFlagged,
        mayDecide: mayCredit,
        createdAt,
      };
    }),
    ...requests.map(({ requestId, senderName, address, email, warnings, lookAlike, createdAt }) => {
      const what = senderName === null ? `IP address ${address}` : `Sender name ${senderName}`;
      return {
        id: requestId,
        kind: "request" as const,
        what,
        by: email,
        isFlagged: warnings.length > 0 || lookAlike !== null,
        mayDecide: mayGiveNames,
        createdAt,
      };
    }),
    ...approvals.map((approval) => {
      const { approvalId, what, askedByName, askedByEmail, createdAt } = approval;
      const by = nameOf({ userName: askedByName, email: askedByEmail });
      return {
        id: approvalId,
        kind: "approval" as const,
        what,
        by,
        isFlagged: false,
        mayDecide: mayDecide(approval, reader),
        createdAt,
      };
    }),
    ...disputes.map(({ id, amountKobo, createdAt, ...customer }) => {
      return {
        id,
        kind: "dispute" as const,
        what: `Disputed card payment of ${nairaOf(amountKobo)}`,
        by: nameOf(customer),
        isFlagged: true,
        mayDecide: mayCredit,
        createdAt,
      };
    }),
  ];
  return rows
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
    .slice(0, page.limit);
}

function nameOf({ userName, email }: { userName: string; email: string }): string {
  return `${userName}, ${email}`;
}

function nairaOf(kobo: number): string {
  return `${formatUnits((kobo * MILLI_PER_UNIT) / 100)} naira`;
}

function cursorOf({ createdAt, id }: WaitingThing): string {
  return `${createdAt.getTime()}_${id}`;
}

function readPlace(after: string | undefined): Place {
  if (after === undefined) return BEGINNING;
  const [, timeMs, afterId] = CURSOR.exec(after) ?? [];
  if (timeMs === undefined || afterId === undefined) throw cursorError();
  return { afterTime: new Date(Number(timeMs)), afterId };
}
