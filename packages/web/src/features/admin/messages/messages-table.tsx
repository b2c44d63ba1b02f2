import { Badge } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { formatCount, formatUnits, sentAt } from "../../../lib/texts/format.ts";
import { historyStateWords } from "../../../shared/messages/history-filters.ts";
import { formatPercent } from "../../../shared/traffic/outcomes.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { managePaths } from "../admin-paths.ts";
import classes from "./messages-table.module.css";
import { DetailsLink, Text, Time } from "./sms-table.tsx";

type MessagesTableProps = {
  caption: string;
  rows: readonly MessageAnswer[];
  /** The address of a message's details. */
  pathOf: (message: MessageAnswer) => string;
  /** True for the list of all customers: a column names the user. */
  hasUsers: boolean;
};

/** Sent messages as an operator looks at them: how many recipients, how far, how many failed, and what it cost. */
export function MessagesTable({ caption, rows, pathOf, hasUsers }: MessagesTableProps) {
  const columns: Column<MessageAnswer>[] = [
    { title: "S/N", cell: (_, rowIndex) => <span className="numeric">{formatCount(rowIndex + 1)}</span> },
    ...(hasUsers
      ? [
          {
            title: "User",
            cell: ({ userID, userName }: MessageAnswer) => (
              <TextLink to={managePaths.user(userID)}>{userName}</TextLink>
            ),
          },
        ]
      : []),
    { title: "Sender ID", isHeading: true, cell: ({ senderName }) => <span className="nowrap">{senderName}</span> },
    { title: "Message", isText: true, cell: (row) => <Text row={row} />, width: "26%" },
    { title: "Code", cell: ({ code }) => <span className="numeric">{code}</span> },
    { title: "Recipients", isNumeric: true, cell: ({ recipients }) => formatCount(recipients) },
    { title: "State", cell: (row) => <State message={row} /> },
    { title: "Charge", isNumeric: true, cell: (row) => <Charge message={row} /> },
    { title: "Sent", cell: (row) => <Time iso={sentAt(row)} /> },
    {
      title: "Actions",
      isActions: true,
      cell: (row) => <DetailsLink to={pathOf(row)} senderName={row.senderName} />,
    },
  ];
  return (
    <div className={classes.dense}>
      <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ _id }) => _id} />
    </div>
  );
}

/** A few of a million must not read "0 % failed". */
const PERCENT_SHOWN_MIN = 0.1;

const stateColors = {
  sending: "blue",
  deferred: "blue",
  review: "yellow",
  paused: "yellow",
  held: "yellow",
  cancelled: "gray",
  done: "green",
} as const;

function State({ message: { state, recipients, counts } }: { message: MessageAnswer }) {
  if (state === "scheduled") return null;
  const failed = counts.failed + counts.dnd;
  const percent = (failed / recipients) * 100;
  return (
    <span className={classes.state}>
      <Badge color={stateColors[state]} variant="light" miw="max-content">
        {historyStateWords[state]}
      </Badge>
      {failed > 0 && (
        <span className="tone-error tiny nowrap">
          {percent < PERCENT_SHOWN_MIN ? `<${PERCENT_SHOWN_MIN} % failed` : `${formatPercent(percent)} failed`}
        </span>
      )}
    </span>
  );
}

/** What it cost so far, and below it what is still set aside. */
function Charge({ message: { units } }: { message: MessageAnswer }) {
  if (units === undefined) return "–";
  return (
    <>
      {formatUnits(units.charged)}
      {units.reserved > 0 && <span className={classes.reserved}>{`${formatUnits(units.reserved)} reserved`}</span>}
    </>
  );
}
