/** What carriers bill us: kept by administrators, used by the routes and by the margin. */
import { MILLI_PER_UNIT, rateMilliOf, type CarrierCostBody } from "@ewebal/contract";
import { withTransaction } from "../../../../db/transaction.ts";
import type { Deps } from "../../../../base/deps.ts";
import { AppError } from "../../../../base/errors.ts";
import type { Db } from "../../../../db/pool.ts";
import type { CarrierDefinition } from "../../engine/routing/carrier-pool.ts";
import { viewCarriers } from "../kept/view-carriers.ts";
import { insertCost, selectCosts, type NamedCost } from "./cost-store.ts";

/** Definitions of carriers with what they cost now. */
export function withCosts(
  { db, clock }: Pick<Deps, "clock"> & { db: Db },
  read: () => Promise<readonly CarrierDefinition[]>,
): () => Promise<CarrierDefinition[]> {
  return async () => {
    const [definitions, costs] = [await read(), await selectCosts(db, clock.now())];
    return definitions.map((definition) => {
      const own = costs.filter(({ carrierName }) => carrierName === definition.name);
      return own.length === 0
        ? definition
        : { ...definition, costs: own.map(({ prefix, costMilli }) => ({ prefix, costMilli })) };
    });
  };
}

export type { NamedCost };

/** What holds now, by carrier and prefix. */
export async function viewCarrierCosts({ db, clock }: Pick<Deps, "db" | "clock">): Promise<NamedCost[]> {
  return await selectCosts(db, clock.now());
}

/**
 * Sets what a carrier bills for a part to numbers with a prefix, from now on; null ends it.
 *
 * @param carrierId the carrier's id, or the name of one of the configuration, which has no id.
 * @throws AppError `NOT_FOUND`.
 */
export async function setCarrierCost(
  deps: Deps,
  carrierId: string,
  { prefix, cost }: CarrierCostBody,
  act: { adminId: string; clientAddress: string },
): Promise<NamedCost[]> {
  const carriers = await viewCarriers(deps);
  const carrier = carriers.find(({ _id, name }) => _id === carrierId || (_id === undefined && name === carrierId));
  if (carrier === undefined) throw new AppError("NOT_FOUND");
  const carrierName = carrier.name;
  return await withTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const before = (await selectCosts(tx, now)).find(
      (other) => other.carrierName === carrierName && other.prefix === prefix,
    );
    const costMilli = cost === null ? null : rateMilliOf(cost);
    await insertCost(tx, { carrierName, prefix, costMilli, effectiveAt: now, adminId: act.adminId });
    await deps.recordAudit(tx, {
      ...act,
      action: "set-carrier-cost",
      before: { name: carrierName, prefix, cost: before === undefined ? null : before.costMilli / MILLI_PER_UNIT },
      after: { name: carrierName, prefix, cost },
    });
    return (await selectCosts(tx, now)).filter((other) => other.carrierName === carrierName);
  });
}
