import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { writeMail } from "../../../mail/index.ts";
import { findCustomer, revokeAnyApiKey } from "../../accounts/index.ts";
import { keyRevokedMail } from "../admin-mails.ts";
import { recordAudit } from "../audit/record-audit.ts";

/**
 * An administrator ends a customer's key; a mail tells the customer.
 *
 * @throws AppError `NOT_FOUND`, also for the second of two administrators.
 */
export async function revokeUserApiKey(
  deps: Deps,
  act: { adminId: string; keyId: string; clientAddress: string },
): Promise<void> {
  const { adminId, keyId, clientAddress } = act;
  await withTransaction(deps.db, async (tx) => {
    const { userId, name } = await revokeAnyApiKey(tx, keyId);
    const customer = await findCustomer(tx, userId);
    if (customer !== undefined) await writeMail(deps, tx, keyRevokedMail(deps.config, customer, name));
    await recordAudit(deps, tx, {
      adminId,
      action: "revoke-user-api-key",
      subjectId: userId,
      before: { name },
      clientAddress,
    });
  });
}
