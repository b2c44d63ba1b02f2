import { Badge } from "@mantine/core";
import type { DepositAnswer } from "@ewebal/contract";
import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import { formatDay } from "../../../shared/billing/deposits.ts";
import { formatNaira, formatPhone } from "../../../lib/texts/format.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { Email } from "../../../ui/kit/email.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import classes from "./deposits.module.css";

type DepositsTableProps = {
  caption: string;
  rows: readonly DepositAnswer[];
  /** The address of a deposit's details. */
  pathOf: (deposit: DepositAnswer) => string;
};

/** Deposits with the columns of the specification; a tick means verified, a cross declined, the word "Waiting" neither yet. */
export function DepositsTable({ caption, rows, pathOf }: DepositsTableProps) {
  const columns: Column<DepositAnswer>[] = [
    { title: "S/N", cell: (_, rowIndex) => rowIndex + 1, width: "40px" },
    { title: "Depositor", cell: (deposit) => <Depositor deposit={deposit} />, isHeading: true, width: "22%" },
    { title: "Paid to", cell: ({ bankDeposited }) => bankDeposited },
    { title: "Amount", cell: ({ amountDeposited }) => formatNaira(amountDeposited), isNumeric: true },
    { title: "Teller ID", cell: ({ tellerId }) => tellerId, width: "104px" },
    { title: "Contact", cell: ({ phoneNo }) => <span className="nowrap">{formatPhone(phoneNo)}</span> },
    {
      title: "Date",
      cell: ({ transactionDate }) => <span className="nowrap">{formatDay(transactionDate)}</span>,
    },
    {
      title: "Actions",
      isActions: true,
      cell: (deposit) => (
        <span className={classes.rowActions}>
          <Outcome deposit={deposit} />
          <TextLink to={pathOf(deposit)}>
            More details <span className="visually-hidden">about {deposit.depositorName}</span>
          </TextLink>
        </span>
      ),
    },
  ];
  return <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ _id }) => _id} />;
}

function Depositor({ deposit: { depositorName, review } }: { deposit: DepositAnswer }) {
  return (
    <span className={classes.depositor}>
      <span>{depositorName}</span>
      <span className={classes.customer}>{review !== undefined && <Email email={review.email} />}</span>
      {review?.flagged === true && (
        <Badge color="yellow" variant="light" size="sm">
          Possible duplicate
        </Badge>
      )}
      {review?.proposal != null && (
        <Badge color="blue" variant="light" size="sm">
          Waits for a second admin
        </Badge>
      )}
    </span>
  );
}

function Outcome({ deposit: { verified, declined, withdrawn } }: { deposit: DepositAnswer }) {
  if (verified) return <IconCircleCheck className="tone-ok" size={20} stroke={2} role="img" aria-label="Verified" />;
  if (declined) return <IconCircleX className="tone-error" size={20} stroke={2} role="img" aria-label="Declined" />;
  if (withdrawn) return <span className={classes.customer}>Withdrawn</span>;
  return (
    <Badge color="blue" variant="light" size="sm" miw="max-content" leftSection={<IconClock size={12} aria-hidden />}>
      Waiting
    </Badge>
  );
}
