import { useEffect } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "./composer.ts";
import { PersonalParts } from "../personal/load-personal-parts.tsx";
import { isPersonal, textAsSent } from "../personal/personal-send.ts";
import { MessageField } from "../text/message-field.tsx";
import { findMissingForDraft, findMissingForSend } from "./missing-for-send.ts";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { PriceCard } from "../price/price-card.tsx";
import { A_PRICED_COUNTRY, priceOf } from "../price/price.ts";
import { RecipientsField } from "../recipients/recipients-field.tsx";
import { scheduleInWords } from "../scheduled/schedule.ts";
import { ReviewSend, useReview } from "./review-send.tsx";
import { SendActions, sendKeys } from "./send-actions.tsx";
import type { SendForm } from "./send-form.ts";
import { SendRefusal } from "./send-refusal.tsx";
import classes from "./send-sms.module.css";
import { SenderNameField } from "./sender-name-field.tsx";
import { useSendSms, useSaveDraft } from "./use-send-sms.ts";

/**
 * Composing and sending, for every form that does. Form left, phone right, price below it; one column on phones, with the
 * buttons always in sight.
 */
export function ComposeForm({ form }: { form: SendForm }) {
  const { composer, sendNow, laterLabel = "Schedule SMS", draftLabel, heldMilli = 0 } = form;
  const composition = useComposition(composer, (whole) => whole);
  const { pageRule = "flat160", publicUrl = "" } = useBrand() ?? {};
  const { data: user } = useCurrentUser();
  const { code, summary, schedule, merged, choices } = composition;
  const rates = useRateTable(choices.class);
  useEffect(() => composer.setRates(rates), [composer, rates]);
  useEffect(() => composer.setTextRules({ pageRule, publicUrl }), [composer, pageRule, publicUrl]);
  const price = priceOf({
    recipients: summary?.validCount ?? 0,
    message: textAsSent(composition),
    code,
    pageRule,
    rates,
    units: user?.units,
    heldMilli,
    merged,
  });
  const missingForSend = [...findMissingForSend(composition), ...(price.isUnpriced ? [A_PRICED_COUNTRY] : [])];
  const { send, isSending, refusal } = useSendSms(form);
  const draft = useSaveDraft(form);

  const review = useReview(price, send);
  const onKeyDown = sendKeys(missingForSend.length === 0 && !isSending, review.open);
  return (
    // The keys of all fields inside arrive here; nothing here is pressed itself.
    <Stack gap={16} align="top" className={classes.layout} onKeyDown={onKeyDown}>
      <fieldset className={classes.form} disabled={isSending} aria-label="Message">
        <Panel>
          <Stack gap={20}>
            <Tiles min={240} gap={20} across={16} align="start">
              <CountrySelect code={code} onCode={composer.setCode} />
              <SenderNameField composer={composer} />
            </Tiles>
            <MessageField composer={composer} pageRule={pageRule} />
            <RecipientsField composer={composer} />
            <PersonalParts waiting={<div className={classes.options} />}>
              {({ SendOptions }) => (
                <SendOptions composer={composer} isLater={sendNow === undefined} isDraft={draftLabel !== undefined} />
              )}
            </PersonalParts>
          </Stack>
        </Panel>
      </fieldset>
      <Stack as="aside" gap={16} className={classes.side} aria-label="Preview and charge">
        <Preview composer={composer} />
        <PriceCard price={price} pageRule={pageRule} isScheduled={schedule !== undefined} />
      </Stack>
      <SendActions
        price={price}
        sendLabel={schedule === undefined ? "Send SMS" : laterLabel}
        isScheduled={schedule !== undefined}
        draftLabel={draftLabel}
        missingForSend={missingForSend}
        missingForDraft={findMissingForDraft(composition)}
        isSending={isSending}
        isSaving={draft.isSaving}
        onSend={review.sendOrReview}
        onDraft={draft.save}
      >
        {refusal !== null && <SendRefusal error={refusal} />}
        <Refusal screen="draft" error={draft.refusal ?? undefined} />
      </SendActions>
      <ReviewSend
        review={review}
        composer={composer}
        composition={composition}
        price={price}
        pageRule={pageRule}
        onProceed={send}
      />
    </Stack>
  );
}

function Preview({ composer }: { composer: Composer }) {
  const senderName = useComposition(composer, (composition) => composition.senderName);
  const message = useComposition(composer, textAsSent);
  const schedule = useComposition(composer, (composition) => composition.schedule);
  const isMerged = useComposition(composer, isPersonal);
  // Quiet hours may hold back what is not scheduled; the note on them says until when.
  const when = schedule && (scheduleInWords(schedule) ?? "later");
  if (isMerged)
    return (
      <PersonalParts>{({ PersonalPreview }) => <PersonalPreview composer={composer} note={when} />}</PersonalParts>
    );
  return (
    <section aria-label="Preview">
      <Phone title={senderName.trim() === "" ? "Sender name" : senderName}>
        {message !== "" ? (
          <Bubble note={when}>{message}</Bubble>
        ) : (
          <p className={classes.placeholder}>Your message as people will see it</p>
        )}
      </Phone>
    </section>
  );
}
