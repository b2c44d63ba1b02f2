import { Button } from "@mantine/core";
import type { PageRule } from "@ewebal/contract";
import { useState } from "react";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Inline, Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { FigureList, PriceFigures } from "../price/price-card.tsx";
import type { Price } from "../price/price.ts";
import { scheduleInWords } from "../scheduled/schedule.ts";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { textAsSent } from "../personal/personal-send.ts";
import { PersonalParts } from "../personal/load-personal-parts.tsx";
import type { Composer } from "./composer.ts";
import type { Composition } from "./composition.ts";

/** More recipients than this are never sent to at one press. */
const RECIPIENTS_UNASKED_MAX = 100;
/** Nor is more than this part of the balance spent at one press. */
const BALANCE_PARTS = 10;

/** Whether a send must be reviewed first: above 100 recipients, or above a tenth of the balance. All amounts in thousandths. */
export function needsReview({ recipients, chargeMilli, availableMilli }: Price): boolean {
  if (recipients > RECIPIENTS_UNASKED_MAX) return true;
  return availableMilli !== undefined && chargeMilli * BALANCE_PARTS > availableMilli;
}

type Review = {
  isOpen: boolean;
  /** Sends at once what needs no review, and opens the review of everything else. */
  sendOrReview: () => void;
  open: () => void;
  close: () => void;
};

/** @param send called for a send that nobody has to look at again. */
export function useReview(price: Price, send: () => void): Review {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  return { isOpen, open, sendOrReview: () => (needsReview(price) ? open() : send()), close: () => setOpen(false) };
}

type ReviewSendProps = {
  review: Review;
  composer: Composer;
  composition: Composition;
  price: Price;
  pageRule: PageRule;
  onProceed: () => void;
};

/**
 * What is about to be sent, and what it costs. Price and balance are those of this moment: they change here, too, while the review
 * is open. The focus starts on "Nope", so a second Enter on Send SMS sends nothing.
 */
export function ReviewSend({ review, composer, composition, price, pageRule, onProceed }: ReviewSendProps) {
  const { senderName, schedule } = composition;
  const who = formatCounted(price.recipients, "recipient");
  const isShort = price.remainingMilli !== undefined && price.remainingMilli < 0;
  // Quiet hours may hold back what is not scheduled; the note on them says until when.
  const when = schedule && (scheduleInWords(schedule) ?? "later");
  const proceed = (): void => {
    if (isShort) return;
    review.close();
    onProceed();
  };
  return (
    <Dialog
      opened={review.isOpen}
      onClose={review.close}
      title={schedule === undefined ? `Send to ${who}?` : `Schedule for ${who}?`}
      size="lg"
      isOnTop
    >
      <Tiles min={240} gap={20} align="start">
        <section aria-label="Message to be sent">
          {price.pageCounts === undefined ? (
            <Phone title={senderName} isLow>
              <Bubble note={when}>{textAsSent(composition)}</Bubble>
            </Phone>
          ) : (
            <PersonalParts>
              {({ PersonalPreview }) => <PersonalPreview composer={composer} note={when} />}
            </PersonalParts>
          )}
        </section>
        <Stack gap={12} as="section" aria-label="Recipients and charge">
          <LeftOut composition={composition} />
          <PersonalParts>{({ SendNotes }) => <SendNotes composer={composer} />}</PersonalParts>
          <div>
            <PriceFigures price={price} pageRule={pageRule} isScheduled={schedule !== undefined} />
          </div>
        </Stack>
      </Tiles>
      <Inline gap={8} justify="end" above={24}>
        <Button variant="default" data-autofocus onClick={review.close}>
          Nope
        </Button>
        <Button data-disabled={isShort || undefined} aria-disabled={isShort} onClick={proceed}>
          Proceed
        </Button>
      </Inline>
    </Dialog>
  );
}

/** Numbers that were given and get nothing. A catalog has neither. */
function LeftOut({ composition: { summary, merged } }: { composition: Composition }) {
  const leftOut = [
    { name: "Repeated numbers, sent to once", value: summary?.duplicateCount ?? 0 },
    { name: "Wrong numbers, left out", value: summary?.wrongCount ?? 0 },
    { name: "Without a value, left out", value: merged?.missing.count ?? 0 },
  ].filter(({ value }) => value > 0);
  if (leftOut.length === 0) return null;
  return <FigureList figures={leftOut.map(({ name, value }) => ({ name, value: formatCount(value) }))} />;
}
