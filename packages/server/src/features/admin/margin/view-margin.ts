import { lagosDate, lagosDayStart, limits, nameCode, type MarginBy } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { selectCustomers } from "../../accounts/index.ts";
import { selectCarrierNames, selectMargins, type MarginRow } from "./margin-store.ts";

const DAY_MS = 86_400_000;
/** More rows than a page can show: those with the least revenue are left out. */
const ROWS_MAX = 1_000;

export type NamedMargin = MarginRow & { name: string };

/** What carriers accepted over some days of Lagos, with what it brought and cost; without days the last 30. */
export async function viewMargin(
  { db, clock }: Pick<Deps, "db" | "clock">,
  by: MarginBy,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Promise<NamedMargin[]> {
  const last = lagosDayStart(to ?? lagosDate(clock.now()));
  const since =
    from === undefined ? new Date(last.getTime() - (limits.dashboardDays - 1) * DAY_MS) : lagosDayStart(from);
  const rows = await selectMargins(db, by, { since, until: new Date(last.getTime() + DAY_MS) }, ROWS_MAX);
  const nameOf = await readNames(db, by, rows);
  return rows.map((row) => ({ ...row, name: nameOf(row.key) }));
}

async function readNames(db: Deps["db"], by: MarginBy, rows: readonly MarginRow[]): Promise<(key: string) => string> {
  if (by === "day") return (key) => key;
  if (by === "country") return (code) => nameCode(code).join(", ");
  if (by === "carrier") {
    const names = await selectCarrierNames(db);
    return (key) => names.get(key) ?? "";
  }
  const customers = await selectCustomers(
    db,
    rows.map(({ key }) => key),
  );
  const names = new Map(customers.map(({ userId, userName }) => [userId, userName]));
  return (key) => names.get(key) ?? "";
}
