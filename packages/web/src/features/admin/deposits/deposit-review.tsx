import { Button } from "@mantine/core";
import type { DepositAnswer, DepositDuplicate } from "@ewebal/contract";
import { useState } from "react";
import { depositStateLabels, formatDay, stateOfDeposit } from "../../../shared/billing/deposits.ts";
import { formatDateTime, formatNaira, formatPhone, formatUnits } from "../../../lib/texts/format.ts";
import { Email } from "../../../ui/kit/email.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { DepositBadge } from "../../../shared/billing/deposit-badge.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { managePaths } from "../admin-paths.ts";
import { CreditDepositDialog } from "./credit-deposit-dialog.tsx";
import { DeclineDepositDialog } from "./decline-deposit-dialog.tsx";

type DepositReviewProps = {
  deposit: DepositAnswer;
  adminId: string;
};

/** The reported details, warnings, and the decision: buttons while the deposit is pending, then a fixed badge. */
export function DepositReview({ deposit, adminId }: DepositReviewProps) {
  const [open, setOpen] = useState<"credit" | "decline">();
  const state = stateOfDeposit(deposit);
  const isPending = state === "pending";
  const close = (): void => setOpen(undefined);
  return (
    <Panel
      title="Transaction"
      aside={
        isPending ? (
          <DepositBadge state={state} />
        ) : (
          <DepositBadge state={state} label={`Transaction ${depositStateLabels[state]}`} size="lg" />
        )
      }
    >
      <Stack gap={20}>
        <Duplicates duplicates={deposit.review?.doubles ?? []} />
        <Proposal deposit={deposit} adminId={adminId} />
        <DetailList rows={rowsOf(deposit)} />
        {isPending && (
          <Inline gap={12} wraps>
            <Button onClick={() => setOpen("credit")}>Accept</Button>
            <Button color="red" variant="outline" onClick={() => setOpen("decline")}>
              Decline
            </Button>
          </Inline>
        )}
      </Stack>
      <CreditDepositDialog
        deposit={deposit}
        adminId={adminId}
        opened={open === "credit" && isPending}
        onClose={close}
      />
      <DeclineDepositDialog
        deposit={deposit}
        adminId={adminId}
        opened={open === "decline" && isPending}
        onClose={close}
      />
    </Panel>
  );
}

function rowsOf(deposit: DepositAnswer) {
  const {
    depositorName,
    bankDeposited,
    amountDeposited,
    tellerId,
    phoneNo,
    transactionDate,
    review,
    createdAt,
    creditedUnits,
    decidedAt,
    reason,
  } = deposit;
  return [
    { name: "Depositor", value: depositorName },
    { name: "Bank Paid to", value: bankDeposited },
    { name: "Amount Deposited", value: formatNaira(amountDeposited) },
    { name: "Teller Id", value: tellerId },
    { name: "Contact", value: formatPhone(phoneNo) },
    { name: "Date Transacted", value: formatDay(transactionDate) },
    { name: "User Name", value: review?.userName ?? "" },
    { name: "Email", value: review !== undefined && <Email email={review.email} /> },
    { name: "Reported", value: formatDateTime(createdAt) },
    ...(creditedUnits === null ? [] : [{ name: "Units credited", value: formatUnits(creditedUnits) }]),
    ...(decidedAt === null
      ? []
      : [{ name: "Decided", value: [formatDateTime(decidedAt), review?.decidedBy].filter(Boolean).join(", ") }]),
    ...(reason === "" ? [] : [{ name: "Reason", value: reason }]),
  ];
}

const sameWords: Readonly<Record<DepositDuplicate["same"][number], string>> = {
  receipt: "the same receipt",
  tellerId: "the same teller ID",
};
const stateWords = { pending: "waiting", verified: "verified", declined: "declined", withdrawn: "withdrawn" } as const;

function Duplicates({ duplicates }: { duplicates: readonly DepositDuplicate[] }) {
  if (duplicates.length === 0) return null;
  return (
    <Callout tone="warn" title="Possible duplicate: already used for another deposit">
      <Stack as="ul" gap={4}>
        {duplicates.map(({ _id, userName, same, state, createdAt }) => (
          <li key={_id}>
            <TextLink to={managePaths.transaction(_id)}>{userName}</TextLink>:{" "}
            {same.map((what) => sameWords[what]).join(" and ")}, {stateWords[state]}, <RelativeTime iso={createdAt} />
          </li>
        ))}
      </Stack>
    </Callout>
  );
}

function Proposal({ deposit: { review }, adminId }: { deposit: DepositAnswer; adminId: string }) {
  const proposal = review?.proposal;
  if (proposal == null) return null;
  const units = `${formatUnits(proposal.units)} units`;
  return (
    <Callout tone="info" title="Waiting for a second administrator">
      {proposal.adminID === adminId
        ? `You asked for ${units}. Another administrator has to approve it.`
        : `${proposal.adminName} asks for ${units}. To agree, approve it under Waiting, or accept this deposit with the same units.`}
    </Callout>
  );
}
