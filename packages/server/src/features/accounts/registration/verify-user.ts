import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange } from "../../../events/index.ts";
import { refuseCompanyAddress } from "./company-address.ts";
import { useToken } from "../one-time-token.ts";
import { lockCredentials, markVerified } from "../users/user-store.ts";

/** Uses a verification link. Never unblocks. @throws AppError `LINK_INVALID` for one that is used, old or never was; `HOST_NOT_ALLOWED`. */
export async function verifyUser(deps: Deps, token: string): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const userId = await useToken(deps, tx, { purpose: "verify-user", token });
    if (userId === undefined) throw new AppError("LINK_INVALID");
    const user = await lockCredentials(tx, userId);
    if (user === undefined) throw new AppError("LINK_INVALID");
    // Registered before such mailboxes were refused: the click would open the account to whoever set its password.
    refuseCompanyAddress(deps.config, user.email);
    await markVerified(tx, userId, deps.clock.now());
    await publishChange(tx, { admin: true, topics: ["admin", "newest-customers"] });
  });
}
