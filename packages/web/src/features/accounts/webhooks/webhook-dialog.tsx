import { Button, Checkbox, TextInput } from "@mantine/core";
import type { WebhookAnswer } from "@ewebal/contract";
import { webhookCalls } from "@ewebal/contract/calls";
import { type WebhookEventType, webhookEventTypes, webhookLimits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";

/** What lies over the page. The page's state alone holds the secret, so closing the dialog discards it. */
export type Opened =
  | { kind: "new" }
  | { kind: "edit"; webhook: WebhookAnswer }
  | { kind: "secret"; url: string; secret: string };

const titles: Readonly<Record<Opened["kind"], string>> = {
  new: "New webhook",
  edit: "Edit the webhook",
  secret: "Copy this now",
};

type WebhookDialogProps = {
  userId: string;
  opened: Opened | undefined;
  onOpen: (opened: Opened | undefined) => void;
};

/** Asks where events go and which of them, then shows the secret once. */
export function WebhookDialog({ userId, opened, onOpen }: WebhookDialogProps) {
  const close = (): void => onOpen(undefined);
  return (
    <Dialog opened={opened !== undefined} onClose={close} title={titles[opened?.kind ?? "new"]}>
      {opened?.kind === "secret" ? (
        <Stack gap={16}>
          <Callout tone="warn" title="You won't see it again" isAnnounced>
            Store it where your program checks signatures. Anyone who has it can pretend to be us.
          </Callout>
          <DetailList
            rows={[
              { name: "Address", value: opened.url },
              { name: "Secret", value: opened.secret, isCopied: true },
            ]}
          />
          <div>
            <Button onClick={close}>I have saved it</Button>
          </div>
        </Stack>
      ) : (
        opened !== undefined && (
          <WebhookForm
            userId={userId}
            webhook={opened.kind === "edit" ? opened.webhook : undefined}
            onSaved={(made) => onOpen(made)}
          />
        )
      )}
    </Dialog>
  );
}

const eventWords: Readonly<Record<WebhookEventType, string>> = {
  "message.accepted": "A message is accepted",
  "message.finished": "A message is finished",
  "recipients.updated": "Recipients got a message, or did not",
  "inbox.received": "Somebody answers",
  "contact.opted_out": "Somebody opts out",
  "balance.low": "The balance is low",
  "sender.decided": "A sender name is decided on",
  "payment.credited": "Units are credited",
};

type WebhookFormProps = {
  userId: string;
  /** Undefined for a new one. */
  webhook: WebhookAnswer | undefined;
  /** With the secret of a new one. */
  onSaved: (made: Opened | undefined) => void;
};

function WebhookForm({ userId, webhook, onSaved }: WebhookFormProps) {
  const queryClient = useQueryClient();
  const [events, setEvents] = useState<readonly WebhookEventType[]>(webhook?.events ?? webhookEventTypes);
  const form = useForm({
    initial: { url: webhook?.url ?? "" },
    missing: ({ url }) => [
      ...(url.trim() === "" ? ["address"] : []),
      ...(events.length === 0 ? ["what it is told of"] : []),
    ],
    send: async ({ url }) => {
      const body = { url: url.trim(), events: [...events] };
      if (webhook === undefined) {
        const { data } = await call(webhookCalls.makeWebhook, { params: { userId }, body });
        onSaved({ kind: "secret", url: data.url, secret: data.secret });
      } else {
        await call(webhookCalls.editWebhook, { params: { userId, webhookId: webhook._id }, body });
        showNotice({ title: "The webhook is changed" });
        onSaved(undefined);
      }
      await queryClient.invalidateQueries({ queryKey: ["webhooks", userId] });
    },
  });
  return (
    <Form form={form}>
      <TextInput
        label="Address"
        description="Your server's, such as https://example.com/ewebal"
        inputMode="url"
        maxLength={webhookLimits.urlCharactersMax}
        data-autofocus
        {...form.field("url")}
      />
      <Checkbox.Group
        label="Tell it when"
        value={[...events]}
        onChange={(chosen) => setEvents(webhookEventTypes.filter((type) => chosen.includes(type)))}
      >
        <Stack gap={8}>
          {webhookEventTypes.map((type) => (
            <Checkbox key={type} value={type} label={eventWords[type]} description={type} />
          ))}
        </Stack>
      </Checkbox.Group>
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        {webhook === undefined ? "Create webhook" : "Save"}
      </SubmitButton>
    </Form>
  );
}
