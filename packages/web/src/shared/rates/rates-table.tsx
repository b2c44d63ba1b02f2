import type { RateRow } from "@ewebal/contract";
import { formatRate } from "../../lib/texts/format.ts";
import { homeFirst } from "./home-first.ts";
import classes from "./rates-table.module.css";

/** What a page costs by country. A table at every width: as cards, 180 countries would be 30 screens of a phone. */
export function RatesTable({ rates }: { rates: readonly RateRow[] }) {
  return (
    <table className={classes.table}>
      <caption className="visually-hidden">SMS rates by country</caption>
      <thead>
        <tr>
          <th scope="col">Country</th>
          <th scope="col">Country code</th>
          <th scope="col">Cost (NGN) per SMS page</th>
        </tr>
      </thead>
      <tbody>
        {homeFirst(rates).map(({ country, code, rate, transactionalRate }) => (
          <tr key={`${country} ${code}`}>
            <th scope="row">{country}</th>
            <td className="numeric">{`+${code}`}</td>
            <td className="numeric">
              {formatRate(rate)}
              {transactionalRate !== rate && (
                <div className="muted small">{`Transactional ${formatRate(transactionalRate)}`}</div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
