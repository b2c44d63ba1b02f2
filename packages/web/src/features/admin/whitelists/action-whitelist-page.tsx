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

/** Requests for sender names and addresses, and names that an administrator gives without a request. */
export function ActionWhitelistPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Whitelists"
      intro="Customers are promised an answer within about 24 hours. Every decision is final and mailed to them."
    >
      <Columns shares="aside">
        <RequestsPanel />
        {adminId !== null && <WhitelistUserPanel adminId={adminId} />}
      </Columns>
    </Page>
  );
}

/** Sender names for a customer who asked by mail or telephone. */
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
          description="3 to 11 characters, spaces count. Separate several with commas."
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

/** A user, and sender names between commas, each as long as a carrier takes; the server looks at their characters. */
export function findMissingForUserWhitelist({ email, senderName }: { email: string; senderName: string }): string[] {
  const names = senderName
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const tooShort = names.find((name) => name.length < limits.senderNameCharactersMin);
  const tooLong = names.find((name) => name.length > limits.senderNameCharactersMax);
  return [
    email === "" && "a user",
    names.length === 0 && "a sender ID",
    tooShort !== undefined && `at least ${limits.senderNameCharactersMin} characters in "${tooShort}"`,
    tooLong !== undefined && `at most ${limits.senderNameCharactersMax} characters in "${tooLong}"`,
  ].filter((text) => text !== false);
}

/** @param onDone called when the names are given and the form is empty again. */
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
      // Requests for the same names are decided with it.
      await queryClient.invalidateQueries({ queryKey: ["admin", "whitelists"] });
    },
  });
  return form;
}
