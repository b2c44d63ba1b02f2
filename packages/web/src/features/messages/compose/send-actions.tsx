import { Button } from "@mantine/core";
import { formatUnits } from "@ewebal/contract/rules";
import { IconClock, IconDeviceFloppy, IconSend } from "@tabler/icons-react";
import { useId, type ReactNode, type KeyboardEvent } from "react";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Inline } from "../../../ui/layout/boxes.tsx";
import type { Price } from "../price/price.ts";
import classes from "./send-sms.module.css";
import { missingInWords, useKeptFocus } from "../../../ui/forms/submit-button.tsx";

type SendActionsProps = {
  price: Price;
  sendLabel: string;
  isScheduled: boolean;
  /** Undefined: nothing can be saved as a draft. */
  draftLabel: string | undefined;
  missingForSend: readonly string[];
  missingForDraft: readonly string[];
  isSending: boolean;
  isSaving: boolean;
  /** A dialog has a bottom of its own, so nothing sticks to the screen's. */
  isInDialog?: boolean;
  onSend: () => void;
  onDraft: () => void;
  /** Why the last try was refused: above the buttons, so that it is seen wherever the page is scrolled to. */
  children: ReactNode;
};

/** The two buttons, dimmed and inert until everything is there, and what is still needed. Stays in sight on phones. */
export function SendActions(props: SendActionsProps) {
  const {
    price,
    sendLabel,
    isScheduled,
    draftLabel,
    missingForSend,
    missingForDraft,
    isSending,
    isSaving,
    isInDialog = false,
    onSend,
    onDraft,
    children,
  } = props;
  const SendIcon = isScheduled ? IconClock : IconSend;
  const hintId = useId();
  const sendRef = useKeptFocus(isSending);
  const draftRef = useKeptFocus(isSaving);
  const inert = (missing: readonly string[]) => ({
    "data-disabled": missing.length > 0 || undefined,
    "aria-disabled": missing.length > 0,
    "aria-describedby": missing.length > 0 ? hintId : undefined,
  });
  return (
    <div className={classes.actions} data-in-dialog={isInDialog || undefined}>
      <div className={classes.refusals}>{children}</div>
      <Inline
        as="p"
        gap={0}
        across={12}
        wraps
        justify="between"
        className={`${classes.total} small numeric`}
        aria-hidden
      >
        <span>{formatCounted(price.recipients, "recipient")}</span>
        <strong>{formatUnits(price.chargeMilli)} units</strong>
      </Inline>
      <div className={classes.buttons}>
        <Button
          {...inert(missingForSend)}
          ref={sendRef}
          size="md"
          leftSection={<SendIcon size={18} stroke={1.8} aria-hidden />}
          loading={isSending}
          aria-keyshortcuts="Control+Enter"
          onClick={() => {
            if (missingForSend.length === 0) onSend();
          }}
        >
          {sendLabel}
        </Button>
        {draftLabel !== undefined && (
          <Button
            {...inert(missingForDraft)}
            ref={draftRef}
            size="md"
            variant="default"
            leftSection={<IconDeviceFloppy size={18} stroke={1.8} aria-hidden />}
            loading={isSaving}
            onClick={() => {
              if (missingForDraft.length === 0) onDraft();
            }}
          >
            {draftLabel}
          </Button>
        )}
      </div>
      {missingForSend.length > 0 ? (
        <p id={hintId} className="muted small">
          {missingInWords(missingForSend)}
        </p>
      ) : (
        <p className={`${classes.shortcut} muted small`}>
          <kbd>Ctrl</kbd> + <kbd>Enter</kbd> {isScheduled ? "works too" : "sends too"}
        </p>
      )}
    </div>
  );
}

/**
 * Ctrl+Enter opens the review of any send, because two keys are pressed more easily by mistake than a button.
 *
 * @param canSend otherwise the keys do nothing.
 */
export function sendKeys(canSend: boolean, openReview: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    if (canSend) openReview();
  };
}
