import type { Queryable } from "../db/pool.ts";
import type { MovementRow } from "./statement-store.ts";
import { selectMovements } from "./statement-store.ts";

export type MovementCause = "message" | "refund" | "payment" | "deposit" | "credit" | "reversal";

/** Where a movement stands among a customer's; microseconds since 1970, because milliseconds would not tell two apart. */
export type MovementPosition = { atMicros: number; movementId: string };

/** One line of a statement. A message's line changes while the message is being sent, and never again once `isFinal`. */
export type Movement = MovementPosition & {
  createdAt: Date;
  cause: MovementCause;
  /** The message's id, or the reference of the payment, deposit or credit. */
  reference: string;
  /** What the free units gained; negative for what was spent or set aside. */
  amountMilli: number;
  /** The free units after this line. */
  balanceMilli: number;
  isFinal: boolean;
};

/**
 * A customer's movements, newest first: the first line's balance is what is free now, and each line's balance is the one
 * below it plus its own amount. All lines of a call belong to one moment.
 *
 * @param page after starts behind that line; limit is the most that is returned.
 */
export async function listMovements(
  db: Queryable,
  userId: string,
  page: { limit: number; after?: MovementPosition },
): Promise<Movement[]> {
  const rows = await selectMovements(db, userId, page);
  return rows.map((row: MovementRow) => ({ ...row, createdAt: new Date(row.atMicros / 1_000) }));
}
