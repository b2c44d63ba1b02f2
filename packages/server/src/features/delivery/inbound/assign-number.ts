import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { inboundNumbersChanged, publishChange } from "../../../events/index.ts";
import { deleteInboundNumber, insertInboundNumber, selectUserName } from "./inbox-store.ts";
import { readAddress } from "./route-inbound.ts";

const NUMBER = /^[0-9]{3,15}$/;

type Who = { adminId: string; clientAddress: string };

/**
 * Gives a number, or one keyword of it, to a customer. What came to it before stays nobody's.
 *
 * @throws AppError `VALIDATION` for what is no number; `NOT_FOUND` for an unknown customer; `STATE_CONFLICT` when the pair is somebody's.
 */
export async function assignNumber(
  deps: Deps,
  who: Who,
  asked: { number: string; keyword: string | undefined; userId: string },
): Promise<{ numberId: string }> {
  const number = readAddress(asked.number);
  if (!NUMBER.test(number)) throw fieldError("number", "must be a number with its country code, or a short code");
  const keyword = (asked.keyword ?? "").normalize("NFKC").toUpperCase();
  const { userId } = asked;
  return await withTransaction(deps.db, async (tx) => {
    if ((await selectUserName(tx, userId)) === undefined)
      throw new AppError("NOT_FOUND", { message: "There is no such customer" });
    const numberId = uuidv7();
    const isFree = await insertInboundNumber(tx, { numberId, number, keyword, userId, createdAt: deps.clock.now() });
    if (!isFree)
      throw new AppError("STATE_CONFLICT", {
        message: keyword === "" ? "This number is assigned already" : "This keyword of the number is assigned already",
      });
    const after = { number, ...(keyword !== "" && { keyword }) };
    await deps.recordAudit(tx, { ...who, action: "assign-number", subjectId: userId, after });
    await publishChange(tx, inboundNumbersChanged());
    return { numberId };
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function unassignNumber(deps: Deps, who: Who, numberId: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const removed = await deleteInboundNumber(tx, numberId);
    if (removed === undefined) throw new AppError("NOT_FOUND");
    const { userId: subjectId, number, keyword } = removed;
    const before = { number, ...(keyword !== "" && { keyword }) };
    await deps.recordAudit(tx, { ...who, action: "unassign-number", subjectId, before });
    await publishChange(tx, inboundNumbersChanged());
  });
}
