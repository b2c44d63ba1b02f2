import "../../../ui/styles/forms.css";
import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Stack } from "../../../ui/layout/boxes.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";
import { ChargeCalculator } from "./charge-calculator.tsx";
import { PaymentWays } from "./payment-ways.tsx";
import classes from "./pricing-page.module.css";

const promises = [
  "No monthly fee and no contract",
  "You see the charge before you send",
  "Numbers on the do-not-disturb list are skipped and not charged",
];

/** The price of a send, and the ways to pay for it. */
export function PricingPage() {
  const startingRate = useBrand()?.startingRate;
  return (
    <SitePage
      top={
        <PageTop title="Pricing">
          You buy units in naira and spend them on the pages that you send. One unit is one naira.
        </PageTop>
      }
    >
      <div className={section.section}>
        <div className={`${section.wrap} ${classes.grid}`}>
          <section aria-labelledby="starting-title">
            <h2 id="starting-title" className={classes.heading}>
              Starting rate
            </h2>
            <p className={`${classes.rate} numeric`}>
              {startingRate === undefined ? "" : `₦${formatRate(startingRate)}`}
            </p>
            <p className="muted">per SMS page in Nigeria</p>
            <Stack as="ul" gap={8} className={`${classes.promises} muted`}>
              {promises.map((promise) => (
                <li key={promise}>{promise}</li>
              ))}
            </Stack>
            <p className={classes.more}>
              <Link to={paths.rates}>All countries' SMS rates</Link>
            </p>
          </section>
          <ChargeCalculator />
        </div>
      </div>
      <PaymentWays />
    </SitePage>
  );
}
