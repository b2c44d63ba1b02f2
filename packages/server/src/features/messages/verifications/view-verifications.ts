import { lagosDayStart, type ListQuery } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import {
  type CodeDay,
  findVerification,
  selectCodeDays,
  selectVerifications,
  type Verification,
  type VerificationKey,
} from "./verification-store.ts";

export type { Verification } from "./verification-store.ts";

const DAY_MS = 24 * 3_600_000;

type Owner = Pick<Verification, "userId" | "mode">;

/** Newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listVerifications(
  db: Queryable,
  owner: Owner,
  { limit, after }: ListQuery,
): Promise<{ rows: Verification[]; next: string | null }> {
  assertIdCursor(after);
  return await readPage(
    limit,
    (rowsMax) => selectVerifications(db, { ...owner, after, limit: rowsMax }),
    ({ verificationId }) => verificationId,
  );
}

/** @throws AppError `NOT_FOUND`. */
export async function getVerification(db: Queryable, key: Owner & VerificationKey): Promise<Verification> {
  const found = await findVerification(db, key);
  if (found === undefined) throw new AppError("NOT_FOUND");
  return found;
}

/** @returns whether it takes no tries any more, and was not decided by one. */
export function isOver({ state, expiresAt, triesLeft }: Verification, now: Date): boolean {
  return state === "ended" || expiresAt <= now || triesLeft === 0;
}

/** What came of a customer's codes on these days of Lagos, in order, empty ones too. */
export async function viewCodeDays(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { userId, days }: { userId: string; days: readonly string[] },
): Promise<CodeDay[]> {
  const from = lagosDayStart(days[0] ?? "");
  const until = new Date(lagosDayStart(days.at(-1) ?? "").getTime() + DAY_MS);
  const rows = await selectCodeDays(db, { userId, from, until, now: clock.now() });
  const found = new Map(rows.map((row) => [row.day, row] as const));
  return days.map((day) => found.get(day) ?? { day, sent: 0, verified: 0, expired: 0 });
}
