import { MILLI_PER_UNIT, nameCode, type RateEditAnswer, type RateEditState } from "@ewebal/contract";
import type { RateEdit } from "./rate-store.ts";

/** @param currentIds the edits that hold now. */
export function presentRateEdit(
  edit: RateEdit,
  { now, currentIds }: { now: Date; currentIds: ReadonlySet<string> },
): RateEditAnswer {
  return {
    _id: edit.rateEditId,
    code: edit.code,
    country: nameCode(edit.code).join(", "),
    rate: edit.rateMilli === null ? null : edit.rateMilli / MILLI_PER_UNIT,
    from: edit.effectiveAt.toISOString(),
    state: stateOf(edit, now, currentIds),
    adminName: edit.adminName,
    createdAt: edit.createdAt.toISOString(),
  };
}

function stateOf(
  { rateEditId, effectiveAt, withdrawnAt }: RateEdit,
  now: Date,
  currentIds: ReadonlySet<string>,
): RateEditState {
  if (withdrawnAt !== null) return "withdrawn";
  if (effectiveAt > now) return "planned";
  return currentIds.has(rateEditId) ? "current" : "past";
}
