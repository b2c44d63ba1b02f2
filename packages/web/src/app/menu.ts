import type { WaitingCountsAnswer } from "@ewebal/contract";
import type { MenuEntry, MenuPanel } from "../ui/navigation/side-menu.tsx";
import type { PageRecord } from "./page-record.ts";

type MenuReader = {
  /** An administrator's; undefined for a customer, and while it is not known. */
  role?: string | undefined;
  /** What waits for an administrator; undefined while it is not known. */
  waiting?: WaitingCountsAnswer | undefined;
};

/** The side menu of a dashboard: the entries of its pages' records, panel by panel, in the records' order. */
export function menuOf(
  records: Readonly<Record<string, Pick<PageRecord, "menu">>>,
  addresses: Readonly<Record<string, string>>,
  { role, waiting }: MenuReader = {},
): readonly MenuPanel[] {
  const panels = new Map<string, MenuEntry[]>();
  for (const [name, { menu }] of Object.entries(records)) {
    if (menu === undefined || (menu.isForOwners === true && role !== "owner")) continue;
    const { panel, label, icon, isExact = false, waiting: kinds = [] } = menu;
    const count = waiting === undefined ? 0 : kinds.reduce((sum, kind) => sum + waiting[kind], 0);
    const entries = panels.get(panel) ?? [];
    entries.push({ label, to: addresses[name] ?? "", icon, isExact, ...(count > 0 && { waitingCount: count }) });
    panels.set(panel, entries);
  }
  return [...panels].map(([title, entries]) => ({ title, entries }));
}
