import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { hashPassword } from "../passwords/passwords.ts";
import type { Registration } from "./register-user.ts";
import { insertUser, markVerified } from "../users/user-store.ts";

/**
 * Makes a customer whose mailbox needs no proof, for whoever holds the machine: the demo, a seed.
 *
 * @returns undefined when the address is taken.
 */
export async function addVerifiedUser(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  { password, ...facts }: Registration,
): Promise<{ userId: string } | undefined> {
  const now = deps.clock.now();
  const userId = uuidv7();
  if (!(await insertUser(tx, { ...facts, userId, passwordHash: await hashPassword(password), createdAt: now })))
    return undefined;
  await markVerified(tx, userId, now);
  return { userId };
}
