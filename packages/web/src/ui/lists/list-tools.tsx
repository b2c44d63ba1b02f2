import type { ReactNode } from "react";
import classes from "./list-tools.module.css";

/** What stands over a list: its search first, then what it is filtered and ordered by. */
export function ListTools({ children }: { children: ReactNode }) {
  return <div className={classes.tools}>{children}</div>;
}
