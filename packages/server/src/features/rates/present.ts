import { MILLI_PER_UNIT, nameCode, type AdminRateAnswer, type RateEditAnswer } from "@ewebal/contract";
import type { StatedEdit } from "./edit-rate.ts";
import type { AdminRate } from "./list-rates.ts";

export function presentRateEdit(edit: StatedEdit): RateEditAnswer {
  return {
    _id: edit.rateEditId,
    code: edit.code,
    country: nameCode(edit.code).join(", "),
    rate: edit.rateMilli === null ? null : edit.rateMilli / MILLI_PER_UNIT,
    from: edit.effectiveAt.toISOString(),
    state: edit.state,
    adminName: edit.adminName,
    createdAt: edit.createdAt.toISOString(),
  };
}

export function presentAdminRate({ rateMilli, specifiedMilli, planned, ...rate }: AdminRate): AdminRateAnswer {
  return {
    ...rate,
    rate: rateMilli / MILLI_PER_UNIT,
    specifiedRate: specifiedMilli / MILLI_PER_UNIT,
    planned: planned.map(presentRateEdit),
  };
}
