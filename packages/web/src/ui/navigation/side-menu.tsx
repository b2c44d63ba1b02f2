import { IconLogout, type Icon } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Stack } from "../layout/boxes.tsx";
import classes from "./side-menu.module.css";

export type MenuEntry = {
  label: string;
  to: string;
  icon: Icon;
  /** Set for an entry whose address others begin with. */
  isExact?: boolean;
};

export type MenuPanel = {
  title: string;
  entries: readonly MenuEntry[];
};

type SideMenuProps = {
  label: string;
  panels: readonly MenuPanel[];
  onLogout: () => void;
};

/** The side menu of a dashboard: entries in titled panels, Logout at the end. */
export function SideMenu({ label, panels, onLogout }: SideMenuProps) {
  return (
    <nav className={classes.menu} aria-label={label}>
      {panels.map(({ title, entries }) => (
        <Stack key={title} gap={6}>
          <h2 className={classes.title}>{title}</h2>
          <Stack as="ul" gap={2}>
            {entries.map(({ label: name, to, icon: EntryIcon, isExact = false }) => (
              <li key={to}>
                <Link to={to} className={classes.entry} activeOptions={{ exact: isExact, includeSearch: false }}>
                  <EntryIcon size={18} stroke={1.7} aria-hidden />
                  {name}
                </Link>
              </li>
            ))}
          </Stack>
        </Stack>
      ))}
      <button type="button" className={`${classes.entry} ${classes.logout}`} onClick={onLogout}>
        <IconLogout size={18} stroke={1.7} aria-hidden />
        Logout
      </button>
    </nav>
  );
}
