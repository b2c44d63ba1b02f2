import type { StatementRow, StatementCause } from "@ewebal/contract";
import { billingCalls } from "@ewebal/contract/calls";
import { Button } from "@mantine/core";
import { IconFileDownload, IconPrinter } from "@tabler/icons-react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { formatDateTime, once } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { useLightPrint } from "../../../ui/layout/printing.ts";
import classes from "./statement-page.module.css";

const columns: Column<StatementRow>[] = [
  { title: "Date", cell: ({ createdAt }) => formatDateTime(createdAt), width: "20%" },
  { title: "Movement", isHeading: true, cell: (row) => <Movement row={row} /> },
  { title: "Units", isNumeric: true, cell: ({ units }) => <Amount units={units} />, width: "17%" },
  { title: "Balance", isNumeric: true, cell: ({ balance }) => formatExact(balance), width: "17%" },
];

/** Every movement of the customer's units with its cause and the balance after it, newest first. */
export function StatementPage() {
  const { userId } = useSession();
  useLightPrint();
  const list = useCursorList<StatementRow>({
    // The key is under the topic "user", which every movement of units publishes.
    queryKey: ["user", userId, "statement"],
    read: async (after, signal) =>
      await call(billingCalls.statement, {
        params: { userId: userId ?? "" },
        query: after === undefined ? {} : { after },
        signal,
      }),
  });
  const isToCome = list.query.isPending;
  const actions = (isToCome || list.rows.length > 0) && userId !== null && (
    <Inline gap={8} wraps className={`${classes.actions} no-print`} data-to-come={isToCome}>
      <Button
        variant="default"
        leftSection={<IconPrinter size={18} stroke={1.6} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <Button
        component="a"
        leftSection={<IconFileDownload size={18} stroke={1.6} aria-hidden />}
        href={fillAddress(billingCalls.statement.url, { userId }, { format: "csv" })}
        download="statement.csv"
      >
        Download CSV
      </Button>
    </Inline>
  );
  return (
    <Page
      title="Statement"
      intro="Every movement of your units, to three decimal places. The newest balance is what you can spend now."
      actions={actions}
    >
      <Panel>
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={{
            title: "No units have moved yet",
            text: "Units that you buy and use will be listed here.",
            action: <ButtonLink to={paths.buySms}>Buy SMS</ButtonLink>,
          }}
        >
          <DataTable caption="Movements of units" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}

function Movement({ row }: { row: StatementRow }) {
  const { cause, reference } = row;
  const words = movementInWords(row);
  const isOfMessage = cause === "message" || cause === "refund";
  return (
    <span className={classes.movement}>
      {isOfMessage && !isWithoutMessage(row) ? (
        <TextLink to={`${paths.smsHistory}/${reference}`}>{words}</TextLink>
      ) : (
        words
      )}
      {cause !== "credit" && !isOfMessage && <span className={classes.reference}>{reference}</span>}
    </span>
  );
}

/** The sign shows the direction; the colour repeats it. */
function Amount({ units }: { units: number }) {
  return <span className={units > 0 ? classes.in : undefined}>{formatSigned(units)}</span>;
}

/** The causes of movements in a customer's words. */
const causeWords: Readonly<Record<StatementCause, string>> = {
  message: "SMS sent",
  refund: "Failed SMS refunded",
  payment: "Card payment",
  deposit: "Bank deposit",
  credit: "Credit by management",
  reversal: "Taken back",
  freeze: "Set aside while a payment is reviewed",
};

/** Units are set aside when a message is scheduled or starts, and return when none of it was sent. */
function movementInWords(row: StatementRow): string {
  if (row.cause === "message" && !row.final) return "Set aside for SMS";
  return isWithoutMessage(row) ? "SMS not sent" : causeWords[row.cause];
}

/** True when no recipient was sent to: mostly a scheduled message that was deleted, so it has no page. */
function isWithoutMessage({ cause, final, units }: StatementRow): boolean {
  return cause === "message" && final && units === 0;
}

const exactFormat = once(() => new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 3 }));
const signedFormat = once(
  () =>
    new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 3, signDisplay: "exceptZero" }),
);

/** To the thousandth, so that the lines add up: `1,234.50`, `982.295`. */
export function formatExact(units: number): string {
  return exactFormat().format(units);
}

/** The same with its sign: `+500.00`, `-17.705`. */
export function formatSigned(units: number): string {
  return signedFormat().format(units);
}
