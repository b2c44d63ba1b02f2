import type { ReactNode } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  title?: string;
  /** Stands at the end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A card of a signed-in page: surface, thin line, 12 px corners. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className={classes.panel}>
      {title !== undefined && (
        <div className={classes.header}>
          <h2 className={classes.title}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
