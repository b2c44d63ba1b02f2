import { formatUnits, chargeMilli, MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { formatCount, formatRate } from "../../../lib/texts/format.ts";
import { useRates } from "../../../shared/rates/own-rates.ts";
import { useListRates } from "../../../shared/rates/rates.ts";
import { useEarlyInput } from "../../../lib/browser/use-early-input.ts";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import classes from "./charge-calculator.module.css";

/** The charge of a campaign: contacts x pages x the country's rate, computed by the function that charges sends. */
export function ChargeCalculator({ isOwn = false }: { isOwn?: boolean }) {
  const { data: rates = [] } = isOwn ? useRates() : useListRates();
  const [contacts, setContacts] = useState("1000");
  const [pages, setPages] = useState("1");
  const [country, setCountry] = useState(DEFAULT_COUNTRY);
  const card = useRef<HTMLElement>(null);
  const setters: Record<string, (text: string) => void> = {
    contacts: (text) => setContacts(cleanDigits(text, CONTACTS_DIGITS_MAX)),
    pages: (text) => setPages(cleanDigits(text, PAGES_DIGITS_MAX)),
    country: setCountry,
  };
  const set = (name: string, text: string): void => setters[name]?.(text);
  useEarlyInput(card, set);
  const { rate, transactionalRate } = rates.find((row) => row.country === country) ?? {};
  const resultMilli = rate === undefined ? undefined : calculateCharge({ contacts, pages, rate });
  return (
    <section ref={card} className={classes.card} aria-labelledby="calculator-title">
      <h2 id="calculator-title">SMS charge calculator</h2>
      <div className={classes.fields}>
        <TextInput
          label="Contacts"
          name="contacts"
          inputMode="numeric"
          autoComplete="off"
          value={contacts}
          onChange={({ currentTarget }) => set("contacts", currentTarget.value)}
        />
        <TextInput
          label="Pages"
          name="pages"
          inputMode="numeric"
          autoComplete="off"
          value={pages}
          onChange={({ currentTarget }) => set("pages", currentTarget.value)}
        />
        <div className={classes.country}>
          <NativeSelect label="Country" name="country" value={country} onValue={(text) => set("country", text)}>
            {rates.map((row) => (
              <option key={row.country} value={row.country}>
                {`${row.country} (+${row.code})`}
              </option>
            ))}
          </NativeSelect>
        </div>
      </div>
      <output className={classes.result}>
        <span className="muted small numeric">
          {`${formatCount(Number(contacts))} x ${formatCount(Number(pages))} x ${rate === undefined ? "..." : `₦${formatRate(rate)}`}`}
        </span>
        <strong className={`${classes.charge} numeric`}>
          {resultMilli === undefined ? "..." : `₦${formatUnits(resultMilli)}`}
        </strong>
      </output>
      <p className="muted small">
        A page is 160 characters. Duplicate numbers are charged once.
        {transactionalRate !== undefined &&
          transactionalRate !== rate &&
          ` A transactional page costs ₦${formatRate(transactionalRate)}.`}
      </p>
    </section>
  );
}

/** Nigeria, as the rates name it. */
const DEFAULT_COUNTRY = "Nigeria";
/** Ten times the largest send. */
const CONTACTS_DIGITS_MAX = 7;
const PAGES_DIGITS_MAX = 2;

/** The characters that a field of the calculator keeps: digits, without leading zeros. */
export function cleanDigits(text: string, digitsMax: number): string {
  return text
    .replaceAll(/[^0-9]/g, "")
    .replace(/^0+/, "")
    .slice(0, digitsMax);
}

type Calculation = {
  /** Digits from `cleanDigits`; empty means none. */
  contacts: string;
  pages: string;
  /** Naira for one page, three decimals at most. */
  rate: number;
};

/** @returns thousandths of a unit, exact; undefined for a sum beyond every balance. */
export function calculateCharge({ contacts, pages, rate }: Calculation): number | undefined {
  const factors = { recipients: Number(contacts), pages: Number(pages), rateMilli: Math.round(rate * MILLI_PER_UNIT) };
  const isPayable = Number.isSafeInteger(factors.recipients * factors.pages * factors.rateMilli);
  return isPayable ? chargeMilli(factors) : undefined;
}
