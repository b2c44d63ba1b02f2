import type { ListedState, MessageAnswer, RecipientAnswer } from "@ewebal/contract";
import type { VirtualItem } from "@tanstack/react-virtual";
import { useBrand } from "../../../lib/brand.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Fold } from "../../../ui/kit/fold.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { stateWords } from "../message-counts.ts";
import classes from "./recipients-table.module.css";
import { virtualPhonePath } from "../simulator/virtual-phone-queries.ts";

export type VirtualListProps = {
  rows: readonly RecipientAnswer[];
  /** The rows that are drawn. */
  items: ReadonlyArray<Pick<VirtualItem, "index" | "key">>;
  /** All of them, read or not. */
  total: number;
  message: Pick<MessageAnswer, "code" | "message">;
  measure: (element: Element | null) => void;
  /** Pixels of the rows that are not drawn. */
  before: number;
  after: number;
};

/** A real table of which only the rows near the window are drawn; `aria-rowcount` and `aria-rowindex` say so. */
export function RecipientsTable({ rows, items, total, message, measure, before, after }: VirtualListProps) {
  const isSimulated = useBrand()?.isSimulated ?? false;
  return (
    <table className={classes.table} aria-rowcount={total + 1}>
      <caption className="visually-hidden">Recipients</caption>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className={classes.number}>
            Number
          </th>
          <th scope="col" className={classes.network}>
            {message.code === "234" ? "Likely network" : "Network"}
          </th>
          <th scope="col">State</th>
          <th scope="col" className={classes.time}>
            Updated
          </th>
        </tr>
      </thead>
      <tbody>
        <Space height={before} />
        {items.map(({ index, key }) => {
          const row = rows[index];
          return row === undefined ? null : (
            <tr key={key} ref={measure} data-index={index} aria-rowindex={index + 2}>
              <td>
                <PhoneNumber row={row} isSimulated={isSimulated} />
              </td>
              <td>{row.network}</td>
              <td>
                <StateMark state={row.state} />
                <Reason row={row} />
                <OwnText row={row} message={message} />
              </td>
              <td className={classes.time}>
                <RelativeTime iso={row.updatedAt} />
              </td>
            </tr>
          );
        })}
        <Space height={after} />
      </tbody>
    </table>
  );
}

function Space({ height }: { height: number }) {
  return height === 0 ? null : (
    <tr aria-hidden className={classes.space}>
      <td colSpan={4} style={{ height }} />
    </tr>
  );
}

/** The same on a narrow screen. */
export function RecipientCards({ rows, items, total, message, measure, before, after }: VirtualListProps) {
  const isSimulated = useBrand()?.isSimulated ?? false;
  return (
    <ul className={classes.cards} aria-label="Recipients" style={{ paddingTop: before, paddingBottom: after }}>
      {items.map(({ index, key }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <li
            key={key}
            ref={measure}
            data-index={index}
            aria-setsize={total}
            aria-posinset={index + 1}
            className={classes.card}
          >
            <Inline gap={12} justify="between">
              <PhoneNumber row={row} isSimulated={isSimulated} />
              <StateMark state={row.state} />
            </Inline>
            <Inline gap={12} justify="between" className="muted">
              <span>{row.network}</span>
              <RelativeTime iso={row.updatedAt} />
            </Inline>
            <Reason row={row} />
            <OwnText row={row} message={message} />
          </li>
        );
      })}
    </ul>
  );
}

/** Why, what to do about it, and for whoever asks the carrier, the carrier's own words. */
function Reason({ row: { reason, advice, carrierCode } }: { row: RecipientAnswer }) {
  if (reason === "") return null;
  return (
    <div className={classes.reason}>
      <p>
        {reason}.{advice !== undefined && ` ${advice}.`}
      </p>
      {carrierCode !== undefined && (
        <Fold label="Details">
          <p>Carrier's code: {carrierCode}</p>
        </Fold>
      )}
    </div>
  );
}

/** What this person gets, where texts differ. */
function OwnText({ row: { text, pages }, message }: { row: RecipientAnswer } & Pick<VirtualListProps, "message">) {
  // The number is not kept any more, and neither is what was known of it.
  if (text === "" || text === message.message) return null;
  return (
    <p className={`${classes.text} anywhere`}>
      {text} <span className="muted nowrap">{formatCounted(pages, "page")}</span>
    </p>
  );
}

/** With the simulator, what has arrived can be looked at. */
function PhoneNumber({ row, isSimulated }: { row: RecipientAnswer; isSimulated: boolean }) {
  if (row.phoneNo === "") return <span className="muted">Number not kept</span>;
  const number = <span className={`${classes.phone} numeric`}>+{row.phoneNo}</span>;
  return isSimulated && row.state === "delivered" ? (
    <TextLink to={virtualPhonePath(row.phoneNo)}>{number}</TextLink>
  ) : (
    number
  );
}

function StateMark({ state }: { state: ListedState }) {
  return (
    <span className={`${classes.mark} state-dot`} data-state={state}>
      {stateWords[state].label}
    </span>
  );
}
