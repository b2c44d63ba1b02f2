import {
  rateRoutes as contract,
  siteRoutes,
  MILLI_PER_UNIT,
  nameCode,
  type AdminRateAnswer,
  type RateEditAnswer,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { requireAdmin } from "../../http/session/session.ts";
import { editRate, withdrawRate, type StatedEdit } from "./edit-rate.ts";
import { listRateEdits, viewAdminRates, viewPublicRates, type AdminRate } from "./list-rates.ts";

function presentRateEdit(edit: StatedEdit): RateEditAnswer {
  return {
    _id: edit.rateEditId,
    code: edit.code,
    country: nameCode(edit.code).join(", "),
    ...(edit.class !== null && { class: edit.class }),
    rate: edit.rateMilli === null ? null : edit.rateMilli / MILLI_PER_UNIT,
    from: edit.effectiveAt.toISOString(),
    state: edit.state,
    adminName: edit.adminName,
    createdAt: edit.createdAt.toISOString(),
  };
}

function presentAdminRate({
  rateMilli,
  transactionalMilli,
  specifiedMilli,
  planned,
  ...rate
}: AdminRate): AdminRateAnswer {
  return {
    ...rate,
    rate: rateMilli / MILLI_PER_UNIT,
    transactionalRate: transactionalMilli / MILLI_PER_UNIT,
    specifiedRate: specifiedMilli / MILLI_PER_UNIT,
    planned: planned.map(presentRateEdit),
  };
}

/** What a page costs, for everybody; and changing it, for administrators. */
export function rateRoutes(app: App, deps: Deps): void {
  app.route({ ...siteRoutes.rates, handler: async () => await viewPublicRates(deps) });
  app.route({
    ...contract.viewRates,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Rates", data: (await viewAdminRates(deps)).map(presentAdminRate) }),
  });
  app.route({
    ...contract.viewRateEdits,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listRateEdits(deps, query);
      return { data: rows.map(presentRateEdit), next };
    },
  });
  app.route({
    ...contract.editRate,
    onRequest: requireAdmin,
    handler: async (request) => {
      const act = { adminId: request.params.adminId, clientAddress: request.ip };
      const data = presentRateEdit(await editRate(deps, request.body, act));
      return { message: data.state === "planned" ? "The rate is planned" : "The rate is changed", data };
    },
  });
  app.route({
    ...contract.withdrawRate,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { adminId, rateEditId } = request.params;
      const data = presentRateEdit(await withdrawRate(deps, rateEditId, { adminId, clientAddress: request.ip }));
      return { message: "The planned rate is withdrawn", data };
    },
  });
}
