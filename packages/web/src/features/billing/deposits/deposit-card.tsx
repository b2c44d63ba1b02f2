import { Button } from "@mantine/core";
import type { DepositAnswer } from "@ewebal/contract";
import { IconTrash } from "@tabler/icons-react";
import { formatDay, stateOfDeposit } from "../../../shared/billing/deposits.ts";
import { formatDateTime, formatNaira, formatPhone, formatUnits } from "../../../lib/texts/format.ts";
import { DepositBadge } from "../../../shared/billing/deposit-badge.tsx";
import { Receipt } from "../../../shared/billing/receipt.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./deposit-list.module.css";

type DepositCardProps = {
  deposit: DepositAnswer;
  onDelete: (deposit: DepositAnswer) => Promise<void>;
};

/** One deposit: its amount and state, the reported details, the decision and the receipt. */
export function DepositCard({ deposit, onDelete }: DepositCardProps) {
  const {
    depositorName,
    amountDeposited,
    tellerId,
    bankDeposited,
    phoneNo,
    transactionDate,
    image,
    receiptType,
    createdAt,
    decidedAt,
  } = deposit;
  const name = `${formatNaira(amountDeposited)} by ${depositorName}`;
  return (
    <li className={classes.card}>
      <Inline gap={4} across={8} wraps align="center" justify="between">
        <span className={`${classes.amount} numeric`}>{formatNaira(amountDeposited)}</span>
        <DepositBadge state={stateOfDeposit(deposit)} />
      </Inline>
      <Stack gap={4} className={`${classes.facts} shrinkable small anywhere`}>
        <p>{depositorName}</p>
        <p className="muted">
          Teller ID {tellerId}, paid on {formatDay(transactionDate)} to {bankDeposited}
        </p>
        <p className="muted">{formatPhone(phoneNo)}</p>
        <p className="muted">
          Reported <RelativeTime iso={createdAt} />
        </p>
        <Outcome deposit={deposit} />
      </Stack>
      <Receipt src={image} type={receiptType} label={`Receipt of ${name}`} />
      <Button
        data-least="owner"
        variant={decidedAt === null ? "default" : "subtle"}
        color={decidedAt === null ? undefined : "gray"}
        size="xs"
        leftSection={<IconTrash size={16} stroke={1.8} aria-hidden />}
        aria-label={`Delete ${name}`}
        onClick={() => void onDelete(deposit)}
      >
        Delete
      </Button>
    </li>
  );
}

function Outcome({ deposit: { verified, declined, decidedAt, creditedUnits, reason } }: { deposit: DepositAnswer }) {
  if (decidedAt === null) return <p className="above-4">We are checking this deposit. To withdraw it, delete it.</p>;
  const when = formatDateTime(decidedAt);
  if (verified) return <p className="above-4">{`${formatUnits(creditedUnits ?? 0)} units credited on ${when}`}</p>;
  if (!declined) return null;
  return <p className="above-4">{reason === "" ? `Declined on ${when}` : `Declined on ${when}: ${reason}`}</p>;
}
