import type { StatementRow, StatementCause } from "@ewebal/contract";
import { billingCalls } from "@ewebal/contract/calls";
import { lagosDate, statementKinds, type StatementKind } from "@ewebal/contract/rules";
import { Button, Skeleton } from "@mantine/core";
import { IconFileDownload, IconPrinter } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { call, fillAddress } from "../../../lib/api/api.ts";
import { useAddressFilters, type AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { formatDateTime, formatUnits, once } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { formatDay } from "../../../shared/traffic/outcomes.ts";
import { ChartPanel } from "../../../ui/kit/chart-panel.tsx";
import { CopyButton } from "../../../ui/kit/detail-list.tsx";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { ChoiceFilter } from "../../../ui/lists/filter-fields.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { useLightPrint } from "../../../ui/layout/printing.ts";
import classes from "./statement-page.module.css";

const BalanceChart = lazy(async () => ({ default: (await import("./balance-chart.tsx")).BalanceChart }));

const columns: Column<StatementRow>[] = [
  { title: "Date", cell: ({ createdAt }) => formatDateTime(createdAt), width: "20%" },
  { title: "Movement", isHeading: true, cell: (row) => <Movement row={row} /> },
  { title: "Units", isNumeric: true, cell: ({ units }) => <Amount units={units} />, width: "17%" },
  { title: "Balance", isNumeric: true, cell: ({ balance }) => formatExact(balance), width: "17%" },
];

/** The movements of the customer's units with cause and balance, newest first: all, or those of a month and of a kind. */
export function StatementPage() {
  const { userId } = useSession();
  useLightPrint();
  return (
    <Page
      title="Statement"
      intro="Every credit and charge. The top line shows your current balance."
      actions={userId !== null && <Actions userId={userId} />}
    >
      {userId !== null && (
        <>
          <BalancePanel userId={userId} />
          <MovementsPanel userId={userId} />
        </>
      )}
    </Page>
  );
}

const filterNames = ["month", "kind"] as const;
const MONTH = /^20[0-9]{2}-(0[1-9]|1[0-2])$/;

/** Only values that the server takes; an address may contain anything. */
function readFilters({ month, kind }: Record<(typeof filterNames)[number], string>) {
  return {
    ...(MONTH.test(month) && { month }),
    ...(isKind(kind) && { kind }),
  };
}

function isKind(text: string): text is StatementKind {
  return statementKinds.some((kind) => kind === text);
}

/** Key under the topic "user", which every movement of units publishes. */
function useMovements(userId: string) {
  const filters = useAddressFilters(filterNames);
  const query = readFilters(filters.values);
  const list = useCursorList<StatementRow>({
    queryKey: ["user", userId, "statement", query.month, query.kind],
    read: async (after, signal) =>
      await call(billingCalls.statement, {
        params: { userId },
        query: { ...query, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  return { filters, query, list };
}

function Actions({ userId }: { userId: string }) {
  const { query, list } = useMovements(userId);
  const isToCome = list.query.isPending;
  if (!isToCome && list.rows.length === 0) return null;
  return (
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
        href={fillAddress(billingCalls.statement.url, { userId }, { ...query, format: "csv" })}
        download="statement.csv"
      >
        Download CSV
      </Button>
    </Inline>
  );
}

function MovementsPanel({ userId }: { userId: string }) {
  const { filters, list } = useMovements(userId);
  const hasTools = filters.isAnyOn || list.rows.length > 0 || list.query.isPending;
  return (
    <Panel>
      {hasTools && <Filters filters={filters} />}
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "No units have moved yet",
          text: "Units you buy and use appear here.",
          action: (
            <ButtonLink to={paths.buySms} data-least="owner">
              Buy SMS
            </ButtonLink>
          ),
        }}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
      >
        <DataTable caption="Movements of units" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

const kindWords: Readonly<Record<StatementKind, string>> = {
  messages: "SMS",
  added: "Units added",
  corrections: "Set aside or taken back",
};

function Filters({ filters }: { filters: AddressFilters<(typeof filterNames)[number]> }) {
  const { data: user } = useCurrentUser();
  const { month, kind } = filters.values;
  const months = listMonths(user?.createdAt);
  const choices = MONTH.test(month) && !months.includes(month) ? [...months, month] : months;
  return (
    <ListTools filters={filters}>
      <ChoiceFilter
        label="Month"
        name="month"
        value={MONTH.test(month) ? month : ""}
        onValue={(value) => filters.set({ month: value })}
        all="All months"
        choices={choices.map((value) => [value, monthInWords(value)])}
      />
      <ChoiceFilter
        label="Movement"
        name="kind"
        value={isKind(kind) ? kind : ""}
        onValue={(value) => filters.set({ kind: value })}
        all="All"
        choices={statementKinds.map((value) => [value, kindWords[value]])}
      />
    </ListTools>
  );
}

/** The months in Lagos since somebody registered, newest first, `2026-03`; this one alone while that is unknown. */
export function listMonths(registeredAt: string | undefined, now: Date = new Date()): string[] {
  const first = lagosDate(registeredAt === undefined ? now : new Date(registeredAt)).slice(0, 7);
  const months: string[] = [];
  for (let month = lagosDate(now).slice(0, 7); month >= first; month = monthBefore(month)) months.push(month);
  return months;
}

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01`) - 1).toISOString().slice(0, 7);
}

const monthFormat = once(() => new Intl.DateTimeFormat("en-NG", { month: "long", year: "numeric", timeZone: "UTC" }));

function monthInWords(month: string): string {
  return monthFormat().format(new Date(`${month}-01T00:00:00Z`));
}

/** The balance at the end of each day of the month that is chosen, or of the last 30 days; its place is held before it comes. */
function BalancePanel({ userId }: { userId: string }) {
  const { month } = readFilters(useAddressFilters(filterNames).values);
  const { data: days } = useQuery({
    queryKey: ["user", userId, "balance-by-day", month],
    queryFn: async ({ signal }) =>
      (
        await call(billingCalls.balanceByDay, {
          params: { userId },
          query: month === undefined ? {} : { month },
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
  });
  const balances = days?.map(({ balance }) => balance) ?? [];
  const title = month === undefined ? "Balance, last 30 days" : `Balance, ${monthInWords(month)}`;
  const toCome = <Skeleton height={CHART_PX} radius="md" />;
  return (
    <div className={`${classes.balance} no-print`}>
      {days === undefined ? (
        <Panel title={title}>{toCome}</Panel>
      ) : (
        <ChartPanel
          title={title}
          summary={`Between ${formatUnits(Math.min(...balances))} and ${formatUnits(Math.max(...balances))} units, ${formatUnits(balances.at(-1) ?? 0)} at the end.`}
          rows={days}
          rowKey={({ day }) => day}
          columns={[
            { title: "Day", cell: ({ day }) => formatDay(day) },
            { title: "Units at the end of the day", isNumeric: true, cell: ({ balance }) => formatExact(balance) },
          ]}
          empty="You had no units in this time."
        >
          <Suspense fallback={toCome}>
            <BalanceChart days={days} />
          </Suspense>
        </ChartPanel>
      )}
    </div>
  );
}

const CHART_PX = 180;

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
      {row.sentBy !== undefined && <span className="muted small anywhere"> {row.sentBy}</span>}
      {cause !== "credit" && cause !== "transfer" && !isOfMessage && <Reference reference={reference} />}
    </span>
  );
}

const SHORT_REFERENCE_CHARACTERS = 8;

/** The end of a reference, which tells it from others; the whole of it behind the disclosure. */
function Reference({ reference }: { reference: string }) {
  if (reference.length <= 2 * SHORT_REFERENCE_CHARACTERS) {
    return <span className={classes.reference}>Ref. {reference}</span>;
  }
  return (
    <details className={classes.reference}>
      <summary>Ref. {reference.slice(-SHORT_REFERENCE_CHARACTERS)}</summary>
      <Inline gap={4} align="center">
        <span className="anywhere">{reference}</span>
        <CopyButton name="reference" text={reference} />
      </Inline>
    </details>
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
  transfer: "Units moved between accounts",
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
