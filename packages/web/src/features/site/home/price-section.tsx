import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { formatNaira, formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./price-section.module.css";
import section from "../frame/section.module.css";

const promises = [
  "One page is 160 characters",
  "You see the charge before you send",
  "Duplicate numbers are sent and charged once",
  "Numbers on the do-not-disturb list are skipped and not charged",
];

export function PriceSection() {
  const startingRate = useBrand()?.startingRate;
  return (
    <section id="pricing" className={`${section.section} ${section.tinted}`} aria-labelledby="pricing-title">
      <div className={`${section.wrap} ${classes.grid}`}>
        <div>
          <h2 id="pricing-title" className={section.heading}>
            One price, paid in naira
          </h2>
          <p className={section.lead}>No monthly fee and no contract.</p>
          <Stack as="ul" gap={12} className={classes.promises}>
            {promises.map((promise) => (
              <li key={promise}>
                <IconCheck size={20} stroke={2} aria-hidden />
                {promise}
              </li>
            ))}
          </Stack>
        </div>
        <div className={classes.card}>
          <p className="muted">Nigeria, from</p>
          <p className={`${classes.price} numeric`}>
            {startingRate === undefined ? "" : `₦${formatRate(startingRate)}`}
          </p>
          <p className="muted">per SMS page and recipient</p>
          <p className={classes.example}>
            1,000 customers, one page:{" "}
            <strong className="numeric">{startingRate === undefined ? "" : formatNaira(1_000 * startingRate)}</strong>
          </p>
          <Link to={paths.pricing} className={classes.button}>
            Work out your price
          </Link>
        </div>
      </div>
    </section>
  );
}
