import { useRouterState } from "@tanstack/react-router";
import classes from "./progress-line.module.css";

/** A thin line at the top while the next page is fetched; it appears only when that takes longer than a blink. */
export function ProgressLine() {
  const isLoading = useRouterState({ select: ({ status }) => status === "pending" });
  return isLoading ? <div className={classes.line} role="progressbar" aria-label="Loading the page" /> : null;
}
