import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { fieldError } from "../../../base/errors.ts";
import { dndListChanged, publishChange } from "../../../events/index.ts";
import { addDndNumbers, removeDndNumbers } from "../../delivery/index.ts";

type Who = { adminId: string; clientAddress: string };
/** Country code and number, as they are stored and sent. */
const INTERNATIONAL = /^[1-9][0-9]{6,14}$/;
/** A number as people write it in Nigeria. */
const NIGERIAN = /^0(?=[1-9][0-9]{9}$)/;
const NAMED_MAX = 5;
/** An entry of the audit names at most so many numbers, and counts all. */
const AUDITED_MAX = 100;

/** @throws AppError `VALIDATION` that names the entries that are not numbers; nothing is added then. */
export async function addToDndList(deps: Deps, who: Who, text: string): Promise<{ added: number; existing: number }> {
  const phoneNos = readWrittenNumbers(text);
  return await withTransaction(deps.db, async (tx) => {
    const added = await addDndNumbers(tx, { phoneNos, source: "admin" });
    const after = { phoneNos: phoneNos.slice(0, AUDITED_MAX), count: phoneNos.length, added };
    await deps.recordAudit(tx, { ...who, action: "add-dnd-numbers", subjectId: who.adminId, after });
    await publishChange(tx, dndListChanged());
    return { added, existing: phoneNos.length - added };
  });
}

/** @throws AppError `VALIDATION` that names the entries that are not numbers; nothing is removed then. */
export async function removeFromDndList(deps: Deps, who: Who, text: string): Promise<{ removed: number }> {
  const phoneNos = readWrittenNumbers(text);
  return await withTransaction(deps.db, async (tx) => {
    const removed = await removeDndNumbers(tx, phoneNos);
    const before = { phoneNos: phoneNos.slice(0, AUDITED_MAX), count: phoneNos.length, removed };
    await deps.recordAudit(tx, { ...who, action: "remove-dnd-numbers", subjectId: who.adminId, before });
    await publishChange(tx, dndListChanged());
    return { removed };
  });
}

/** @returns each number once. Commas, semicolons and line breaks separate numbers; spaces and punctuation within them are dropped. */
export function readWrittenNumbers(text: string): number[] {
  const written = text
    .split(/[,;\r\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const numbers = written.map((part) => part.replace(/[\s()+-]/g, "").replace(NIGERIAN, "234"));
  const wrong = written.filter((_, index) => !INTERNATIONAL.test(numbers[index] ?? ""));
  if (wrong.length > 0) {
    const rest = wrong.length > NAMED_MAX ? ` and ${wrong.length - NAMED_MAX} more` : "";
    throw fieldError(
      "phoneNo",
      `has entries that are not numbers with a country code: ${wrong.slice(0, NAMED_MAX).join(", ")}${rest}`,
    );
  }
  if (numbers.length === 0) throw fieldError("phoneNo", "has no number");
  return [...new Set(numbers)].map(Number);
}
