import { Button, Textarea, TextInput } from "@mantine/core";
import type { HttpCarrierAnswer, HttpPresetName } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { httpPresets } from "@ewebal/contract/rules";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import {
  findMissingForHttp,
  findMissingForHttpTest,
  findMissingForLink,
  httpFieldsOf,
  httpValuesOf,
  linkOf,
  newHttpCarrierOf,
  newReportSecret,
  presetOf,
  type HttpCarrierValues,
} from "./http-carrier-values.ts";
import { below, FormEnd, NameField, RouteFields, TestButton, useKeptCarrier } from "./carrier-form-parts.tsx";
import classes from "./carriers-page.module.css";

type FormProps = { form: FormState<HttpCarrierValues>; carrier: HttpCarrierAnswer | undefined };

/** Adds or changes a carrier over HTTP. A message can be sent through it first. */
export function HttpCarrierForm({
  adminId,
  carrier,
  onDone,
}: {
  adminId: string;
  carrier: HttpCarrierAnswer | undefined;
  onDone: () => void;
}) {
  const keep = useKeptCarrier(onDone);
  const [initial] = useState(() => httpValuesOf(carrier));
  const form = useForm<HttpCarrierValues>({
    initial,
    missing: (values) => findMissingForHttp(values, carrier),
    send: async (values) => {
      const carrierId = carrier?._id;
      const { message } =
        carrierId === undefined
          ? await call(carrierCalls.addCarrier, { params: { adminId }, body: newHttpCarrierOf(values) })
          : await call(carrierCalls.editCarrier, { params: { adminId, carrierId }, body: httpFieldsOf(values) });
      await keep(message);
    },
  });
  return (
    <Form form={form}>
      <AccountFields form={form} carrier={carrier} />
      <ReportFields form={form} carrier={carrier} />
      <TestPanel adminId={adminId} form={form} carrier={carrier} />
      <PaceFields form={form} />
      <RouteFields form={form} />
      <FormEnd form={form} carrier={carrier} />
    </Form>
  );
}

function AccountFields({ form, carrier }: FormProps) {
  const { values } = form;
  const preset = presetOf(values);
  const keeps = carrier !== undefined && findMissingForLink(values, carrier).length === 0;
  const stored = keeps ? "Leave empty to keep the stored one." : undefined;
  return (
    <fieldset className={classes.set}>
      {carrier === undefined && <NameField form={form} />}
      <NativeSelect
        label="Provider"
        name="provider"
        value={values.preset}
        onValue={(chosen) => form.set("preset", chosen)}
      >
        {Object.entries(httpPresets).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
        <option value="other">Another provider</option>
      </NativeSelect>
      {preset === undefined ? (
        <Textarea
          label="Definition"
          inputWrapperOrder={[...below]}
          description={
            stored ?? "JSON: how a message is sent, and what the answers mean. docs/operations.md describes each part."
          }
          autosize
          minRows={6}
          maxRows={18}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          {...form.field("definition")}
        />
      ) : (
        <PresetFields form={form} carrier={carrier} preset={preset} stored={stored} />
      )}
    </fieldset>
  );
}

type PresetFieldsProps = FormProps & { preset: HttpPresetName; stored: string | undefined };

/** What an account at a known provider has of its own. */
function PresetFields({ form, carrier, preset, stored }: PresetFieldsProps) {
  const { values } = form;
  const { asks, origin } = httpPresets[preset];
  return (
    <Stack gap={16} className={classes.pair}>
      {asks.map(({ name, label, help }) =>
        name === "username" ? (
          <TextInput
            key={name}
            label={label}
            inputWrapperOrder={[...below]}
            description={stored}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            {...form.field(name)}
          />
        ) : (
          <PasswordField
            key={name}
            label={label}
            inputWrapperOrder={[...below]}
            description={stored ?? help}
            autoComplete="new-password"
            {...form.field(name)}
          />
        ),
      )}
      <TextInput
        label="Address"
        inputWrapperOrder={[...below]}
        description={origin === undefined ? "Your account's own." : "Only if your account has one of its own."}
        placeholder={origin ?? "https://abc123.api.infobip.com"}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        {...form.field("url")}
      />
      {preset === "termii" && (
        <NativeSelect
          label="Channel"
          name="channel"
          value={values.channel}
          onValue={(channel) => form.set("channel", channel)}
        >
          {carrier !== undefined && <option value="">As it is</option>}
          <option value={carrier === undefined ? "" : "generic"}>generic, promotional</option>
          <option value="dnd">dnd, transactional</option>
        </NativeSelect>
      )}
    </Stack>
  );
}

function ReportFields({ form, carrier }: FormProps) {
  const { reportSecret } = form.values;
  if (carrier !== undefined && reportSecret === "")
    return (
      <fieldset className={classes.set}>
        <legend>Delivery reports</legend>
        <p className="small muted">
          {carrier.takesReports
            ? "The provider reports to the address that you gave it."
            : "This carrier takes no delivery reports."}
        </p>
        <div>
          <Button variant="default" size="xs" onClick={() => form.set("reportSecret", newReportSecret())}>
            Make a new report address
          </Button>
        </div>
      </fieldset>
    );
  return (
    <fieldset className={classes.set}>
      <legend>Delivery reports</legend>
      <TextInput
        label="Report address"
        inputWrapperOrder={[...below]}
        description="Give it to the provider as the callback address. Keep it secret: you only see it now."
        readOnly
        value={`${window.location.origin}/carrier-reports/${reportSecret}`}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    </fieldset>
  );
}

function TestPanel({ adminId, form, carrier }: FormProps & { adminId: string }) {
  const { values } = form;
  const { to, from, text } = values;
  const carrierId = carrier?._id;
  const message = { to, from: from.trim(), text, ...(carrierId !== undefined && { carrierId }) };
  return (
    <fieldset className={classes.set}>
      <legend>Send a test</legend>
      <p className="small muted">This sends one real message at the provider's price. It appears in no history.</p>
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="To"
          placeholder="2348030000000"
          inputMode="numeric"
          autoComplete="off"
          {...form.field("to")}
        />
        <TextInput label="Sender name" autoComplete="off" {...form.field("from")} />
      </Stack>
      <TextInput label="Text" autoComplete="off" {...form.field("text")} />
      <TestButton
        adminId={adminId}
        body={{ kind: "http", ...linkOf(values), ...message }}
        missing={findMissingForHttpTest(values, carrier)}
        label="Send a test"
        titles={{ good: "The message was accepted", bad: "The message was not accepted" }}
      />
    </fieldset>
  );
}

function PaceFields({ form }: { form: FormState<HttpCarrierValues> }) {
  return (
    <fieldset className={classes.set}>
      <legend>Pace, as agreed with the provider</legend>
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Messages a second"
          inputMode="decimal"
          autoComplete="off"
          {...form.field("messagesPerSecond")}
        />
        <TextInput
          label="Window"
          inputWrapperOrder={[...below]}
          description="Requests at the same time."
          inputMode="numeric"
          autoComplete="off"
          {...form.field("window")}
        />
      </Stack>
    </fieldset>
  );
}
