import { withTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import { useToken } from "./one-time-token.ts";
import { markVerified } from "./store.ts";

/** Uses a verification link. Never unblocks. @throws AppError `LINK_INVALID` for one that is used, old or never was. */
export async function verifyUser(deps: Deps, token: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const userId = await useToken(deps, tx, { purpose: "verify-user", token });
    if (userId === undefined) throw new AppError("LINK_INVALID");
    await markVerified(tx, userId, deps.clock.now());
    await publishChange(tx, { admin: true, topics: ["admin", "newest-customers"] });
  });
}
