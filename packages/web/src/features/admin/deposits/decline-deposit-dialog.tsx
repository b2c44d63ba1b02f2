import { Button, Textarea } from "@mantine/core";
import type { DepositAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { useState } from "react";
import { ApiError } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { useDecideDeposit } from "./deposit-queries.ts";

type DeclineDepositDialogProps = {
  deposit: DepositAnswer;
  adminId: string;
  opened: boolean;
  onClose: () => void;
};

/** Asks before a deposit is declined, in the words of the specification, and takes a reason that the customer gets. */
export function DeclineDepositDialog({ deposit, adminId, opened, onClose }: DeclineDepositDialogProps) {
  const [reason, setReason] = useState("");
  const { mutate, isPending, error, reset } = useDecideDeposit({ deposit, adminId, onDone: onClose });
  const close = (): void => {
    reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title="About to decline transaction?" size="sm">
      <p className="below-16 muted">A Mail will be sent to the user about declination</p>
      <Stack gap={16}>
        <Textarea
          label="Reason (optional)"
          description="The user will see this text"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={limits.reasonCharactersMax}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Refusal
          screen="declineTransaction"
          error={error ?? undefined}
          action={error instanceof ApiError ? <p>{error.message}</p> : undefined}
        />
      </Stack>
      <Inline gap={8} justify="end" above={24}>
        <Button variant="default" data-autofocus onClick={close}>
          Nope
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ kind: "decline", reason: reason.trim() })}>
          Proceed
        </Button>
      </Inline>
    </Dialog>
  );
}
