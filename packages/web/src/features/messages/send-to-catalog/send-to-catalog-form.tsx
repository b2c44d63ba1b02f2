import type { ContactColumnName } from "@ewebal/contract/rules";
import { useEffect, useState } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { isPersonal, textAsSent } from "../personal/personal-send.ts";
import { PersonalParts } from "../personal/load-personal-parts.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Button } from "@mantine/core";
import { useCatalogTable } from "./use-catalog-table.ts";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { MessageField } from "../text/message-field.tsx";
import { findMissingForCatalog, findMissingForCatalogDraft } from "../compose/missing-for-send.ts";
import { PriceFigures } from "../price/price-card.tsx";
import { A_PRICED_COUNTRY, priceOf } from "../price/price.ts";
import { ReviewSend, useReview } from "../compose/review-send.tsx";
import { SendActions, sendKeys } from "../compose/send-actions.tsx";
import { catalogForm } from "../compose/send-form.ts";
import { SendRefusal } from "../compose/send-refusal.tsx";
import { SenderNameField } from "../compose/sender-name-field.tsx";
import { useSendSms, useSaveDraft } from "../compose/use-send-sms.ts";
import { useComposition } from "../compose/composer.ts";

type SendToCatalogFormProps = {
  userId: string;
  catalogId: string;
  code: string;
  count: number;
  columns: readonly ContactColumnName[];
};

/** A message to a whole catalog. The server knows the numbers; here are only how many. */
export function SendToCatalogForm({ userId, catalogId, code: catalogCode, count, columns }: SendToCatalogFormProps) {
  const [form] = useState(() => catalogForm(userId, { catalogId, code: catalogCode, columns }));
  const { composer } = form;
  const composition = useComposition(composer, (whole) => whole);
  const { code, merged, choices } = composition;
  const { pageRule = "flat160", publicUrl = "" } = useBrand() ?? {};
  const { data: user } = useCurrentUser();
  const rates = useRateTable(choices.class);
  useEffect(() => composer.setRates(rates), [composer, rates]);
  useEffect(() => composer.setTextRules({ pageRule, publicUrl }), [composer, pageRule, publicUrl]);
  const contacts = useCatalogTable(composer, { catalogId, code: catalogCode, columns, rates });
  const price = priceOf({
    recipients: count,
    message: textAsSent(composition),
    code,
    pageRule,
    rates,
    units: user?.units,
    merged,
  });
  const missingForSend = [
    ...findMissingForCatalog(composition, count),
    ...(price.isUnpriced ? [A_PRICED_COUNTRY] : []),
  ];
  const { send, isSending, refusal } = useSendSms(form);
  const draft = useSaveDraft(form);
  const review = useReview(price, send);
  const onKeyDown = sendKeys(missingForSend.length === 0 && !isSending, review.open);
  return (
    // The keys of all fields inside arrive here; nothing here is pressed itself.
    <Stack gap={20} onKeyDown={onKeyDown}>
      <Stack as="fieldset" gap={20} disabled={isSending} aria-label="Message">
        <Tiles min={220} gap={20} across={16} align="start">
          <CountrySelect code={code} onCode={composer.setCode} />
          <SenderNameField composer={composer} isWide />
        </Tiles>
        <MessageField composer={composer} pageRule={pageRule} />
        {contacts.error !== null && (
          <Callout
            tone="error"
            title="The contacts could not be read"
            isAnnounced
            action={
              <Button size="xs" variant="default" onClick={contacts.readAgain}>
                Try again
              </Button>
            }
          >
            Without them, texts with fields cannot be shown and priced.
          </Callout>
        )}
        <PersonalParts>{({ SendOptions }) => <SendOptions composer={composer} catalogId={catalogId} />}</PersonalParts>
        {isPersonal(composition) && (
          <PersonalParts>{({ PersonalPreview }) => <PersonalPreview composer={composer} />}</PersonalParts>
        )}
      </Stack>
      <section aria-label="SMS charge">
        <PriceFigures price={price} pageRule={pageRule} />
      </section>
      <SendActions
        price={price}
        sendLabel="Send SMS"
        isScheduled={false}
        draftLabel={form.draftLabel}
        missingForSend={missingForSend}
        missingForDraft={findMissingForCatalogDraft(composition, count)}
        isSending={isSending}
        isSaving={draft.isSaving}
        isInDialog
        onSend={review.sendOrReview}
        onDraft={draft.save}
      >
        {refusal !== null && <SendRefusal error={refusal} place="dialog" />}
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
