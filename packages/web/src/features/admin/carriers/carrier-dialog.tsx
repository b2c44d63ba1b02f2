import { Button, TextInput } from "@mantine/core";
import type { CarrierAnswer, CarrierTestAnswer, SmppCarrierAnswer } from "@ewebal/contract";
import { carrierCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
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
import { below, RouteFields } from "./route-fields.tsx";
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
            <option value="smpp">SMPP, by contract with a carrier</option>
            <option value="http">HTTP, with a provider's account</option>
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
  const queryClient = useQueryClient();
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
      showNotice({ title: message });
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["carriers"] });
    },
  });
  return (
    <Form form={form}>
      <ConnectionFields form={form} carrier={carrier} />
      <TestPanel adminId={adminId} form={form} carrier={carrier} />
      <PaceFields form={form} />
      <RouteFields form={form} />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        {carrier === undefined ? "Add carrier" : "Save changes"}
      </SubmitButton>
    </Form>
  );
}

function ConnectionFields({ form, carrier }: FormProps) {
  const { values } = form;
  const keeps = carrier !== undefined && !needsPassword(values, carrier);
  return (
    <fieldset className={classes.set}>
      {carrier === undefined && (
        <TextInput
          label="Name"
          inputWrapperOrder={[...below]}
          description="Messages and reports show it. You can't change it later."
          autoComplete="off"
          data-autofocus
          {...form.field("name")}
        />
      )}
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

function TestPanel({ adminId, form, carrier }: FormProps & { adminId: string }) {
  const missing = findMissingForTest(form.values, carrier);
  const place = JSON.stringify(placeOf(form.values));
  // A result belongs to the values that were tested; it disappears when they change.
  const [tested, setTested] = useState("");
  const test = useMutation({
    mutationFn: async (): Promise<CarrierTestAnswer> => {
      setTested(place);
      const carrierId = carrier?._id;
      return (
        await call(carrierCalls.testCarrier, {
          params: { adminId },
          body: { ...placeOf(form.values), ...(carrierId !== undefined && { carrierId }) },
        })
      ).data;
    },
  });
  const isCurrent = tested === place;
  return (
    <div className={classes.set}>
      <Inline gap={12} wraps align="start">
        <Button
          variant="default"
          loading={test.isPending}
          data-disabled={missing.length > 0 || undefined}
          aria-disabled={missing.length > 0}
          onClick={() => missing.length === 0 && test.mutate()}
        >
          Test connection
        </Button>
      </Inline>
      {isCurrent && test.data !== undefined && (
        <Callout
          tone={test.data.isBound ? "ok" : "error"}
          title={test.data.isBound ? "The connection works" : "The connection does not work"}
          isAnnounced
        >
          {test.data.text}
        </Callout>
      )}
      {isCurrent && <Refusal screen="service" error={test.error ?? undefined} />}
    </div>
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
