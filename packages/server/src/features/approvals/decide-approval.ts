import type { ApprovalKindName, ListQuery } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import { type Approval, findApproval, findDecider, lockApproval, selectWaiting } from "./approval-store.ts";
import { getAdmin, hasRoleFor, isOneself, isSamePerson, mayDecide, settleApproval } from "./ask-approval.ts";

/** Who decides, and from where. */
type Actor = { adminId: string; clientAddress: string };

/** How one kind of approval takes effect. */
export type ApprovalKind = {
  /**
   * Locks what the approval is about, before the approval itself: who decides the subject another way holds the same row
   * first. Not needed where nothing but the approval decides.
   */
  lockSubject?: (tx: Tx, approval: Approval) => Promise<void>;
  /** Does what was asked, in the transaction of the approval. @returns what the administrator who approved is told. */
  carryOut: (tx: Tx, approval: Approval, decider: Actor) => Promise<string>;
  /** Does what a decline brings with it, where that is something. */
  drop?: (tx: Tx, approval: Approval) => Promise<void>;
};

export type ApprovalKinds = Record<ApprovalKindName, ApprovalKind>;

type DecideDeps = Deps & { kinds: ApprovalKinds };

/**
 * Approves or declines, once, also when two administrators press at the same moment. What was asked takes effect in the same
 * transaction, under the name of who approves; the audit says who asked.
 *
 * @returns what the administrator is told.
 * @throws AppError `NOT_FOUND`; `ALREADY_DECIDED`; `SAME_PERSON` for what they asked for themselves and for
 *   what is for them; `FORBIDDEN` when their role does not decide this kind.
 */
export async function decideApproval(
  deps: DecideDeps,
  decision: Actor & { approvalId: string; state: "approved" | "declined" },
): Promise<string> {
  const { approvalId, state, adminId, clientAddress } = decision;
  return await withTransaction(deps.db, async (tx) => {
    const found = await findApproval(tx, approvalId);
    if (found === undefined) throw new AppError("NOT_FOUND");
    const kind = deps.kinds[found.kind];
    await kind.lockSubject?.(tx, found);
    const approval = await lockApproval(tx, approvalId);
    if (approval?.state !== "waiting") throw new AppError("ALREADY_DECIDED");
    const admin = await getAdmin(tx, adminId);
    if (!hasRoleFor(approval, admin)) throw new AppError("FORBIDDEN");
    const { subjectId: id, subjectEmailNow: email } = approval;
    if (isSamePerson(approval, admin) || (await isOneself(tx, admin, { id, email }))) throw new AppError("SAME_PERSON");
    await settleApproval(deps, tx, approval, { state, adminId, clientAddress });
    if (state === "approved") return await kind.carryOut(tx, approval, { adminId, clientAddress });
    await kind.drop?.(tx, approval);
    return "Declined. Nothing was changed";
  });
}

export type ListedApproval = Approval & { mayDecide: boolean };

/**
 * What waits, newest first; each row says whether the reader may decide it.
 *
 * @throws AppError `VALIDATION` for a cursor that is none.
 */
export async function listApprovals(
  db: Queryable,
  readerId: string,
  query: ListQuery,
): Promise<{ rows: ListedApproval[]; next: string | null }> {
  assertIdCursor(query.after);
  const reader = await findDecider(db, readerId);
  const { rows, next } = await readPage(
    query.limit,
    (limit) => selectWaiting(db, { after: query.after, limit }),
    ({ approvalId }) => approvalId,
  );
  const readerMayDecide = (approval: Approval) => reader !== undefined && mayDecide(approval, reader);
  return { rows: rows.map((approval) => ({ ...approval, mayDecide: readerMayDecide(approval) })), next };
}
