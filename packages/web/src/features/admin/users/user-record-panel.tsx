import { Button, TextInput } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { useState } from "react";
import { formatDateTime, formatPhone } from "../../../lib/texts/format.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { Form } from "../../../ui/forms/form.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { useUpdateUserForm } from "./use-update-user-form.ts";

/** What is known of a customer: read, or changed field by field after "Edit". */
export function UserRecordPanel({ user }: { user: UserAnswer }) {
  const [isEditing, setEditing] = useState(false);
  const toggle = (
    <Button variant="default" size="xs" onClick={() => setEditing(!isEditing)}>
      {isEditing ? "Cancel" : "Edit"}
    </Button>
  );
  return (
    <Panel title="Details" aside={toggle}>
      {isEditing ? <UserForm user={user} onDone={() => setEditing(false)} /> : <UserFacts user={user} />}
    </Panel>
  );
}

function UserFacts({ user }: { user: UserAnswer }) {
  return (
    <DetailList
      rows={[
        { name: "User Name", value: user.userName },
        { name: "Full Name", value: user.fullName },
        { name: "Contact", value: formatPhone(user.phoneNo) },
        { name: "Email", value: user.email, isCopied: true },
        { name: "Sender IDs", value: user.senderID.length === 0 ? "None" : user.senderID.join(", ") },
        { name: "Date Created", value: formatDateTime(user.createdAt) },
        { name: "Last sign-in", value: user.lastSignInAt === undefined ? "Never" : formatDateTime(user.lastSignInAt) },
      ]}
    />
  );
}

function UserForm({ user, onDone }: { user: UserAnswer; onDone: () => void }) {
  const form = useUpdateUserForm(user, onDone);
  return (
    <Form form={form}>
      <Tiles min={240} gap={16} align="start">
        <TextInput label="User Name" autoComplete="off" {...form.field("userName")} />
        <TextInput label="Full Name" autoComplete="off" {...form.field("fullName")} />
        <PhoneField
          label="Contact"
          {...form.field("phoneNo")}
          autoComplete="off"
          onValue={(digits) => form.set("phoneNo", digits)}
        />
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          description={
            form.values.email === user.email
              ? undefined
              : "Both addresses are told, and the user is signed out everywhere."
          }
          {...form.field("email")}
        />
      </Tiles>
      <TextInput
        label="Sender IDs"
        description="3 to 11 characters each. Separate several with commas. Those you leave out are taken away."
        autoComplete="off"
        {...form.field("senderID")}
      />
      <TextInput label="Date Created" value={formatDateTime(user.createdAt)} readOnly variant="filled" />
      <Refusal screen="adminUpdateUser" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Update
      </SubmitButton>
    </Form>
  );
}
