import { IconAntennaBarsOff } from "@tabler/icons-react";
import { useBrand } from "../lib/brand.ts";
import classes from "./banner.module.css";

/** The simulator is never mistaken for a carrier. */
export function SimulatorBanner() {
  if (useBrand()?.isSimulated !== true) return null;
  return (
    <div className={classes.banner} data-tone="info">
      <IconAntennaBarsOff size={16} stroke={1.8} aria-hidden />
      <span>Simulator: no real SMS leaves this machine</span>
    </div>
  );
}
