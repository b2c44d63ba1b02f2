import { limits } from "@ewebal/contract/rules";
import { formatCount } from "../../../lib/texts/format.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { managePaths } from "../admin-paths.ts";

/** The fields that messages and drafts share. */
export type SmsRow = {
  _id: string;
  userID: string;
  userName: string;
  senderName: string;
  message: string;
  code: string;
  /** When the customer deleted the message; a deleted draft no longer exists. */
  hiddenAt?: string | undefined;
};

type SmsTableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  /** The title of the column with the time: "Sent" or "Saved". */
  timeTitle: string;
  /** ISO 8601. */
  timeOf: (row: Row) => string;
  /** The address of a row's details. */
  pathOf: (row: Row) => string;
  /** True for lists of all customers: a column names the user. */
  hasUsers: boolean;
};

/** Messages or drafts, each with the beginning of its text and a link to its details. */
export function SmsTable<Row extends SmsRow>({
  caption,
  rows,
  timeTitle,
  timeOf,
  pathOf,
  hasUsers,
}: SmsTableProps<Row>) {
  const columns: Column<Row>[] = [
    {
      title: "S/N",
      cell: (_, rowIndex) => <span className="numeric">{formatCount(rowIndex + 1)}</span>,
      width: "48px",
    },
    ...(hasUsers
      ? [
          {
            title: "User",
            cell: ({ userID, userName }: Row) => <TextLink to={managePaths.user(userID)}>{userName}</TextLink>,
          },
        ]
      : []),
    {
      title: "Sender ID",
      isHeading: true,
      cell: ({ senderName }) => <span className="nowrap">{senderName}</span>,
    },
    { title: "Message", isText: true, cell: (row) => <Text row={row} />, width: "50%" },
    { title: "Code", cell: ({ code }) => <span className="numeric">{code}</span> },
    { title: timeTitle, cell: (row) => <Time iso={timeOf(row)} /> },
    {
      title: "Actions",
      isActions: true,
      cell: (row) => <DetailsLink to={pathOf(row)} senderName={row.senderName} />,
    },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ _id }) => _id} />;
}

/** The first 100 characters, followed by dots when there are more. */
export function previewOf(message: string): string {
  const characters = Array.from(message.slice(0, 2 * limits.adminPreviewCharacters + 2));
  if (characters.length <= limits.adminPreviewCharacters) return message;
  return `${characters.slice(0, limits.adminPreviewCharacters).join("")}...`;
}

/** Shown in place of a text that the administrator's role may not read; the server leaves such texts empty. */
export const TEXT_HIDDEN = "(Your role can't read texts)";

export function Text({ row: { message, hiddenAt } }: { row: Pick<SmsRow, "message" | "hiddenAt"> }) {
  return (
    <span className="anywhere">
      {message === "" ? TEXT_HIDDEN : previewOf(message)}
      {hiddenAt !== undefined && <span className="muted"> (deleted by the customer)</span>}
    </span>
  );
}

export function Time({ iso }: { iso: string }) {
  return (
    <span className="nowrap">
      <RelativeTime iso={iso} />
    </span>
  );
}

export function DetailsLink({ to, senderName }: { to: string; senderName: string }) {
  return (
    <TextLink to={to} className="small">
      Details <span className="visually-hidden">of the message from {senderName}</span>
    </TextLink>
  );
}
