import type { ReactNode } from "react";
import { Inline } from "./boxes.tsx";
import classes from "./panel.module.css";

type PanelProps = {
  title?: string;
  /** Placed at the end of the title's line. */
  aside?: ReactNode;
  /** For a form of plain fields: lines that the eye can follow. */
  isNarrow?: boolean;
  children: ReactNode;
};

/** A card of a signed-in page: surface, thin line, 12 px corners. */
export function Panel({ title, aside, isNarrow = false, children }: PanelProps) {
  return (
    <section className={`${classes.panel} surface`} data-narrow={isNarrow || undefined}>
      {title !== undefined && (
        <Inline gap={12} wraps align="center" justify="between" below={16} className={classes.top}>
          <h2 className={classes.title}>{title}</h2>
          {aside}
        </Inline>
      )}
      {children}
    </section>
  );
}
