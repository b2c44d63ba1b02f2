/** What administrators' changes of carriers have in common, whatever protocol the carrier speaks. */
import type { AuditEntry, Deps } from "../../../../base/deps.ts";
import { fieldError } from "../../../../base/errors.ts";
import type { Tx } from "../../../../db/transaction.ts";
import { carriersChanged, publishChange } from "../../../../events/index.ts";
import { SIMULATOR_NAME } from "./simulator-carrier.ts";

export type Act = { adminId: string; clientAddress: string };

/** @throws AppError `VALIDATION` for the name of the simulator, or of a carrier of the configuration. */
export function refuseTakenName(deps: Deps, name: string): void {
  const taken = [SIMULATOR_NAME, ...(deps.config.carriers ?? []).map((carrier) => carrier.name)].map((each) =>
    each.toLowerCase(),
  );
  if (taken.includes(name.toLowerCase())) throw fieldError("name", "is the name of another carrier");
}

/** Records a change and publishes it. Pages show whether the simulator carries now. */
export async function finish(deps: Deps, tx: Tx, entry: AuditEntry): Promise<void> {
  await deps.recordAudit(tx, entry);
  await publishChange(tx, carriersChanged());
}
