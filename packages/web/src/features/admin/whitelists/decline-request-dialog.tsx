import { Button, Textarea } from "@mantine/core";
import type { WhitelistRequestAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { useState } from "react";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import classes from "./decline-request-dialog.module.css";
import { nameOf } from "./whitelist-requests.ts";

type DeclineDialogProps = {
  /** The dialog is open while this is set. */
  request: WhitelistRequestAnswer | undefined;
  onClose: () => void;
  onDecline: (request: WhitelistRequestAnswer, reason: string) => void;
};

/** Asks before a request is declined, and for the reason, which is mailed to the customer. */
export function DeclineDialog({ request, onClose, onDecline }: DeclineDialogProps) {
  const [reason, setReason] = useState("");
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(request);
  if (request !== undefined && request !== latest) {
    setLatest(request);
    setReason("");
  }
  const decline = (): void => {
    if (request !== undefined) onDecline(request, reason.trim());
    onClose();
  };
  return (
    <Dialog
      opened={request !== undefined}
      onClose={onClose}
      title={latest === undefined ? "" : `About to decline ${nameOf(latest)}?`}
    >
      <p className="below-16 muted">A mail with the reason will be sent to {latest?.email}.</p>
      <Textarea
        label="Reason"
        description="The user will see this text"
        autosize
        minRows={3}
        maxRows={8}
        maxLength={limits.reasonCharactersMax}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Inline gap={8} align="start" justify="end" above={24} className={classes.answers}>
        <Button variant="default" data-autofocus onClick={onClose}>
          Nope
        </Button>
        <SubmitButton color="red" missing={reason.trim() === "" ? ["a reason"] : []} onClick={decline}>
          Proceed
        </SubmitButton>
      </Inline>
    </Dialog>
  );
}
