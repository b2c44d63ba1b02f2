/**
 * Changing what a page costs. An edit is `planned` until its time, then `current` until a later one comes, then `past`; a
 * planned one can be `withdrawn`. Messages that were accepted keep their price, scheduled ones too: it is stored with them.
 */
import {
  DEFAULT_RATES,
  messageClasses,
  MILLI_PER_UNIT,
  RATE_DAYS_AHEAD_MAX,
  rateMilliOf,
  type EditRateBody,
  type RateEditState,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { ADVISORY_LOCK_CLASS } from "../../db/advisory.ts";
import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../base/deps.ts";
import { AppError, fieldError } from "../../base/errors.ts";
import { publishChange, ratesChanged } from "../../events/index.ts";
import {
  findEditedRate,
  insertRateEdit,
  lockRate,
  lockRateEdit,
  markRateWithdrawn,
  type RateEdit,
} from "./rate-store.ts";

export type Act = { adminId: string; clientAddress: string };

const DAY_MS = 86_400_000;

/** Changes a rate in a transaction of its own, see `changeRate`. */
export async function editRate(deps: Deps, body: EditRateBody, act: Act): Promise<StatedEdit> {
  return await withTransaction(deps.db, (tx) => changeRate(deps, tx, body, act));
}

/**
 * @param tx open transaction; other edits of the code wait until it ends.
 * @throws AppError `VALIDATION` for a time that is not in the future; `STATE_CONFLICT` when the code has this rate already, also for
 * the second of two administrators who save at once.
 */
export async function changeRate(
  deps: Deps,
  tx: Tx,
  { code, rate, from, class: messageClass }: EditRateBody,
  act: Act,
): Promise<StatedEdit> {
  const now = deps.clock.now();
  const effectiveAt = from === undefined ? now : new Date(from);
  if (from !== undefined) checkRateTime(effectiveAt, now);
  const rateMilli = rate === null ? null : rateMilliOf(rate);
  await lockRate(tx, ADVISORY_LOCK_CLASS.rateEdit, code);
  const specifiedMilli = DEFAULT_RATES.get(code);
  const classes = messageClass === undefined ? messageClasses : [messageClass];
  const before: (number | undefined)[] = [];
  for (const each of classes) before.push((await findEditedRate(tx, code, effectiveAt, each)) ?? specifiedMilli);
  const [beforeMilli] = before;
  if (before.every((milli) => milli === (rateMilli ?? specifiedMilli)))
    throw new AppError("STATE_CONFLICT", { message: "The code has this rate already" });
  const edit = await insertRateEdit(tx, {
    rateEditId: uuidv7(),
    code,
    class: messageClass ?? null,
    rateMilli,
    effectiveAt,
    adminId: act.adminId,
    createdAt: now,
  });
  await deps.recordAudit(tx, {
    ...act,
    action: "edit-rate",
    subjectId: edit.rateEditId,
    before: { code, rate: beforeMilli === undefined ? null : beforeMilli / MILLI_PER_UNIT },
    after: { code, rate, ...(messageClass && { class: messageClass }), from: effectiveAt.toISOString() },
  });
  await publishChange(tx, ratesChanged());
  return withState(edit, now, new Set([edit.rateEditId]));
}

/**
 * Withdraws a planned rate before its time.
 *
 * @throws AppError `NOT_FOUND`; `STATE_CONFLICT` when it is in force already, or somebody else withdrew it first.
 */
export async function withdrawRate(deps: Deps, rateEditId: string, act: Act): Promise<StatedEdit> {
  return await withTransaction(deps.db, async (tx) => {
    const edit = await lockRateEdit(tx, rateEditId);
    if (edit === undefined) throw new AppError("NOT_FOUND");
    const now = deps.clock.now();
    if (edit.withdrawnAt !== null) throw new AppError("STATE_CONFLICT", { message: "This rate was withdrawn already" });
    if (edit.effectiveAt <= now)
      throw new AppError("STATE_CONFLICT", { message: "This rate is in force already. Set another one instead" });
    await markRateWithdrawn(tx, rateEditId, now);
    await deps.recordAudit(tx, {
      ...act,
      action: "withdraw-rate",
      subjectId: rateEditId,
      before: {
        code: edit.code,
        rate: edit.rateMilli === null ? null : edit.rateMilli / MILLI_PER_UNIT,
        from: edit.effectiveAt.toISOString(),
      },
    });
    await publishChange(tx, ratesChanged());
    return withState({ ...edit, withdrawnAt: now }, now, new Set());
  });
}

/** @throws AppError `VALIDATION` for a time that is not in the future, or too far ahead. */
export function checkRateTime(effectiveAt: Date, now: Date): void {
  if (effectiveAt <= now) throw fieldError("from", "must be in the future");
  if (effectiveAt.getTime() - now.getTime() > RATE_DAYS_AHEAD_MAX * DAY_MS)
    throw fieldError("from", `must be within ${RATE_DAYS_AHEAD_MAX} days`);
}

export type StatedEdit = RateEdit & { state: RateEditState };

/** @param currentIds the edits that hold now. */
export function withState(edit: RateEdit, now: Date, currentIds: ReadonlySet<string>): StatedEdit {
  return { ...edit, state: stateOf(edit, now, currentIds) };
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
