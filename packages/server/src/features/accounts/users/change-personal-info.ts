import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { publishChange } from "../../../events/index.ts";
import { updatePersonalInfo } from "./user-store.ts";

/** A customer's own names and phone number, and nothing else of them. */
export async function changePersonalInfo(
  deps: Pick<Deps, "db">,
  userId: string,
  info: { userName: string; fullName: string; phoneNo: string },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await updatePersonalInfo(tx, userId, info);
    await publishChange(tx, { userId, topics: ["user"] });
    await publishChange(tx, { admin: true, topics: ["admin"] });
  });
}
