import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { addressRestrictionChanged, publishChange } from "../../../events/index.ts";
import { updateAddressRestriction } from "../../accounts/index.ts";

/** Programs always need an approved address; with this switch on the dashboard does too, as soon as one is approved. */
export async function restrictDashboard(
  deps: Pick<Deps, "db">,
  change: { userId: string; isRestricted: boolean },
): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    await updateAddressRestriction(tx, change.userId, change.isRestricted);
    await publishChange(tx, addressRestrictionChanged(change.userId));
  });
}
