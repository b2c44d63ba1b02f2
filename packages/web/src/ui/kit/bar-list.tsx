import type { ReactNode } from "react";
import classes from "./bar-list.module.css";
import { TextLink } from "./links.tsx";
import { Inline, Stack } from "../layout/boxes.tsx";

export type Bar = {
  key: string;
  name: string;
  /** Makes the name a link. */
  to?: string;
  /** Smaller text after the name. */
  note: ReactNode;
  /** Already formatted. */
  value: string;
  /** Length of the bar, 0 to 100. */
  percent: number;
};

/** Figures side by side, each with its words above its bar: a chart that is read like a list. */
export function BarList({ bars, color }: { bars: readonly Bar[]; color: string }) {
  return (
    <Stack as="ul" className={classes.bars}>
      {bars.map(({ key, name, to, note, value, percent }) => (
        <li key={key}>
          <Inline gap={16} align="baseline" justify="between" className="small">
            <span className="shrinkable strong anywhere">
              {to === undefined ? name : <TextLink to={to}>{name}</TextLink>}
              <span className={classes.note}>{note}</span>
            </span>
            <span className="rigid numeric">{value}</span>
          </Inline>
          <div className={classes.track} aria-hidden>
            <div
              className={classes.bar}
              style={{ width: `${Math.min(100, Math.max(0, percent))}%`, background: color }}
            />
          </div>
        </li>
      ))}
    </Stack>
  );
}
