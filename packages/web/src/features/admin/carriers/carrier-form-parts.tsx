/** What the forms of carriers have in common, whatever protocol a carrier speaks. */
import { Button, TextInput } from "@mantine/core";
import type { CarrierAnswer, CarrierTestAnswer, TestCarrierBody, TestHttpCarrierBody } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import type { FormState } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./carriers-page.module.css";

/** Descriptions are below their fields, so that fields side by side are aligned. */
export const below = ["label", "input", "error", "description"] as const;

type CarrierForm = Pick<FormState<Record<string, string>>, "values" | "set" | "field">;

/** A carrier keeps its name. */
export function NameField({ form }: { form: CarrierForm }) {
  return (
    <TextInput
      label="Name"
      inputWrapperOrder={[...below]}
      description="Messages and reports show it. You can't change it later."
      autoComplete="off"
      data-autofocus
      {...form.field("name")}
    />
  );
}

type TestButtonProps = {
  adminId: string;
  /** What would be tried now. */
  body: TestCarrierBody | TestHttpCarrierBody;
  missing: readonly string[];
  label: string;
  /** The title of each result. */
  titles: { good: string; bad: string };
};

/** Tries what is in the form. A result belongs to the values that were tried; it disappears when they change. */
export function TestButton({ adminId, body, missing, label, titles }: TestButtonProps) {
  const subject = JSON.stringify(body);
  const [tested, setTested] = useState("");
  const test = useMutation({
    mutationFn: async (): Promise<CarrierTestAnswer> => {
      setTested(subject);
      return (await call(carrierCalls.testCarrier, { params: { adminId }, body })).data;
    },
  });
  const isCurrent = tested === subject;
  return (
    <>
      <div>
        <Button
          variant="default"
          loading={test.isPending}
          data-disabled={missing.length > 0 || undefined}
          aria-disabled={missing.length > 0}
          onClick={() => missing.length === 0 && test.mutate()}
        >
          {label}
        </Button>
      </div>
      {isCurrent && test.data !== undefined && (
        <Callout
          tone={test.data.isBound ? "ok" : "error"}
          title={test.data.isBound ? titles.good : titles.bad}
          isAnnounced
        >
          {test.data.text}
          {test.data.answer !== undefined && <p className="small anywhere">{test.data.answer}</p>}
        </Callout>
      )}
      {isCurrent && <Refusal screen="service" error={test.error ?? undefined} />}
    </>
  );
}

/** Which messages a carrier gets. */
export function RouteFields({ form }: { form: CarrierForm }) {
  return (
    <fieldset className={classes.set}>
      <legend>Which messages this carrier gets</legend>
      <TextInput
        label="Prefixes"
        inputWrapperOrder={[...below]}
        description="First digits of numbers, such as 234803, 234806. Leave empty for all numbers."
        inputMode="numeric"
        autoComplete="off"
        {...form.field("prefixes")}
      />
      <Stack gap={16} className={classes.pair}>
        <NativeSelect
          label="Message classes"
          name="classes"
          value={form.values["classes"] ?? ""}
          onValue={(chosen) => form.set("classes", chosen)}
        >
          <option value="both">All messages</option>
          <option value="promotional">Promotional only</option>
          <option value="transactional">Transactional only</option>
        </NativeSelect>
        <NativeSelect
          label="DND numbers"
          name="reachesDnd"
          value={form.values["reachesDnd"] ?? ""}
          onValue={(chosen) => form.set("reachesDnd", chosen)}
        >
          <option value="off">Not reached</option>
          <option value="on">Reached by transactional messages</option>
        </NativeSelect>
      </Stack>
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Weight"
          inputWrapperOrder={[...below]}
          description="Its share among carriers that tie."
          inputMode="decimal"
          autoComplete="off"
          {...form.field("weight")}
        />
        <TextInput
          label="Priority"
          inputWrapperOrder={[...below]}
          description="The lowest number goes first."
          inputMode="numeric"
          autoComplete="off"
          {...form.field("priority")}
        />
      </Stack>
    </fieldset>
  );
}

/** Says that a carrier is kept, and closes the form. */
export function useKeptCarrier(onDone: () => void): (message: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (message) => {
    showNotice({ title: message });
    onDone();
    await queryClient.invalidateQueries({ queryKey: ["carriers"] });
  };
}

type FormEndProps = {
  form: Pick<FormState<Record<string, string>>, "refusal" | "missing" | "isSending">;
  carrier: CarrierAnswer | undefined;
};

/** The refusal and the button of the whole form. */
export function FormEnd({ form, carrier }: FormEndProps) {
  return (
    <>
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        {carrier === undefined ? "Add carrier" : "Save changes"}
      </SubmitButton>
    </>
  );
}
