import { TextInput } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { accountCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { explainAnswer } from "../../../lib/texts/catalogue-texts.ts";
import { useCurrentUser, userQuery } from "../../../shared/account/current-user.ts";
import { paths } from "../../../lib/paths.ts";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

type Values = Record<"userName" | "fullName" | "phoneNo", string>;

/** All three are required. (specification, section 5) */
export function findMissingForUpdate({ userName, fullName, phoneNo }: Values): string[] {
  return [
    userName.trim() === "" && "user name",
    fullName.trim() === "" && "full name",
    phoneNo === "" && "phone number",
  ].filter((name) => name !== false);
}

/** Names take letters and spaces only; the field ignores every other character. */
export function cleanName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{M} ]/gu, "");
}

export function UpdateProfilePage() {
  const { data: user, error, refetch } = useCurrentUser();
  return (
    <Page title="Update Personal Info">
      {user === undefined && error !== null && <FailedState error={error} onRetry={() => void refetch()} />}
      {user !== undefined && <UpdateForm user={user} />}
    </Page>
  );
}

function UpdateForm({ user }: { user: UserAnswer }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initial: { userName: user.userName, fullName: user.fullName, phoneNo: user.phoneNo },
    missing: findMissingForUpdate,
    schema: async () => (await import("@ewebal/contract/schemas/accounts")).accountSchemas.updatePersonalInfo.body,
    send: async (body) => {
      const { message, data } = await call(accountCalls.updatePersonalInfo, { params: { userId: user._id }, body });
      queryClient.setQueryData(userQuery(user._id).queryKey, data);
      showNotice(explainAnswer("profileUpdate", 200, message));
      await navigate({ to: paths.profileInfo });
    },
  });
  return (
    <Panel isNarrow>
      <Form form={form}>
        <TextInput
          label="Email"
          value={user.email}
          readOnly
          description="You can't change the email that you sign in with."
        />
        <TextInput
          label="User Name"
          {...form.field("userName")}
          onChange={({ currentTarget }) => form.set("userName", cleanName(currentTarget.value))}
        />
        <TextInput
          label="Full Name"
          {...form.field("fullName")}
          onChange={({ currentTarget }) => form.set("fullName", cleanName(currentTarget.value))}
        />
        <PhoneField label="Tel" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
        <Refusal screen="profileUpdate" error={form.refusal} />
        <div data-least="owner">
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Update Info
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
