import type { ReactNode } from "react";
import classes from "./fold.module.css";

type FoldProps = {
  /** What opens it: says what is inside. */
  label: ReactNode;
  children: ReactNode;
};

/** Holds what few people look for: one line to press, and the rest below it once it is open. */
export function Fold({ label, children }: FoldProps) {
  return (
    <details className={classes.fold}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
