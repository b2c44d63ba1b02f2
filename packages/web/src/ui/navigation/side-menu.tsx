import { IconLogout, type Icon } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useId, type CSSProperties } from "react";
import { Stack } from "../layout/boxes.tsx";
import classes from "./side-menu.module.css";

export type MenuEntry = {
  label: string;
  to: string;
  icon: Icon;
  /** Set for an entry whose address others begin with. */
  isExact?: boolean;
  /** How much waits on its page, when anything does. */
  waitingCount?: number;
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

/** For the style sheet, which makes the rows as low as the window asks for. */
function countsOf(panels: readonly MenuPanel[]): CSSProperties {
  const rowCount = panels.reduce((count, { entries }) => count + entries.length, 0);
  return { "--panel-count": panels.length, "--row-count": rowCount } as CSSProperties;
}

/** More digits would not fit beside the longest name. */
const COUNT_SHOWN_MAX = 999;

function Entry({ entry: { label, to, icon: EntryIcon, isExact = false, waitingCount = 0 } }: { entry: MenuEntry }) {
  const id = useId();
  const count = waitingCount > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(waitingCount);
  return (
    <li>
      <Link
        to={to}
        className={classes.entry}
        activeOptions={{ exact: isExact, includeSearch: false }}
        aria-describedby={waitingCount > 0 ? id : undefined}
      >
        <EntryIcon size={18} stroke={1.7} aria-hidden />
        {label}
        {waitingCount > 0 && (
          <span className={classes.count} aria-hidden>
            {count}
          </span>
        )}
      </Link>
      {waitingCount > 0 && (
        <span id={id} hidden>
          {count} waiting
        </span>
      )}
    </li>
  );
}

/** The side menu of a dashboard: entries in titled panels, and below them Logout, which is always in sight. */
export function SideMenu({ label, panels, onLogout }: SideMenuProps) {
  return (
    <nav className={classes.menu} aria-label={label}>
      <div className={classes.panels} style={countsOf(panels)}>
        {panels.map(({ title, entries }) => (
          <div key={title}>
            <h2 className={classes.title}>{title}</h2>
            <Stack as="ul">
              {entries.map((entry) => (
                <Entry key={entry.to} entry={entry} />
              ))}
            </Stack>
          </div>
        ))}
      </div>
      <button type="button" className={`${classes.entry} ${classes.logout}`} onClick={onLogout}>
        <IconLogout size={18} stroke={1.7} aria-hidden />
        Logout
      </button>
    </nav>
  );
}
