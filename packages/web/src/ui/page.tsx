import type { ReactNode } from "react";
import classes from "./page.module.css";
import { useTitle } from "./use-title.ts";

interface PageProps {
  title: string;
  /** One sentence on what the page is for. */
  intro?: ReactNode;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every signed-in page: names the window, opens with the title, spaces what follows. */
export function Page({ title, intro, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.header}>
        <div>
          <h1>{title}</h1>
          {intro !== undefined && <p className={classes.intro}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}
