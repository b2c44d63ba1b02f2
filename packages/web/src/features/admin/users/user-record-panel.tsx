import { Button, TextInput } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { useState, type FormEvent } from "react";
import { adminUserCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { formatDateTime, formatPhone } from "../../../lib/texts/format.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import { call } from "../../../lib/api/api.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** A customer's details: read-only, or editable after "Edit". */
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
              : "Both addresses get a mail, and the user is signed out everywhere."
          }
          {...form.field("email")}
        />
      </Tiles>
      <TextInput
        label="Sender IDs"
        description="3 to 11 characters each. Separate names with commas. A name that you delete is no longer approved."
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

type UserValues = { userName: string; fullName: string; phoneNo: string; email: string; senderID: string };
type UpdateUserForm = FormState<UserValues>;

function valuesOf(user: UserAnswer): UserValues {
  const { userName, fullName, phoneNo, email, senderID } = user;
  return { userName, fullName, phoneNo, email, senderID: senderID.join(", ") };
}

/** Only changes are sent, so that other people's changes are not overwritten. */
export function changesOf(before: UserValues, after: UserValues): Partial<UserValues> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value.trim() !== before[name as keyof UserValues]),
  );
}

/** No field of the specification may be empty, except the sender names, and at least one must differ. */
export function findMissingForUpdate(before: UserValues, after: UserValues): string[] {
  const isEmpty = (text: string): boolean => text.trim() === "";
  return [
    isEmpty(after.userName) && "user name",
    isEmpty(after.fullName) && "full name",
    isEmpty(after.phoneNo) && "contact",
    isEmpty(after.email) && "email",
    Object.keys(changesOf(before, after)).length === 0 && "Nothing changed yet.",
  ].filter((name) => name !== false);
}

/** @param onDone called when the changes are stored. */
function useUpdateUserForm(user: UserAnswer, onDone: () => void): UpdateUserForm {
  const queryClient = useQueryClient();
  // The values when editing began: another administrator's later changes do not count as changes of this form.
  const [before] = useState(() => valuesOf(user));
  const form: UpdateUserForm = useForm({
    initial: before,
    missing: (values) => findMissingForUpdate(before, values),
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin-users")).updateUserBody,
    send: async (values) => {
      const { message } = await call(adminUserCalls.updateUser, {
        params: { userId: user._id },
        body: changesOf(before, values),
      });
      await queryClient.invalidateQueries({ queryKey: ["admin"] });
      showNotice({ title: message });
      onDone();
    },
  });

  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (form.missing.length > 0 || form.isSending) return;
    // Asks before the form counts as sent, so that the focus can return to its button.
    if (await confirm({ title: "About to update user?", text: "This action can't be reversed" })) form.onSubmit(event);
  };
  return { ...form, onSubmit: (event) => void ask(event) };
}
