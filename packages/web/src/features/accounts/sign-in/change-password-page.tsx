import { accountCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useSignOut } from "../../../shared/sessions/use-sign-out.ts";
import { CheckField, PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { SecondFactorHost } from "../../../shared/second-factor/second-factor-host.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

const empty = { currentPassword: "", password: "" };

/**
 * @param isOwn true for a signed-in person, who proves themselves with the current password; a link is proof enough.
 */
export function findMissingForChange({ currentPassword, password }: typeof empty, isOwn: boolean): string[] {
  return [
    isOwn && currentPassword === "" && "current password",
    password.length < limits.passwordCharactersMin &&
      `a new password of at least ${limits.passwordCharactersMin} characters`,
  ].filter((name) => name !== false);
}

/** Sets a new password, for the holder of a reset link or for a signed-in person who knows the current password. */
export function ChangePasswordPage() {
  const { token } = useParams({ strict: false });
  const { userId, adminId } = useSession();
  const id = token ?? userId ?? adminId;
  if (id === null) return <LinkNeeded />;
  return <ChangePasswordForm id={id} isOwn={token === undefined} isAdmin={userId === null && adminId !== null} />;
}

function ChangePasswordForm({ id, isOwn, isAdmin }: { id: string; isOwn: boolean; isAdmin: boolean }) {
  const navigate = useNavigate();
  // The specification leads to the login after a change, so the session of a signed-in person ends too.
  const signOut = useSignOut(() => undefined);
  const [endApiKeys, setEndApiKeys] = useState(false);
  const form = useForm({
    initial: empty,
    missing: (values) => findMissingForChange(values, isOwn),
    schema: async () => (await import("@ewebal/contract/schemas/accounts")).accountSchemas.changeUserPassword.body,
    send: async ({ password, currentPassword }) => {
      const body = { password, ...(isOwn && { currentPassword }), ...(endApiKeys && { endApiKeys }) };
      const { message, data } = await call(accountCalls.changeUserPassword, { params: { id }, body });
      showNotice({ title: message });
      signOut("asked");
      await navigate({ to: data.role === "admin" ? paths.adminLogin : paths.login });
    },
  });
  const isLinkSpent = form.refusal instanceof ApiError && form.refusal.code === "LINK_INVALID";
  return (
    <>
      <ScreenHeading title="Change Password">Choose a new password. This signs you out everywhere else.</ScreenHeading>
      <Form form={form}>
        {isOwn && (
          <PasswordField label="Current Password" autoComplete="current-password" {...form.field("currentPassword")} />
        )}
        <PasswordField
          label="New Password"
          autoComplete="new-password"
          description={`At least ${limits.passwordCharactersMin} characters`}
          {...form.field("password")}
        />
        {!(isOwn && isAdmin) && (
          <CheckField
            label="Revoke my API keys as well"
            description="Do this if someone else may know your old password. Programs that use the keys will stop working"
            isChecked={endApiKeys}
            onChecked={setEndApiKeys}
          />
        )}
        <Refusal
          screen="changePassword"
          error={form.refusal}
          action={
            isLinkSpent ? (
              <ButtonLink to={paths.resetPassword} size="xs" variant="default">
                Ask for a new link
              </ButtonLink>
            ) : undefined
          }
        />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Change Password
        </SubmitButton>
      </Form>
      {isOwn && <SecondFactorHost />}
    </>
  );
}

function LinkNeeded() {
  return (
    <>
      <ScreenHeading title="Change Password">To change your password, log in, or ask for a link by mail.</ScreenHeading>
      <ButtonLink to={paths.resetPassword} size="md">
        Send me a link
      </ButtonLink>
      <ButtonLink to={paths.login} size="md" variant="default">
        Login
      </ButtonLink>
    </>
  );
}
