import { priceLines } from "./instant-purchase.ts";
import classes from "./price-lines.module.css";
import { Stack } from "../../../ui/layout/boxes.tsx";

/** What an instant purchase costs, in the specified three lines. */
export function PriceLines({ units }: { units: string }) {
  const lines = priceLines(units);
  return (
    <Stack as="dl" gap={8} className={classes.lines} aria-label="Price" aria-live="polite">
      <div className={classes.line}>
        <dt>Units</dt>
        <dd>{lines.units}</dd>
      </div>
      <div className={classes.line}>
        <dt>Transaction cost</dt>
        <dd>{lines.transactionCost}</dd>
      </div>
      <div className={`${classes.line} ${classes.total}`}>
        <dt>Total</dt>
        <dd>{lines.total}</dd>
      </div>
    </Stack>
  );
}
