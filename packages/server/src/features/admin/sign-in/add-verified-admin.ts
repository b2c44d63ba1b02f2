import { v7 as uuidv7 } from "uuid";
import type { Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { hashPassword } from "../../accounts/index.ts";
import { lockOwners, selectOwners } from "../team/team-store.ts";
import { insertAdmin } from "../admin-store.ts";
import type { AdminRegistration } from "./register-admin.ts";

/**
 * Makes an administrator whose mailbox needs no proof, for whoever holds the machine: the demo, a seed. The first administrator is owner.
 *
 * @returns undefined when the address is taken.
 */
export async function addVerifiedAdmin(
  deps: Pick<Deps, "clock">,
  tx: Tx,
  { password, ...facts }: AdminRegistration,
): Promise<{ adminId: string } | undefined> {
  const now = deps.clock.now();
  const adminId = uuidv7();
  await lockOwners(tx);
  const role = (await selectOwners(tx)).length === 0 ? "owner" : "admin";
  const isNew = await insertAdmin(tx, {
    ...facts,
    adminId,
    passwordHash: await hashPassword(password),
    createdAt: now,
    verifiedAt: now,
    role,
  });
  return isNew ? { adminId } : undefined;
}
