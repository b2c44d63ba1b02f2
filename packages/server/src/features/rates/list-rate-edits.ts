import type { ListQuery, RateEditAnswer } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../db/cursor-page.ts";
import type { Deps } from "../../base/deps.ts";
import { presentRateEdit } from "./present.ts";
import { selectEditedRates, selectRateEdits } from "./rate-store.ts";

/** What was changed about the rates, newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listRateEdits(
  { db, clock }: Pick<Deps, "db" | "clock">,
  query: ListQuery & { code?: string | undefined },
): Promise<{ data: RateEditAnswer[]; next: string | null }> {
  assertIdCursor(query.after);
  const now = clock.now();
  const currentIds = new Set((await selectEditedRates(db, now)).map(({ rateEditId }) => rateEditId));
  const code = query.code === "" ? undefined : query.code;
  const select = (limit: number) => selectRateEdits(db, { code, limit, after: query.after });
  const { rows, next } = await readPage(query.limit, select, ({ rateEditId }) => rateEditId);
  return { data: rows.map((edit) => presentRateEdit(edit, { now, currentIds })), next };
}
