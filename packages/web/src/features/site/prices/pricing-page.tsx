import "../../../ui/styles/forms.css";
import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Stack, Inline, Tiles } from "../../../ui/layout/boxes.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";
import { ChargeCalculator } from "./charge-calculator.tsx";
import classes from "./pricing-page.module.css";
import { formatNaira, formatUnits, instantPurchaseKobo, limits, MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { IconBuildingBank, IconCreditCard, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import paymentWaysClasses from "./payment-ways.module.css";

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
      isKeptClear
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

const exampleUnits = [limits.instantUnitsMin, 1_000, 10_000];

/** The two ways to pay: by card, where a card provider is configured, and by bank transfer with a receipt. */
function PaymentWays() {
  const hasCards = useBrand()?.hasCards !== false;
  return (
    <section className={`${section.section} ${section.tinted}`} aria-labelledby="ways-title">
      <div className={section.wrap}>
        <h2 id="ways-title" className={section.heading}>
          {hasCards ? "Two ways to buy units" : "How to buy units"}
        </h2>
        <Tiles min={400} gap={24} className={paymentWaysClasses.grid}>
          {hasCards && <CardWay />}
          <Way icon={IconBuildingBank} title="Bank transfer">
            <p>Pay any amount into this account, at a branch or from your bank app:</p>
            <BankAccount />
            <p>
              Then send us the receipt from your dashboard, under Buy SMS. We check the deposit and add your units.
              Transactions shows each step.
            </p>
          </Way>
        </Tiles>
      </div>
    </section>
  );
}

function CardWay() {
  return (
    <Way icon={IconCreditCard} title="Online, with Paystack">
      <p>
        Paystack takes your card, your bank app or a USSD code, and tells us when the payment is complete. The units are
        yours at that moment. Your card details go to Paystack alone; we never see them.
      </p>
      <p>{`From ${limits.instantUnitsMin} units. The transaction cost is ₦150.00 plus 1.5% of the units:`}</p>
      <table className={`${paymentWaysClasses.table} numeric`}>
        <thead>
          <tr>
            <th scope="col">Units</th>
            <th scope="col">You pay</th>
          </tr>
        </thead>
        <tbody>
          {exampleUnits.map((units) => (
            <tr key={units}>
              <td>{formatUnits(units * MILLI_PER_UNIT)}</td>
              <td>{`₦${formatNaira(instantPurchaseKobo(units))}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Way>
  );
}

function BankAccount() {
  const bank = useBrand()?.bank;
  const rows = [
    ["Bank", bank?.name],
    ["Account name", bank?.accountName],
    ["Account number", bank?.accountNumber],
  ];
  return (
    <Stack as="dl" gap={12} className={paymentWaysClasses.bank}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="numeric">{value}</dd>
        </div>
      ))}
    </Stack>
  );
}

function Way({ icon: WayIcon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <Stack gap={16} className={`${paymentWaysClasses.way} muted`}>
      <Inline as="h3" gap={12} align="center" className={paymentWaysClasses.title}>
        <WayIcon size={24} stroke={1.7} aria-hidden />
        {title}
      </Inline>
      {children}
    </Stack>
  );
}
