import { adminCalls } from "@ewebal/contract/calls";
import { TextInput } from "@mantine/core";
import { useQueryClient, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { readTokenId, startAdminSession } from "../../../lib/session/session.ts";
import { PasskeyButton } from "../../../shared/passkeys/passkey-button.tsx";
import { CodeField, useCodeStep } from "../../../shared/second-factor/code-step.tsx";
import { PasswordField } from "../../../ui/forms/fields.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ForgotPassword, ScreenAside } from "../../../shared/account/screen-parts.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { networkLost } from "../../../lib/texts/catalogue-texts.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { emptyLogin, findMissingForAdminLogin } from "./admin-rules.ts";

type AdminLoginPageProps = {
  /** Token of a verification link. The page verifies the administrator when it has loaded. */
  token?: string;
};

export function AdminLoginPage({ token }: AdminLoginPageProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const host = useBrand()?.adminEmailHost;
  const codeStep = useCodeStep();
  const form = useForm({
    initial: emptyLogin,
    missing: (values) => [...findMissingForAdminLogin(values, host), ...codeStep.findMissing(values)],
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin")).adminSchemas.signInAdmin.body,
    send: async ({ code, ...body }) => {
      const answer = await codeStep.tryWith(() =>
        call(adminCalls.signInAdmin, { body: { ...body, ...(codeStep.isAsked && { code }) } }),
      );
      if (answer === undefined) return;
      const { message, data } = answer;
      // Data of the previous session must not appear, not even for a moment.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      startAdminSession(readTokenId(data));
      showNotice({ title: message });
      await navigate({ to: paths.adminDashboard });
    },
  });

  return (
    <>
      <ScreenHeading title="Admin Login">Look after customers, their units and their sender names.</ScreenHeading>
      {token !== undefined && <AdminVerification token={token} />}
      <Form form={form}>
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          description={host === undefined ? undefined : `Your company mailbox, at ${host}`}
          {...form.field("email")}
        />
        <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
        {codeStep.isAsked && <CodeField {...form.field("code")} />}
        {token === undefined && <ForgotPassword />}
        <Refusal screen="adminLogin" error={form.refusal} action={<AdminLoginWayOn error={form.refusal} />} />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Login
        </SubmitButton>
      </Form>
      <PasskeyButton />
      <ScreenAside>
        No account yet? <TextLink to={paths.adminRegister}>Register as admin</TextLink>
      </ScreenAside>
    </>
  );
}

/** The one button of a refused sign-in: the next step towards signing in. */
function AdminLoginWayOn({ error }: { error: unknown }) {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code !== "EMAIL_UNKNOWN" && code !== "PASSWORD_WRONG") return null;
  const [to, label] =
    code === "EMAIL_UNKNOWN" ? [paths.adminRegister, "Register"] : [paths.resetPassword, "Reset password"];
  return (
    <ButtonLink to={to} size="xs" variant="default">
      {label}
    </ButtonLink>
  );
}

const VERIFIED = "You can login to your dashboard";

/**
 * Verifies the administrator when the page has loaded, and shows the result. A script does it, so that the link
 * scanners of mail providers change nothing. The link works once, so the answer is kept and never asked for again.
 */
function AdminVerification({ token }: { token: string }) {
  const { data, error, isPending } = useQuery({
    queryKey: ["verify-admin", token],
    queryFn: () => call(adminCalls.verifyAdmin, { params: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (isPending) {
    return (
      <Callout tone="info" title="Verifying your account..." isAnnounced>
        One moment
      </Callout>
    );
  }
  if (data !== undefined) {
    // With approval by owners, the answer says that an owner must let the administrator in.
    return <Callout tone={data.message === VERIFIED ? "ok" : "info"} title={data.message} isAnnounced />;
  }
  if (error instanceof ApiError && error.status < 500) {
    const action = (
      <ButtonLink to={paths.adminRegister} size="xs" variant="default">
        Register again
      </ButtonLink>
    );
    return (
      <Callout tone="warn" title={error.message} action={action} isAnnounced>
        If you have already used this link, log in. Otherwise, register again.
      </Callout>
    );
  }
  return (
    <Callout tone="error" title={networkLost.title} isAnnounced>
      {networkLost.text}. We will keep trying.
    </Callout>
  );
}
