import { TextInput } from "@mantine/core";
import type { AlarmAnswer } from "@ewebal/contract";
import { alarmCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { alarmsKey } from "./alarm-queries.ts";

const HOUR_MS = 3_600_000;
const OWN = "own";
const spans = [
  { hours: 1, label: "1 hour" },
  { hours: 8, label: "8 hours" },
  { hours: 24, label: "1 day" },
  { hours: 7 * 24, label: "1 week" },
  { hours: 30 * 24, label: "30 days" },
];

export type SilenceDialogProps = {
  adminId: string;
  alarm: AlarmAnswer;
  /** What the alarm is called, for the title. */
  name: string;
  onClose: () => void;
};

/** Asks until when nobody is told of an alarm. */
export function SilenceDialog({ adminId, alarm, name, onClose }: SilenceDialogProps) {
  const queryClient = useQueryClient();
  const [openedAtMs] = useState(() => Date.now());
  const untilOf = ({ span, until }: { span: string; until: string }): Date =>
    span === OWN ? new Date(until) : new Date(openedAtMs + Number(span) * HOUR_MS);
  const form = useForm({
    initial: { span: "8", until: "" },
    missing: ({ span, until }) => (span === OWN && until === "" ? ["a date and a time"] : []),
    send: async (values) => {
      const until = untilOf(values).toISOString();
      const { message } = await call(alarmCalls.silenceAlarm, {
        params: { adminId, alarmId: alarm._id },
        body: { until },
      });
      showNotice({ title: message });
      onClose();
      await queryClient.invalidateQueries({ queryKey: alarmsKey });
    },
  });
  const { span } = form.values;
  return (
    <Dialog opened onClose={onClose} title={`Silence: ${name}`} size="sm">
      <Form form={form}>
        <p className="muted">
          Until then nobody gets a mail or a webhook about this alarm, or about the next one of its kind here. If it is
          still open then, it is told again.
        </p>
        <NativeSelect label="For" name="span" value={span} onValue={(next) => form.set("span", next)}>
          {spans.map(({ hours, label }) => (
            <option key={hours} value={String(hours)}>
              {label}
            </option>
          ))}
          <option value={OWN}>Until a time that I choose</option>
        </NativeSelect>
        {span === OWN ? (
          <TextInput type="datetime-local" label="Until" {...form.field("until")} />
        ) : (
          <p className="small">Until {formatDateTime(untilOf(form.values).toISOString())}</p>
        )}
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Silence
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
