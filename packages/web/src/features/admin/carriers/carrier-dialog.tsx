import { TextInput } from "@mantine/core";
import type { CarrierAnswer, SmppCarrierAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import {
  encryptionOf,
  fieldsOf,
  findMissingForCarrier,
  findMissingForTest,
  needsPassword,
  placeOf,
  valuesOf,
  type CarrierValues,
} from "./carrier-form.ts";
import { HttpCarrierForm } from "./http-carrier-form.tsx";
import { below, FormEnd, NameField, RouteFields, TestButton, useKeptCarrier } from "./carrier-form-parts.tsx";
import classes from "./carriers-page.module.css";

type CarrierDialogProps = {
  adminId: string;
  /** The dialog is open while this is set; without a carrier it adds one. */
  edited: { carrier: CarrierAnswer | undefined } | undefined;
  onClose: () => void;
};

/** Adds or changes a carrier. The connection can be tested first. */
export function CarrierDialog({ adminId, edited, onClose }: CarrierDialogProps) {
  // The dialog keeps its content while it fades out.
  const [latest, setLatest] = useState({ edited, count: 0 });
  if (edited !== undefined && edited !== latest.edited) setLatest({ edited, count: latest.count + 1 });
  const carrier = latest.edited?.carrier;
  // A new one speaks what is chosen; one that is kept goes on speaking what it does.
  const [chosen, setChosen] = useState<CarrierAnswer["kind"]>("smpp");
  const kind = carrier?.kind ?? chosen;
  return (
    <Dialog
      opened={edited !== undefined}
      onClose={onClose}
      size="lg"
      title={carrier === undefined ? "Add a carrier" : `Edit ${carrier.name}`}
    >
      <Stack gap={16}>
        {carrier === undefined && (
          <NativeSelect
            label="Protocol"
            name="protocol"
            value={kind}
            onValue={(next) => setChosen(next === "http" ? "http" : "smpp")}
          >
            <option value="smpp">SMPP, carrier contract</option>
            <option value="http">HTTP, provider account</option>
          </NativeSelect>
        )}
        {kind === "http" ? (
          <HttpCarrierForm
            key={latest.count}
            adminId={adminId}
            carrier={carrier?.kind === "http" ? carrier : undefined}
            onDone={onClose}
          />
        ) : (
          <CarrierForm
            key={latest.count}
            adminId={adminId}
            carrier={carrier?.kind === "smpp" ? carrier : undefined}
            onDone={onClose}
          />
        )}
      </Stack>
    </Dialog>
  );
}

type FormProps = { form: FormState<CarrierValues>; carrier: SmppCarrierAnswer | undefined };

function CarrierForm({
  adminId,
  carrier,
  onDone,
}: {
  adminId: string;
  carrier: SmppCarrierAnswer | undefined;
  onDone: () => void;
}) {
  const keep = useKeptCarrier(onDone);
  const form = useForm<CarrierValues>({
    initial: valuesOf(carrier),
    missing: (values) => findMissingForCarrier(values, carrier),
    send: async (values) => {
      const carrierId = carrier?._id;
      const { message } =
        carrierId === undefined
          ? await call(carrierCalls.addCarrier, {
              params: { adminId },
              body: { ...fieldsOf(values), name: values.name },
            })
          : await call(carrierCalls.editCarrier, { params: { adminId, carrierId }, body: fieldsOf(values) });
      await keep(message);
    },
  });
  return (
    <Form form={form}>
      <ConnectionFields form={form} carrier={carrier} />
      <TestButton
        adminId={adminId}
        body={{ ...placeOf(form.values), ...(carrier?._id !== undefined && { carrierId: carrier._id }) }}
        missing={findMissingForTest(form.values, carrier)}
        label="Test connection"
        titles={{ good: "The connection works", bad: "The connection does not work" }}
      />
      <PaceFields form={form} />
      <RouteFields form={form} />
      <FormEnd form={form} carrier={carrier} />
    </Form>
  );
}

function ConnectionFields({ form, carrier }: FormProps) {
  const { values } = form;
  const keeps = carrier !== undefined && !needsPassword(values, carrier);
  return (
    <fieldset className={classes.set}>
      {carrier === undefined && <NameField form={form} />}
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Host"
          placeholder="smpp.carrier.example"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          {...form.field("host")}
        />
        <TextInput label="Port" inputMode="numeric" autoComplete="off" {...form.field("port")} />
        <TextInput
          label="System id"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          {...form.field("systemId")}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          inputWrapperOrder={[...below]}
          description={keeps ? "Leave empty to keep the stored one." : undefined}
          {...form.field("password")}
        />
        <TextInput
          label="System type"
          inputWrapperOrder={[...below]}
          description="Leave empty for most carriers."
          autoComplete="off"
          {...form.field("systemType")}
        />
        {/* The name differs from the form's value, so that the browser does not restore an earlier choice. */}
        <NativeSelect
          label="Encryption"
          name="encryption"
          value={encryptionOf(values)}
          onValue={(tls) => form.set("tls", tls)}
        >
          <option value="off">None</option>
          <option value="on">TLS</option>
        </NativeSelect>
      </Stack>
    </fieldset>
  );
}

function PaceFields({ form }: { form: FormState<CarrierValues> }) {
  return (
    <fieldset className={classes.set}>
      <legend>Pace, as agreed with the carrier</legend>
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Messages a second"
          inputWrapperOrder={[...below]}
          description="For all binds together."
          inputMode="decimal"
          autoComplete="off"
          {...form.field("messagesPerSecond")}
        />
        <TextInput
          label="Binds"
          inputWrapperOrder={[...below]}
          description="Connections at the same time."
          inputMode="numeric"
          autoComplete="off"
          {...form.field("binds")}
        />
        <TextInput
          label="Window"
          inputWrapperOrder={[...below]}
          description="Unanswered messages for each bind."
          inputMode="numeric"
          autoComplete="off"
          {...form.field("window")}
        />
        <NativeSelect
          label="Long messages"
          name="longMessages"
          value={form.values.longMessages}
          onValue={(mode) => form.set("longMessages", mode)}
        >
          <option value="udh8">Header, 8 bits</option>
          <option value="udh16">Header, 16 bits</option>
          <option value="sar">SAR fields</option>
          <option value="payload">Message payload</option>
        </NativeSelect>
        <NativeSelect
          label="Ids in receipts"
          name="receiptIds"
          value={form.values.receiptIds}
          onValue={(mode) => form.set("receiptIds", mode)}
        >
          <option value="asIs">As in the answers</option>
          <option value="hexToDec">Answers hexadecimal, receipts decimal</option>
          <option value="decToHex">Answers decimal, receipts hexadecimal</option>
        </NativeSelect>
        <TextInput
          label="DND error codes"
          inputWrapperOrder={[...below]}
          description="Receipts with these codes add their number to the DND list."
          autoComplete="off"
          {...form.field("dndErrorCodes")}
        />
      </Stack>
    </fieldset>
  );
}
