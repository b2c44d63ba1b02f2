import {
  MILLI_PER_UNIT,
  nameCode,
  priceRoutes as contract,
  type CustomerPriceAnswer,
  type PriceTier,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin, requireCustomer } from "../../http/session/session.ts";
import { viewOwnRates } from "./price-of.ts";
import { setCustomerPrice, setTiers, viewCustomerPrices, viewTiers, type StatedPrice } from "./set-prices.ts";

function presentCustomerPrice(price: StatedPrice): CustomerPriceAnswer {
  return {
    _id: price.customerPriceId,
    userID: price.userId,
    code: price.code,
    country: nameCode(price.code).join(", "),
    ...(price.class !== null && { class: price.class }),
    rate: price.rateMilli === null ? null : price.rateMilli / MILLI_PER_UNIT,
    from: price.effectiveAt.toISOString(),
    state: price.state,
    createdAt: price.createdAt.toISOString(),
  };
}

function presentTier({ unitsPerMonthMilli, discountBasisPoints }: PriceTier) {
  return { unitsPerMonth: unitsPerMonthMilli / MILLI_PER_UNIT, discountPercent: discountBasisPoints / 100 };
}

/** What single customers pay: shown to them, and changed by administrators. */
export function priceRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.ownRates,
    onRequest: requireCustomer,
    handler: async ({ params: { userId } }) => {
      const { rows, nextChangeAt, discountBasisPoints } = await viewOwnRates(deps, userId);
      return {
        message: "Rates",
        data: rows,
        nextChangeAt: nextChangeAt?.toISOString() ?? null,
        discountPercent: discountBasisPoints / 100,
      };
    },
  });
  app.route({
    ...contract.viewCustomerPrices,
    onRequest: requireAdmin,
    handler: async ({ params: { userId } }) => {
      const { prices, tier } = await viewCustomerPrices(deps, userId);
      const { discountBasisPoints, usedMilli } = tier;
      return {
        message: "Prices",
        data: {
          prices: prices.map(presentCustomerPrice),
          discountPercent: discountBasisPoints / 100,
          unitsPerMonth: usedMilli / MILLI_PER_UNIT,
        },
      };
    },
  });
  app.route({
    ...contract.setCustomerPrice,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      const data = presentCustomerPrice(await setCustomerPrice(deps, body, { adminId, clientAddress: ip }));
      return { message: data.state === "planned" ? "The price is planned" : "The price is changed", data };
    },
  });
  app.route({
    ...contract.viewTiers,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Tiers", data: (await viewTiers(deps)).map(presentTier) }),
  });
  app.route({
    ...contract.setTiers,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }) => {
      const tiers = await setTiers(deps, body, { adminId, clientAddress: ip });
      return { message: "The tiers are changed", data: tiers.map(presentTier) };
    },
  });
}
