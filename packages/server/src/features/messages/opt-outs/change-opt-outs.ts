import { dialCodeSchema, type OptOutSource } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { assertNumbersTaken, readContactFile, withReceivedForm, type FormSource } from "../../contacts/index.ts";
import { addOptOuts, removeOptOuts } from "../../delivery/index.ts";
import { readRatesAt } from "../../rates/index.ts";
import { readWrittenNumbers } from "../dnd/change-dnd-list.ts";

export type Added = { added: number; existing: number };

/** @throws AppError `VALIDATION` that names the entries that are not numbers; nothing is added then. */
export async function addToOptOuts(
  { db }: Pick<Deps, "db">,
  userId: string,
  text: string,
  source: OptOutSource,
): Promise<Added> {
  const phoneNos = readWrittenNumbers(text);
  return await withTransaction(db, async (tx) => {
    const added = await addOptOuts(tx, { userId, phoneNos, source });
    return { added, existing: phoneNos.length - added };
  });
}

/** @throws AppError `VALIDATION` that names the entries that are not numbers; nothing is removed then. */
export async function removeFromOptOuts(
  { db }: Pick<Deps, "db">,
  userId: string,
  text: string,
): Promise<{ removed: number }> {
  const phoneNos = readWrittenNumbers(text);
  return await withTransaction(db, async (tx) => ({ removed: await removeOptOuts(tx, userId, phoneNos) }));
}

/**
 * Puts the numbers of an uploaded file onto the list, all or, when a row is wrong, none.
 *
 * @throws AppError `RATE_LIMITED`, `VALIDATION` for the form, its code or its rows, and as `withReceivedForm`.
 */
export async function importOptOuts(deps: Deps, userId: string, source: FormSource): Promise<Added> {
  await countTry(deps, deps.db, rateRules.contactFile, userId);
  return await withReceivedForm(source, async ({ file, fields: { code = "", ...others } }) => {
    const unknown = Object.keys(others);
    if (unknown.length > 0)
      throw new AppError("VALIDATION", {
        fields: Object.fromEntries(unknown.map((name) => [name, "is not a field of this call"])),
      });
    if (!dialCodeSchema.safeParse(code).success) throw fieldError("code", "is not a dialling code");
    const rates = await readRatesAt(deps.db, deps.clock.now());
    const read = await readContactFile(file, code, { rates, columns: undefined, mapping: undefined });
    assertNumbersTaken(read, false, { field: "csv", noun: "row" });
    return await withTransaction(deps.db, async (tx) => {
      const added = await addOptOuts(tx, { userId, phoneNos: [...read.numbers], source: "import" });
      return { added, existing: read.numbers.length - added };
    });
  });
}
