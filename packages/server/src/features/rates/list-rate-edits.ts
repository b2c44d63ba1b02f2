import { idSchema, type ListQuery, type RateEditAnswer } from "@ewebal/contract";
import type { Deps } from "../../deps.ts";
import { fieldError } from "../../errors.ts";
import { presentRateEdit } from "./present.ts";
import { selectEditedRates, selectRateEdits } from "./rate-store.ts";

/** What was changed about the rates, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listRateEdits(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { code, limit, after }: ListQuery & { code?: string | undefined },
): Promise<{ data: RateEditAnswer[]; next: string | null }> {
  if (after !== undefined && !idSchema.safeParse(after).success) throw fieldError("after", "is not a cursor of this list");
  const now = clock.now();
  const currentIds = new Set((await selectEditedRates(db, now)).map(({ rateEditId }) => rateEditId));
  // One more than asked tells whether there is a next page.
  const found = await selectRateEdits(db, { code: code === "" ? undefined : code, limit: limit + 1, after });
  const data = found.slice(0, limit).map((edit) => presentRateEdit(edit, { now, currentIds }));
  return { data, next: found.length > limit ? (data.at(-1)?._id ?? null) : null };
}
