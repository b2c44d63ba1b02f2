import { SmsChargesPage } from "../features/billing/sms-charges-page.tsx";
import { ChargeCalculator } from "../features/site/prices/charge-calculator.tsx";
import { findRates } from "../features/site/prices/find-rates.ts";

/** The rates for people who are signed in, with the public site's calculator and search: one of each serves both. */
export function SmsChargesRoute() {
  return <SmsChargesPage calculator={<ChargeCalculator isOwn />} findRates={findRates} />;
}
