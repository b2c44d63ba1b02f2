import type { ReactNode } from "react";
import { Stack } from "./boxes.tsx";
import classes from "./columns.module.css";

type ColumnsProps = {
  /** How the width is shared on a wide screen; `aside` is a column as wide as a form beside all the rest. */
  shares: "equal" | "3 to 2" | "2 to 3" | "aside";
  children: ReactNode;
};

/** Panels beside each other from 1100 px on, below each other on a narrower screen. */
export function Columns({ shares, children }: ColumnsProps) {
  return (
    <Stack gap={16} align="top" className={classes.columns} data-shares={shares}>
      {children}
    </Stack>
  );
}
