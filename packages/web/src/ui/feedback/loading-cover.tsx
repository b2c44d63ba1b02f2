import { Loader } from "@mantine/core";
import classes from "./loading-cover.module.css";

/** Covers the whole screen while something runs that nothing may interrupt. */
export function LoadingCover({ label }: { label: string }) {
  return (
    <div className={classes.cover} role="status">
      <Loader size={40} aria-hidden />
      <p className={classes.label}>{label}</p>
    </div>
  );
}
