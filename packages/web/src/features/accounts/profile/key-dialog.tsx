import { Button, Checkbox, TextInput } from "@mantine/core";
import type { ApiKeyAnswer, MadeKeyAnswer } from "@ewebal/contract";
import { apiKeyCalls } from "@ewebal/contract/calls";
import {
  lagosDate,
  limits,
  programKeyKinds,
  type ProgramKeyKind,
  programKeyLimits,
  programKeyScopes,
  type ProgramKeyScope,
} from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";

/** What lies over the page. The page's state alone holds the secret, so closing the dialog discards it. */
export type OpenedKey = { kind: "new" } | { kind: "edit"; key: ApiKeyAnswer } | { kind: "secret"; made: MadeKeyAnswer };

export const kindWords: Readonly<Record<ProgramKeyKind, string>> = {
  api: "Our API",
  twilio: "A client of Twilio",
  smpp: "SMPP",
};

const titles: Readonly<Record<OpenedKey["kind"], string>> = {
  new: "New API key",
  edit: "Edit the key",
  secret: "Copy this now",
};

type KeyDialogProps = {
  userId: string;
  opened: OpenedKey | undefined;
  onOpen: (opened: OpenedKey | undefined) => void;
};

/** Asks what a key is for and what it may do, and shows the secret of a new one once. */
export function KeyDialog({ userId, opened, onOpen }: KeyDialogProps) {
  const close = (): void => onOpen(undefined);
  return (
    <Dialog opened={opened !== undefined} onClose={close} title={titles[opened?.kind ?? "new"]}>
      {opened?.kind === "new" && <NewKeyForm userId={userId} onMade={(made) => onOpen({ kind: "secret", made })} />}
      {opened?.kind === "edit" && <EditKeyForm userId={userId} apiKey={opened.key} onSaved={close} />}
      {opened?.kind === "secret" && (
        <Stack gap={16}>
          <Callout tone="warn" title="You won't see it again" isAnnounced>
            {opened.made.mode === "test"
              ? "Store it where your program reads it. What this key sends costs nothing and reaches nobody."
              : "Store it where your program reads it. Anyone who has it can send messages with your units."}
          </Callout>
          <DetailList rows={[{ name: "Name", value: opened.made.name }, ...secretsOf(opened.made)]} />
          <div>
            <Button onClick={close}>I have saved it</Button>
          </div>
        </Stack>
      )}
    </Dialog>
  );
}

/** What a program needs, by the names that its settings have for it. */
function secretsOf({ key, sid, token, systemId, password }: MadeKeyAnswer) {
  const named = [
    ["Key", key],
    ["Account SID", sid],
    ["Auth token", token],
    ["System ID", systemId],
    ["Password", password],
  ] as const;
  return named.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value, isCopied: true }]));
}

/** What both forms ask: what the key is called, what it may do, where it works and until when. */
type KeyValues = { name: string; lastDay: string; addresses: string };
type KeyBase = Pick<ApiKeyAnswer, "name" | "addresses" | "expiresAt" | "scopes">;

const newKey: KeyBase = { name: "", scopes: [...programKeyScopes], addresses: [], expiresAt: null };

function readKey({ name, addresses, expiresAt }: KeyBase): KeyValues {
  return {
    name,
    addresses: addresses.join(", "),
    lastDay: expiresAt === null ? "" : lagosDate(new Date(expiresAt)),
  };
}

/** The key works until the end of that day in Lagos; all days in the product are days in Lagos. */
function endOfDay(lastDay: string): string {
  return `${lastDay}T23:59:59+01:00`;
}

type FormFacts<V extends KeyValues> = {
  initial: V;
  key: KeyBase;
  send: (values: V, scopes: ProgramKeyScope[], places: string[]) => Promise<void>;
};

/** A form about a key. The scopes stand beside its texts, because they are a list. */
function useKeyForm<V extends KeyValues>({ initial, key, send }: FormFacts<V>) {
  const [scopes, setScopes] = useState<readonly ProgramKeyScope[]>(key.scopes);
  const form = useForm({
    initial,
    missing: ({ name }) => [
      ...(name.trim() === "" ? ["name"] : []),
      ...(scopes.length === 0 ? ["what it may do"] : []),
    ],
    send: async (values) => {
      try {
        await send(values, [...scopes], readPlaces(values.addresses));
      } catch (error) {
        // The server names the place in the list and the moment; the form has one field for each.
        const names = error instanceof ApiError ? Object.keys(error.fields) : [];
        if (names.some((name) => name.startsWith("addresses")))
          form.setError("addresses", "has something that is neither an IP address nor a network");
        else if (names.includes("expiresAt")) form.setError("lastDay", "has passed");
        else throw error;
      }
    },
  });
  return { form, scopes, setScopes };
}

