import type { ReactNode } from "react";
import { Stack } from "../layout/boxes.tsx";
import classes from "./list-tools.module.css";

/** What stands over a list: its search first, then what it is filtered and ordered by. */
export function ListTools({ children }: { children: ReactNode }) {
  return (
    <Stack gap={8} below={16} className={classes.tools}>
      {children}
    </Stack>
  );
}
