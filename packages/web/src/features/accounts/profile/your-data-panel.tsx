import { Button } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { privacyCalls } from "@ewebal/contract/calls";
import { CLOSED_ACCOUNT_DAYS, DATA_EXPORT_DAYS, limits } from "@ewebal/contract/rules";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { leaveSession } from "../../../lib/session/session.ts";
import { formatDateTime } from "../../../lib/texts/format.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { ServerLink } from "../../../ui/kit/links.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";

/** What an owner does about the account's data as a whole: taking it along, and closing the account. */
export function YourDataPanel({ user }: { user: UserAnswer }) {
  const [isClosing, setClosing] = useState(false);
  return (
    <Panel title="Your data" isNarrow>
      <Stack gap={16} align="start">
        <DataExport userId={user._id} />
        <p className="muted">
          Close your account when you do not need it any more. Nothing is sent from then on. We erase the account after{" "}
          {CLOSED_ACCOUNT_DAYS} days.
        </p>
        <Button color="red" variant="light" onClick={() => setClosing(true)}>
          Close my account
        </Button>
      </Stack>
      <Dialog opened={isClosing} onClose={() => setClosing(false)} title="Close your account" size="sm">
        <CloseForm user={user} onClosed={() => setClosing(false)} />
      </Dialog>
    </Panel>
  );
}

function DataExport({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const queryKey = ["data-export", userId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(privacyCalls.dataExport, { params: { userId }, signal })).data,
  });
  const ask = useMutation({
    mutationFn: async () => await call(privacyCalls.exportData, { params: { userId }, body: {} }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice({ tone: "error", title: error.message }),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <p className="muted">
        Take everything that we keep of this account with you: contacts, messages and their recipients, inbox, opt-outs,
        templates, statement and invoices. We make one file with CSV and JSON, and mail you when it is ready.
      </p>
      {data?.state === "done" && (
        <Callout tone="ok" title="Your file is ready">
          <ServerLink href={`/api/${userId}/${data._id}/load-export`}>Download my data</ServerLink> until{" "}
          {formatDateTime(data.until)}, once each time that you sign in.
        </Callout>
      )}
      {data?.state === "failed" && (
        <Callout tone="warn" title="The file could not be made">
          Please ask for it again.
        </Callout>
      )}
      <Inline gap={12} wraps>
        <Button
          variant="default"
          loading={ask.isPending}
          disabled={data?.state === "waiting"}
          onClick={() => ask.mutate()}
        >
          {data?.state === "waiting" ? "We are making your file" : `Make a file for ${DATA_EXPORT_DAYS} days`}
        </Button>
      </Inline>
    </>
  );
}

function CloseForm({ user, onClosed }: { user: UserAnswer; onClosed: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { password: "" },
    missing: ({ password }) => (password === "" ? ["your password"] : []),
    send: async ({ password }) => {
      const { message } = await call(privacyCalls.closeAccount, { params: { userId: user._id }, body: { password } });
      onClosed();
      showNotice({ title: message });
      leaveSession(queryClient, "asked");
    },
  });
  return (
    <Form form={form}>
      <p className="muted">This is what happens to the account of {user.fullName}:</p>
      <ul>
        <li>
          Now: everybody is signed out, API keys stop, and messages that wait are cancelled. Their units come back.
        </li>
        <li>For {CLOSED_ACCOUNT_DAYS} days: our support can open the account again, as it is.</li>
        <li>
          Then: contacts, messages, templates, files and names are erased for good. Units that are left are lost.
          Records of payments stay, without names.
        </li>
      </ul>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        maxLength={limits.passwordCharactersMax}
        data-autofocus
        {...form.field("password")}
      />
      <Refusal screen="service" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending} color="red">
        Close my account
      </SubmitButton>
    </Form>
  );
}