function NewKeyForm({ userId, onMade }: { userId: string; onMade: (made: MadeKeyAnswer) => void }) {
  const queryClient = useQueryClient();
  const { bindsDefault, perSecondDefault } = programKeyLimits;
  const keyForm = useKeyForm({
    initial: {
      ...readKey(newKey),
      kind: "api",
      mode: "live",
      binds: String(bindsDefault),
      perSecond: String(perSecondDefault),
    },
    key: newKey,
    send: async ({ name, kind, mode, lastDay, binds, perSecond }, scopes, places) => {
      const { data } = await call(apiKeyCalls.createApiKey, {
        params: { userId },
        body: {
          name,
          kind: programKeyKinds.find((each) => each === kind) ?? "api",
          mode: mode === "test" ? "test" : "live",
          ...(scopes.length < programKeyScopes.length && { scopes }),
          ...(lastDay !== "" && { expiresAt: endOfDay(lastDay) }),
          ...(places.length > 0 && { addresses: places }),
          // An empty field is what the server takes by itself.
          ...(kind === "smpp" && binds !== "" && { binds: Number(binds) }),
          ...(kind === "smpp" && perSecond !== "" && { perSecond: Number(perSecond) }),
        },
      });
      onMade(data);
      await queryClient.invalidateQueries({ queryKey: ["api-keys", userId] });
    },
  });
  const { form } = keyForm;
  const { values } = form;
  const numberField = (name: "binds" | "perSecond") => ({
    ...form.field(name),
    inputMode: "numeric" as const,
    autoComplete: "off",
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      form.set(name, currentTarget.value.replaceAll(/[^0-9]/g, "")),
  });
  return (
    <Form form={form}>
      <NameField form={form} />
      <NativeSelect label="For" name="kind" value={values.kind} onValue={(kind) => form.set("kind", kind)}>
        {programKeyKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindWords[kind]}
          </option>
        ))}
      </NativeSelect>
      {values.kind === "smpp" && (
        <>
          <TextInput
            label="Connections at once"
            description={`1 to ${programKeyLimits.bindsMax} binds`}
            maxLength={2}
            {...numberField("binds")}
          />
          <TextInput
            label="Messages a second"
            description={`1 to ${programKeyLimits.perSecondMax.toLocaleString("en")}, over all connections of the key`}
            maxLength={5}
            {...numberField("perSecond")}
          />
        </>
      )}
      <NativeSelect label="Mode" name="mode" value={values.mode} onValue={(mode) => form.set("mode", mode)}>
        <option value="live">Live: uses your units</option>
        <option value="test">Test: free, reaches nobody</option>
      </NativeSelect>
      <KeyFields {...keyForm} />
      <KeyEnd form={form} button="Create key" />
    </Form>
  );
}

type EditKeyFormProps = { userId: string; apiKey: ApiKeyAnswer; onSaved: () => void };

/** Kind, mode and secret of a key stay as they are: who needs others makes another key. */
function EditKeyForm({ userId, apiKey, onSaved }: EditKeyFormProps) {
  const queryClient = useQueryClient();
  const before = readKey(apiKey);
  const keyForm = useKeyForm({
    initial: before,
    key: apiKey,
    send: async ({ name, lastDay, addresses }, scopes, places) => {
      await call(apiKeyCalls.editApiKey, {
        params: { userId, keyId: apiKey._id },
        body: {
          name,
          scopes,
          // Left out when they stay: an end that has passed is refused, and a key that has expired may be renamed.
          ...(lastDay !== before.lastDay && { expiresAt: lastDay === "" ? null : endOfDay(lastDay) }),
          ...(addresses !== before.addresses && { addresses: places }),
        },
      });
      showNotice({ title: "The key is changed" });
      onSaved();
      await queryClient.invalidateQueries({ queryKey: ["api-keys", userId] });
    },
  });
  return (
    <Form form={keyForm.form}>
      <NameField form={keyForm.form} />
      <KeyFields {...keyForm} />
      <KeyEnd form={keyForm.form} button="Save" />
    </Form>
  );
}

type KeyForm = {
  form: Pick<ReturnType<typeof useForm<KeyValues>>, "field" | "missing" | "isSending" | "refusal">;
};

function NameField({ form }: KeyForm) {
  return (
    <TextInput
      label="Name"
      description="The program that will use the key"
      maxLength={limits.apiKeyNameCharactersMax}
      data-autofocus
      {...form.field("name")}
    />
  );
}

const scopeWords: Readonly<Record<ProgramKeyScope, string>> = {
  "messages:send": "Send, change and cancel messages",
  "messages:read": "Read messages and their results",
  contacts: "Contacts and opt-outs",
  "billing:read": "Balance, statement and rates",
  webhooks: "Webhooks",
  inbox: "Inbox",
};

type KeyFieldsProps = KeyForm & {
  scopes: readonly ProgramKeyScope[];
  setScopes: (scopes: readonly ProgramKeyScope[]) => void;
};

function KeyFields({ form, scopes, setScopes }: KeyFieldsProps) {
  const choose = (chosen: string[]): void => setScopes(programKeyScopes.filter((scope) => chosen.includes(scope)));
  return (
    <>
      <Checkbox.Group label="What it may do" value={[...scopes]} onChange={choose}>
        <Stack gap={8}>
          {programKeyScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scopeWords[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Addresses (optional)"
        description="IP addresses or networks that it works from, separated by commas, such as 203.0.113.7, 198.51.100.0/24"
        {...form.field("addresses")}
      />
      <TextInput
        type="date"
        label="Last day (optional)"
        description="The key stops working after this day"
        min={lagosDate(new Date())}
        {...form.field("lastDay")}
      />
    </>
  );
}

function KeyEnd({ form, button }: KeyForm & { button: string }) {
  return (
    <>
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        {button}
      </SubmitButton>
    </>
  );
}

function readPlaces(text: string): string[] {
  return text.split(/[\s,;]+/).filter((place) => place !== "");
}
