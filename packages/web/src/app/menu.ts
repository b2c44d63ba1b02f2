import type { MenuEntry, MenuPanel } from "../ui/navigation/side-menu.tsx";
import type { PageRecord } from "./page-record.ts";

/** The side menu of a dashboard: the entries of its pages' records, panel by panel, in the records' order. */
export function menuOf(
  records: Readonly<Record<string, PageRecord>>,
  addresses: Readonly<Record<string, string>>,
  role?: string,
): readonly MenuPanel[] {
  const panels = new Map<string, MenuEntry[]>();
  for (const [name, { menu }] of Object.entries(records)) {
    if (menu === undefined || (menu.isForOwners === true && role !== "owner")) continue;
    const { panel, label, icon, isExact = false } = menu;
    const entries = panels.get(panel) ?? [];
    entries.push({ label, to: addresses[name] ?? "", icon, isExact });
    panels.set(panel, entries);
  }
  return [...panels].map(([title, entries]) => ({ title, entries }));
}
