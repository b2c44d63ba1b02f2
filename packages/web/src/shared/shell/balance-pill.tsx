import { IconCoins } from "@tabler/icons-react";
import { formatUnits } from "../../lib/texts/format.ts";
import { Inline } from "../../ui/layout/boxes.tsx";
import classes from "./balance-pill.module.css";

/** The live balance of the top bar. @param units undefined while it is on its way. */
export function BalancePill({ units }: { units: number | undefined }) {
  return (
    <Inline as="p" gap={8} align="center" className={`${classes.pill} small nowrap`}>
      <IconCoins size={18} stroke={1.7} aria-hidden />
      <span className="muted">Units</span>
      <span className={`${classes.value} numeric`}>{units === undefined ? "" : formatUnits(units)}</span>
    </Inline>
  );
}
