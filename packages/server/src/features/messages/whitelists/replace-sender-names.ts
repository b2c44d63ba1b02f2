import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import type { Customer } from "../../accounts/index.ts";
import { type Gift, giveOrAsk } from "./give-sender-names.ts";
import { deleteSenderNames, selectSenderNames } from "./whitelist-store.ts";

/**
 * Makes these the sender names that a customer has: new ones are given, with a mail, and those left out are taken away. A new one
 * that reads like a reserved name waits for a second administrator.
 * Messages that are on their way keep the name they were accepted with.
 *
 * @param tx holds the customer's row, so that two replacements follow each other.
 * @param wish names: as `readSenderNames` gives them.
 * @returns the names before and after, in the order in which they came, and what waits.
 */
export async function replaceSenderNames(
  deps: Deps,
  tx: Tx,
  wish: {
    customer: Pick<Customer, "userId" | "userName" | "email">;
    names: string[];
    call: string;
    adminId: string;
    clientAddress: string;
  },
): Promise<{ before: string[]; after: string[]; waiting: Gift["waiting"] }> {
  const { userId } = wish.customer;
  const before = await selectSenderNames(tx, userId);
  await deleteSenderNames(
    tx,
    userId,
    before.filter((name) => !wish.names.includes(name)),
  );
  const { waiting } = await giveOrAsk(deps, tx, wish);
  return { before, after: await selectSenderNames(tx, userId), waiting };
}
