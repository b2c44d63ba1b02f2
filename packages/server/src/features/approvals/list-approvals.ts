import type { ApprovalAnswer, ListQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Queryable } from "../../db/pool.ts";
import { type Approval, type Decider, findDecider, selectWaiting } from "./approval-store.ts";
import { mayDecide } from "./ask-approval.ts";

/**
 * What waits, newest first.
 *
 * @param adminId who reads: each row says whether they may decide it.
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listApprovals(
  db: Queryable,
  adminId: string,
  query: ListQuery,
): Promise<{ data: ApprovalAnswer[]; next: string | null }> {
  assertIdCursor(query.after);
  const reader = await findDecider(db, adminId);
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectWaiting(db, { after: query.after, limit }),
    ({ approvalId }) => approvalId,
  );
  return { data: rows.map((approval) => presentApproval(approval, reader)), next };
}

function presentApproval(approval: Approval, reader: Decider | undefined): ApprovalAnswer {
  const { approvalId, kind, askedByName, askedByEmail, what, createdAt } = approval;
  const by = `${askedByName}, ${askedByEmail}`;
  return {
    _id: approvalId,
    kind,
    by,
    what,
    mayDecide: reader !== undefined && mayDecide(approval, reader),
    createdAt: createdAt.toISOString(),
  };
}
