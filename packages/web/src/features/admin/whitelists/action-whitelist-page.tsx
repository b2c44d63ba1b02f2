import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { UserAnswer } from "@ewebal/contract";
import { whitelistCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "../../../lib/session/session.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { call } from "../../../lib/api/api.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { CustomerSelect } from "../customer-select.tsx";
import { RequestsPanel } from "./requests-panel.tsx";

/** Whitelist requests, and a form that approves sender names without a request. */
export function ActionWhitelistPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Whitelists"
      intro="Customers expect an answer within about 24 hours. Each decision is final, and the customer gets it by mail."
    >
      <Columns shares="aside">
        <RequestsPanel />
        {adminId !== null && <WhitelistUserPanel adminId={adminId} />}
      </Columns>
    </Page>
  );
}

/** Approves sender names for a customer who asked by mail or telephone. */
function WhitelistUserPanel({ adminId }: { adminId: string }) {
  const [user, setUser] = useState<UserAnswer>();
  const form = useWhitelistUserForm(adminId, () => setUser(undefined));
  return (
    <Panel title="Whitelist a user">
      <Form form={form}>
        <CustomerSelect
          value={user}
          error={form.field("email").error}
          onChange={(next) => {
            setUser(next);
            form.set("email", next?.email ?? "");
          }}
        />
        <TextInput
          label="Sender ID"
          description="5 to 11 characters, including spaces. To give several names, use commas."
          autoComplete="off"
          {...form.field("senderName")}
        />
        <Refusal screen="adminWhitelist" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Whitelist User
        </SubmitButton>
      </Form>
    </Panel>
  );
}

type WhitelistUserForm = FormState<{ email: string; senderName: string }>;

/**
 * Needs a user and a text of 5 characters, spaces included, as the customer's own request does; each name between the
 * commas has at most 11. The server checks the characters.
 */
export function findMissingForUserWhitelist({ email, senderName }: { email: string; senderName: string }): string[] {
  const tooLong = senderName.split(",").find((name) => name.trim().length > limits.senderNameCharactersMax);
  return [
    email === "" && "a user",
    senderName.length < limits.sourceWhitelistCharactersMin &&
      `a sender ID of at least ${limits.sourceWhitelistCharactersMin} characters`,
    tooLong !== undefined && `at most ${limits.senderNameCharactersMax} characters in "${tooLong.trim()}"`,
  ].filter((text) => text !== false);
}

/** @param onDone called when the names are approved and the form is empty. */
function useWhitelistUserForm(adminId: string, onDone: () => void): WhitelistUserForm {
  const queryClient = useQueryClient();
  const form: WhitelistUserForm = useForm({
    initial: { email: "", senderName: "" },
    missing: findMissingForUserWhitelist,
    schema: async () =>
      (await import("@ewebal/contract/schemas/whitelists")).whitelistSchemas.whitelistUserSenderId.body,
    send: async (body) => {
      const { message } = await call(whitelistCalls.whitelistUserSenderId, { params: { adminId }, body });
      showNotice({ title: message });
      form.set("email", "");
      form.set("senderName", "");
      onDone();
      // Approving the names also decides requests for them.
      await queryClient.invalidateQueries({ queryKey: ["admin", "whitelists"] });
    },
  });
  return form;
}
