import { idSchema, type ListQuery, type UserAnswer } from "@ewebal/contract";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { readBalances } from "../../ledger/index.ts";
import { presentUser } from "./present.ts";
import { idleSince } from "./sessions.ts";
import { findUser, selectUsers, type SessionLimits, type User } from "./store.ts";
import { readSummaries, type UserSummaryPart } from "./user-summary.ts";

type ViewDeps = Pick<Deps, "config" | "db" | "clock">;

/** @throws AppError `NOT_FOUND`. */
export async function viewUser(deps: ViewDeps, parts: readonly UserSummaryPart[], userId: string): Promise<UserAnswer> {
  const user = await findUser(deps.db, userId, sessionLimits(deps));
  if (user === undefined) throw new AppError("NOT_FOUND");
  const [answer] = await presentAll(deps, parts, [user]);
  if (answer === undefined) throw new AppError("NOT_FOUND");
  return answer;
}

/** @throws AppError `VALIDATION` for a cursor that is none. */
export async function viewUsers(
  deps: ViewDeps,
  parts: readonly UserSummaryPart[],
  query: ListQuery & { search?: string | undefined },
): Promise<{ data: UserAnswer[]; next: string | null }> {
  if (query.after !== undefined && !idSchema.safeParse(query.after).success) throw fieldError("after", "is not a cursor of this list");
  // One more than asked tells whether there is a next page.
  const list = { limit: query.limit + 1, after: query.after, search: query.search };
  const users = await selectUsers(deps.db, list, sessionLimits(deps));
  const shown = users.slice(0, query.limit);
  return { data: await presentAll(deps, parts, shown), next: users.length > query.limit ? (shown.at(-1)?.userId ?? null) : null };
}

async function presentAll(deps: ViewDeps, parts: readonly UserSummaryPart[], users: readonly User[]): Promise<UserAnswer[]> {
  if (users.length === 0) return [];
  const summaryOf = await readSummaries(deps.db, parts, users);
  const balances = await readBalances(deps.db, users.map(({ userId }) => userId));
  return users.map((user) => presentUser(user, summaryOf(user.userId), balances.get(user.userId)?.freeMilli ?? 0));
}

function sessionLimits({ config, clock }: ViewDeps): SessionLimits {
  const now = clock.now();
  return { now, idleSince: idleSince(config, now) };
}
