import { IconCoins } from "@tabler/icons-react";
import { formatUnits } from "../../lib/texts/format.ts";
import classes from "./balance-pill.module.css";

/** The live balance of the top bar. @param units undefined while it is on its way. */
export function BalancePill({ units }: { units: number | undefined }) {
  return (
    <p className={classes.pill}>
      <IconCoins size={18} stroke={1.7} aria-hidden />
      <span className={classes.label}>Units</span>
      <span className={`${classes.value} numeric`}>{units === undefined ? "" : formatUnits(units)}</span>
    </p>
  );
}
