import { TextInput } from "@mantine/core";
import type { QuietHoursAnswer } from "@ewebal/contract";
import { quietHoursCalls } from "@ewebal/contract/calls";
import { nameCode } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { quietHoursKey } from "./quiet-hours-queries.ts";

type Edited = { hours: QuietHoursAnswer | undefined };

type QuietHoursDialogProps = {
  adminId: string;
  /** The dialog is open while this is set; without hours it asks for a country. */
  edited: Edited | undefined;
  /** Codes that have hours: setting them again replaces these. */
  taken: readonly string[];
  onClose: () => void;
};

/** Gives a country its hours, or changes them. */
export function QuietHoursDialog({ adminId, edited, taken, onClose }: QuietHoursDialogProps) {
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState(edited);
  if (edited !== undefined && edited !== latest) setLatest(edited);
  const code = latest?.hours?.code;
  const title = code === undefined ? "Set quiet hours" : `Quiet hours of ${nameCode(code)[0] ?? ""} (+${code})`;
  return (
    <Dialog opened={edited !== undefined} onClose={onClose} title={title}>
      {latest !== undefined && (
        <HoursForm
          key={latest.hours?._id ?? "new"}
          adminId={adminId}
          hours={latest.hours}
          taken={taken}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

const FIRST_HOURS = { code: "234", timeZone: "Africa/Lagos", opensAt: "08:00", closesAt: "20:00" };
const zones = (): string[] => [...new Set([FIRST_HOURS.timeZone, "UTC", ...Intl.supportedValuesOf("timeZone")])];

type HoursFormProps = Omit<QuietHoursDialogProps, "edited" | "onClose"> & Edited & { onDone: () => void };

function HoursForm({ adminId, hours, taken, onDone }: HoursFormProps) {
  const queryClient = useQueryClient();
  const { code, timeZone, opensAt, closesAt } = hours ?? FIRST_HOURS;
  const form = useForm({
    // A field for times of day knows no 24:00; midnight is the same end.
    initial: { code, timeZone, opensAt, closesAt: closesAt.startsWith("24:") ? "00:00" : closesAt },
    missing: (values) => [
      ...(values.opensAt === "" ? ["the time from which messages leave"] : []),
      ...(values.closesAt === "" ? ["the time until which they leave"] : []),
      ...(values.opensAt !== "" && values.opensAt === values.closesAt ? ["two different times"] : []),
    ],
    send: async (body) => {
      const { message } = await call(quietHoursCalls.setQuietHours, { params: { adminId }, body });
      showNotice({ title: message });
      onDone();
      await queryClient.invalidateQueries({ queryKey: quietHoursKey });
    },
  });
  const isReplaced = hours === undefined && taken.includes(form.values.code);
  return (
    <Form form={form}>
      {hours === undefined && <CountrySelect code={form.values.code} onCode={(next) => form.set("code", next)} />}
      {isReplaced && <p className="small">This country has hours already. These replace them.</p>}
      <NativeSelect
        label="Time zone"
        name="timeZone"
        value={form.values.timeZone}
        onValue={(next) => form.set("timeZone", next)}
      >
        {[...new Set([form.values.timeZone, ...zones()])].map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </NativeSelect>
      <Tiles min={160} gap={16} align="start">
        <TextInput type="time" label="Messages leave from" {...form.field("opensAt")} />
        <TextInput
          type="time"
          label="Until"
          description={isOverMidnight(form.values) ? "On the next day" : undefined}
          {...form.field("closesAt")}
        />
      </Tiles>
      <p className="muted small">
        The hours hold at once, also for messages that wait or are being sent. To let messages leave at any time, remove
        the hours.
      </p>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save hours
      </SubmitButton>
    </Form>
  );
}

function isOverMidnight({ opensAt, closesAt }: { opensAt: string; closesAt: string }): boolean {
  return opensAt !== "" && closesAt !== "" && closesAt < opensAt && closesAt !== "00:00";
}
