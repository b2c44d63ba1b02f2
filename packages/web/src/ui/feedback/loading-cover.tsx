import { Loader } from "@mantine/core";
import { Stack } from "../layout/boxes.tsx";
import classes from "./loading-cover.module.css";

/** Covers the whole screen while something runs that nothing may interrupt. */
export function LoadingCover({ label }: { label: string }) {
  return (
    <Stack gap={16} align="center" className={classes.cover} role="status">
      <Loader size={40} aria-hidden />
      <p className={classes.label}>{label}</p>
    </Stack>
  );
}
