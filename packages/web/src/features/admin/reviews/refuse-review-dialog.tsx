import { Button, Textarea } from "@mantine/core";
import type { ReviewAnswer } from "@ewebal/contract";
import { limits } from "@ewebal/contract/rules";
import { useState } from "react";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import classes from "../whitelists/decline-request-dialog.module.css";

type RefuseReviewDialogProps = {
  /** The dialog is open while this is set. */
  review: ReviewAnswer | undefined;
  onClose: () => void;
  onRefuse: (review: ReviewAnswer, reason: string) => void;
};

/** Asks before a message in review is refused, and for the reason, which the audit log keeps. */
export function RefuseReviewDialog({ review, onClose, onRefuse }: RefuseReviewDialogProps) {
  const [reason, setReason] = useState("");
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(review);
  if (review !== undefined && review !== latest) {
    setLatest(review);
    setReason("");
  }
  const refuse = (): void => {
    if (review !== undefined) onRefuse(review, reason.trim());
    onClose();
  };
  return (
    <Dialog
      opened={review !== undefined}
      onClose={onClose}
      title={latest === undefined ? "" : `About to refuse the message from ${latest.senderName}?`}
    >
      <p className="below-16 muted">It is cancelled for all recipients, and its units go back to the customer.</p>
      <Textarea
        label="Reason"
        description="The audit log keeps it. The customer does not see it."
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
        <SubmitButton color="red" missing={reason.trim() === "" ? ["a reason"] : []} onClick={refuse}>
          Proceed
        </SubmitButton>
      </Inline>
    </Dialog>
  );
}
