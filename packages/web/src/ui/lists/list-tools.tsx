import type { ReactNode } from "react";
import { Stack } from "../layout/boxes.tsx";
import classes from "./list-tools.module.css";

/** The tools above a list: first its search, then its filters and order. */
export function ListTools({ children }: { children: ReactNode }) {
  return (
    <Stack gap={8} below={16} className={classes.tools}>
      {children}
    </Stack>
  );
}
