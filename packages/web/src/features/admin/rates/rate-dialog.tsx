import { Button, TextInput } from "@mantine/core";
import type { AdminRateAnswer } from "@ewebal/contract";
import { rateCalls } from "@ewebal/contract/calls";
import type { MessageClass } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { cleanRate, findMissingForRate, readClass, readFrom, readRate } from "../rate-form.ts";
import { isEdited } from "./admin-rates.ts";
import classes from "./rates-page.module.css";

type RateDialogProps = {
  adminId: string;
  /** The dialog is open while this is set. */
  rate: AdminRateAnswer | undefined;
  onClose: () => void;
};

/** Changes the price of a page in a country, at once or at a set time. */
export function RateDialog({ adminId, rate, onClose }: RateDialogProps) {
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(rate);
  if (rate !== undefined && rate !== latest) setLatest(rate);
  return (
    <Dialog
      opened={rate !== undefined}
      onClose={onClose}
      title={latest === undefined ? "" : `Rate of ${latest.country} (+${latest.code})`}
    >
      {latest !== undefined && <RateForm key={latest.code} adminId={adminId} rate={latest} onDone={onClose} />}
    </Dialog>
  );
}

function RateForm({ adminId, rate, onDone }: { adminId: string; rate: AdminRateAnswer; onDone: () => void }) {
  const change = useChangeRate(adminId, rate, onDone);
  const form = useForm({
    initial: { rate: "", for: "both", when: "now", from: "", time: "00:00" },
    missing: findMissingForRate,
    send: async (values) => await change(readRate(values.rate) ?? null, readFrom(values), readClass(values.for)),
  });
  const facts = isEdited(rate)
    ? `Now ${ratesInWords(rate)}, standard rate ${formatRate(rate.specifiedRate)}.`
    : `Now ${formatRate(rate.rate)}.`;
  return (
    <Form form={form}>
      <p className="muted">
        {facts} {!rate.isListed && "If you set a rate, this code appears in the customers' list of rates."}
        {rate.code.length > 3 && " Its numbers will no longer have the rate of the shorter code."}
      </p>
      <TextInput
        label="Naira for one page"
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        placeholder={formatRate(rate.rate)}
        {...form.field("rate")}
        onChange={({ currentTarget }) => form.set("rate", cleanRate(currentTarget.value))}
      />
      <NativeSelect label="For" name="for" value={form.values.for} onValue={(next) => form.set("for", next)}>
        <option value="both">All messages</option>
        <option value="promotional">Promotional messages only</option>
        <option value="transactional">Transactional messages only</option>
      </NativeSelect>
      <div className={classes.when}>
        <NativeSelect label="Starts" name="when" value={form.values.when} onValue={(when) => form.set("when", when)}>
          <option value="now">At once</option>
          <option value="later">At a set time</option>
        </NativeSelect>
        {form.values.when === "later" && (
          <>
            <TextInput type="date" label="Date" {...form.field("from")} />
            <TextInput type="time" label="Time in Lagos" {...form.field("time")} />
          </>
        )}
      </div>
      <Refusal screen="service" error={form.refusal} />
      <Inline gap={12} wraps align="start">
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          {form.values.when === "later" ? "Plan rate" : "Change rate"}
        </SubmitButton>
        {isEdited(rate) && (
          <Button variant="default" onClick={() => void giveBack(change)}>
            Reset to the standard rate
          </Button>
        )}
      </Inline>
    </Form>
  );
}

/** `3.00`, or both rates where the classes differ. */
function ratesInWords({ rate, transactionalRate }: AdminRateAnswer): string {
  if (rate === transactionalRate) return formatRate(rate);
  return `${formatRate(rate)} promotional and ${formatRate(transactionalRate)} transactional`;
}

type ChangeRate = (
  rate: number | null,
  from: string | undefined,
  messageClass: MessageClass | undefined,
) => Promise<void>;

async function giveBack(change: ChangeRate): Promise<void> {
  try {
    await change(null, undefined, undefined);
  } catch (error) {
    showNotice({
      tone: "error",
      title: "Unable to change the rate",
      text: error instanceof Error ? error.message : "",
    });
  }
}

/** Asks first, because every later send has the new price. */
function useChangeRate(adminId: string, rateNow: AdminRateAnswer, onDone: () => void): ChangeRate {
  const queryClient = useQueryClient();
  const { code, country, specifiedRate } = rateNow;
  return async (rate, from, messageClass) => {
    const when = from === undefined ? "at once" : `from ${formatDateTime(from)}`;
    const which = messageClass === undefined ? "" : ` of a ${messageClass} message`;
    const before = messageClass === undefined ? ratesInWords(rateNow) : formatRate(rateOf(rateNow, messageClass));
    const text = `From ${before} to ${formatRate(rate ?? specifiedRate)} naira for one page${which}, ${when}. Messages that are already accepted keep their price.`;
    if (!(await confirm({ title: `About to change the rate of ${country}?`, text }))) return;
    const { message } = await call(rateCalls.editRate, {
      params: { adminId },
      body: {
        code,
        rate,
        ...(from !== undefined && { from }),
        ...(messageClass !== undefined && { class: messageClass }),
      },
    });
    showNotice({ title: message });
    onDone();
    await queryClient.invalidateQueries({ queryKey: ["rates"] });
  };
}

function rateOf({ rate, transactionalRate }: AdminRateAnswer, messageClass: MessageClass): number {
  return messageClass === "transactional" ? transactionalRate : rate;
}
