import { TextInput } from "@mantine/core";
import { useState } from "react";
import type { UserAnswer } from "@ewebal/contract";
import { Form } from "../../../ui/forms/form.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { CustomerSelect } from "../customer-select.tsx";
import { useWhitelistUserForm } from "./use-whitelist-user-form.ts";

/** Sender names for a customer who asked by mail or telephone. */
export function WhitelistUserPanel({ adminId }: { adminId: string }) {
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
