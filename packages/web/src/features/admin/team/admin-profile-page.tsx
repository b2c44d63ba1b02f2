import { Badge, TextInput } from "@mantine/core";
import type { AdminAnswer } from "@ewebal/contract";
import { adminAccountCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useCurrentAdmin } from "../../../shared/account/current-admin.ts";
import { ApiError, call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession, leaveSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { PasswordField, PhoneField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { PasskeysPanel } from "../../../shared/passkeys/passkeys-panel.tsx";
import { SessionsPanel } from "../../../shared/sessions/sessions-panel.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { TwoFactorPanel } from "../../../shared/second-factor/two-factor-panel.tsx";

/** The administrator's own details; all of them except the role can be changed. */
export function AdminProfilePage() {
  const { data: admin, error, refetch } = useCurrentAdmin();
  const { adminId } = useSession();
  const isFactorDuty = error instanceof ApiError && error.code === "TWO_FACTOR_REQUIRED";
  return (
    <Page title="Admin Summary">
      {adminId !== null && isFactorDuty && <TwoFactorPanel id={adminId} isDuty />}
      {admin === undefined && error !== null && !isFactorDuty && (
        <FailedState error={error} onRetry={() => void refetch()} />
      )}
      {admin !== undefined && (
        <>
          <ProfileForm key={admin.updatedAt} admin={admin} />
          <Panel title="Password" isNarrow>
            <ButtonLink to={paths.changePassword} variant="default">
              Change password
            </ButtonLink>
          </Panel>
          <TwoFactorPanel id={admin._id} />
          <PasskeysPanel id={admin._id} />
          <SessionsPanel id={admin._id} />
        </>
      )}
    </Page>
  );
}

type Values = Record<"adminName" | "adminFullName" | "contact" | "email" | "password", string>;

const isNewEmail = (email: string, admin: AdminAnswer): boolean => email.trim().toLowerCase() !== admin.email;

function findMissing({ adminName, adminFullName, contact, email, password }: Values, admin: AdminAnswer): string[] {
  return [
    isNewEmail(email, admin) && password === "" && "your password",
    adminName.trim() === "" && "admin name",
    adminFullName.trim() === "" && "full name",
    contact === "" && "contact",
    email.trim() === "" && "email",
  ].filter((name) => name !== false);
}

function ProfileForm({ admin }: { admin: AdminAnswer }) {
  const queryClient = useQueryClient();
  const host = useBrand()?.adminEmailHost;
  const form = useForm<Values>({
    initial: {
      adminName: admin.adminName,
      adminFullName: admin.adminFullName,
      contact: admin.contact,
      email: admin.email,
      password: "",
    },
    missing: (values) => findMissing(values, admin),
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin-account")).adminProfileBody,
    send: async ({ password, ...facts }) => {
      const isEmailNew = isNewEmail(facts.email, admin);
      const body = isEmailNew ? { ...facts, password } : facts;
      if (isEmailNew && !(await confirmEmail(body.email.trim()))) return;
      const { message, data } = await call(adminAccountCalls.updateAdminProfile, {
        params: { adminId: admin._id },
        body,
      });
      showNotice({ title: message, ...(isEmailNew && { durationMs: 15_000 }) });
      // The server has ended every session, so the shell leads to the login.
      if (isEmailNew) leaveSession(queryClient, "asked");
      else queryClient.setQueryData(["user", admin._id], data);
    },
  });
  return (
    <Panel
      title="Your account"
      isNarrow
      aside={
        <Badge variant="light" size="lg">
          {admin.role.toUpperCase()}
        </Badge>
      }
    >
      <Form form={form}>
        <TextInput label="Admin Name" autoComplete="username" {...form.field("adminName")} />
        <TextInput label="Full Name" autoComplete="name" {...form.field("adminFullName")} />
        <PhoneField label="Contact" {...form.field("contact")} onValue={(digits) => form.set("contact", digits)} />
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          description={
            host === undefined
              ? undefined
              : `Your company mailbox, at ${host}. You must verify a new one before you can sign in again.`
          }
          {...form.field("email")}
        />
        {isNewEmail(form.values.email, admin) && (
          <PasswordField
            label="Your password"
            description="To change your email, enter your password."
            autoComplete="current-password"
            {...form.field("password")}
          />
        )}
        <Refusal screen="adminProfile" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Save
        </SubmitButton>
      </Form>
    </Panel>
  );
}

async function confirmEmail(email: string): Promise<boolean> {
  return await confirm({
    title: "About to change your email?",
    text: `You are signed out everywhere. A mail goes to ${email}: its link must be opened before you can sign in again.`,
  });
}
