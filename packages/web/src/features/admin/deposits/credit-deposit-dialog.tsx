import { Loader, TextInput } from "@mantine/core";
import type { DepositAnswer, UserAnswer } from "@ewebal/contract";
import { durationsMs, limits, parseUnitsText } from "@ewebal/contract/rules";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type FormEvent } from "react";
import { ApiError } from "../../../lib/api/api.ts";
import { formatNaira, formatUnits, formatCount } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { customerQuery } from "../customers.ts";
import classes from "./deposits.module.css";
import { useDecideDeposit } from "./deposit-queries.ts";

type CreditDepositDialogProps = {
  deposit: DepositAnswer;
  adminId: string;
  opened: boolean;
  onClose: () => void;
};

/** Opens on Accept: the user, the units to credit, and whether a second administrator must approve them. */
export function CreditDepositDialog({ deposit, adminId, opened, onClose }: CreditDepositDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Credit User" size="sm">
      <CreditContent deposit={deposit} adminId={adminId} onClose={onClose} />
    </Dialog>
  );
}

/**
 * Mounted when the dialog opens. A spinner shows until the user's balance has arrived, for the specified second at
 * most.
 */
function CreditContent({ deposit, adminId, onClose }: Omit<CreditDepositDialogProps, "opened">) {
  const { data: user, isPending } = useQuery(customerQuery(deposit.userID));
  const [isTimeOver, setTimeOver] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setTimeOver(true), durationsMs.creditModalSpinnerMax);
    return () => window.clearTimeout(timer);
  }, []);
  if (isPending && !isTimeOver) {
    return (
      <div className={classes.spinner} role="status" aria-label="Loading">
        <Loader aria-hidden />
      </div>
    );
  }
  return <CreditForm deposit={deposit} adminId={adminId} user={user} onClose={onClose} />;
}

function CreditForm({
  deposit,
  adminId,
  user,
  onClose,
}: Omit<CreditDepositDialogProps, "opened"> & { user: UserAnswer | undefined }) {
  const { amountDeposited, review } = deposit;
  const proposal = review?.proposal ?? undefined;
  const proposed = proposal?.units;
  const [text, setText] = useState(() =>
    proposed === undefined ? defaultUnits(amountDeposited) : proposed.toLocaleString("en-NG"),
  );
  const { mutate, isPending, error } = useDecideDeposit({ deposit, adminId, onDone: onClose });
  const units = readUnits(text);
  const agreement =
    proposal !== undefined && proposal.adminID !== adminId && proposal.units === units ? proposal : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (units !== undefined && !isPending) mutate({ kind: "credit", units: text });
  };
  return (
    <Stack as="form" gap={16} onSubmit={submit} noValidate>
      <DetailList
        rows={[
          { name: "User Name", value: review?.userName },
          { name: "Amount Deposited", value: formatNaira(amountDeposited) },
          { name: "Units now", value: user === undefined ? "..." : formatUnits(user.units) },
        ]}
      />
      <TextInput
        label="Units"
        description="Digits and commas. 1 unit is 1 naira of sending credit."
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        error={text !== "" && units === undefined ? "Enter whole units, such as 1000 or 1,000" : undefined}
        value={text}
        onChange={({ currentTarget }) => setText(cleanUnitsText(currentTarget.value))}
      />
      {agreement !== undefined && (
        <Callout tone="info" title={`${agreement.adminName} asked for the same units`}>
          By accepting, you agree: the units are credited now.
        </Callout>
      )}
      {agreement === undefined && units !== undefined && units > amountDeposited && (
        <Callout tone="warn" title="More than was deposited">
          The credit will wait until another administrator approves it.
        </Callout>
      )}
      <Refusal
        screen="creditUser"
        error={error ?? undefined}
        action={error instanceof ApiError ? <p>{error.message}</p> : undefined}
      />
      <SubmitButton missing={units === undefined ? ["whole units"] : []} isSending={isPending} fullWidth>
        Credit User
      </SubmitButton>
    </Stack>
  );
}

/** The units of the Credit User modal: digits and commas, as specified. */

/** Half the deposited amount, whole: what the modal offers. (specification, section 9) */
export function defaultUnits(amountDeposited: number): string {
  return formatCount(Math.max(1, Math.floor(amountDeposited / 2)));
}

/** The characters that the field keeps. */
export function cleanUnitsText(text: string): string {
  return text.replaceAll(/[^0-9,]/g, "").slice(0, 20);
}

/** @returns whole units; undefined for what the server would refuse. `10,5` is a typing error, not ten and a half. */
export function readUnits(text: string): number | undefined {
  const read = parseUnitsText(text);
  return read.kind === "units" && read.units >= 1 && read.units <= limits.unitsMaxPerCredit ? read.units : undefined;
}
