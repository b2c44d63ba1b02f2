import { TextInput } from "@mantine/core";
import type { EmailRule } from "@ewebal/contract";
import { accountCalls } from "@ewebal/contract/calls";
import { emailHint, isEmailAccepted } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { readTokenId, startUserSession } from "../../../lib/session/session.ts";
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
import { VerificationResult, ResendVerification } from "./verification-result.tsx";

const empty = { email: "", password: "", code: "" };

/** @param rule undefined until the brand has arrived; until then the stricter rule counts. */
export function findMissingForLogin(
  { email, password }: Pick<typeof empty, "email" | "password">,
  rule: EmailRule = "specified",
): string[] {
  // The field says which addresses it takes; only a wrong one is told again.
  const emailWords = rule === "specified" && email !== "" ? "a gmail.com address" : "email";
  return [!isEmailAccepted("login", email, rule) && emailWords, password === "" && "password"].filter(
    (name) => name !== false,
  );
}

type LoginPageProps = {
  /** Token of a verification link. The page verifies the account when it has loaded. */
  token?: string;
};

export function LoginPage({ token }: LoginPageProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const brand = useBrand();
  const codeStep = useCodeStep();
  const form = useForm({
    initial: empty,
    missing: (values) => [...findMissingForLogin(values, brand?.emailRules), ...codeStep.findMissing(values)],
    schema: async () => (await import("@ewebal/contract/schemas/accounts")).accountSchemas.signInUser.body,
    send: async ({ code, ...body }) => {
      const answer = await codeStep.tryWith(() =>
        call(accountCalls.signInUser, { body: { ...body, ...(codeStep.isAsked && { code }) } }),
      );
      if (answer === undefined) return;
      const { message, data } = answer;
      // Data of the previous session must not appear, not even for a moment.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      startUserSession(readTokenId(data));
      showNotice({ title: message });
      await navigate({ to: paths.dashboard });
    },
  });
  const askForEmail = (): void => form.setError("email", "Enter the email that you registered with");

  return (
    <>
      <ScreenHeading title="Login">Send, draft and schedule SMS from your dashboard.</ScreenHeading>
      {token !== undefined && (
        <VerificationResult token={token} email={form.values.email} onEmailMissing={askForEmail} />
      )}
      <Form form={form}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          inputMode="email"
          description={brand === undefined ? undefined : emailHint("login", brand.emailRules)}
          {...form.field("email")}
        />
        <PasswordField label="Password" autoComplete="current-password" {...form.field("password")} />
        {codeStep.isAsked && <CodeField {...form.field("code")} />}
        {token === undefined && <ForgotPassword />}
        <Refusal
          screen="login"
          error={form.refusal}
          action={<LoginWayOn error={form.refusal} email={form.values.email} onEmailMissing={askForEmail} />}
        />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Login
        </SubmitButton>
      </Form>
      <PasskeyButton />
      <ScreenAside>
        No account yet? <TextLink to={paths.register}>Register</TextLink>
      </ScreenAside>
    </>
  );
}

type LoginWayOnProps = {
  error: unknown;
  email: string;
  onEmailMissing: () => void;
};

/** The one button of a refused sign-in: the next step towards signing in. */
function LoginWayOn({ error, email, onEmailMissing }: LoginWayOnProps) {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === "NOT_VERIFIED") return <ResendVerification email={email} onEmailMissing={onEmailMissing} />;
  if (code !== "EMAIL_UNKNOWN" && code !== "PASSWORD_WRONG") return null;
  const [to, label] = code === "EMAIL_UNKNOWN" ? [paths.register, "Register"] : [paths.resetPassword, "Reset password"];
  return (
    <ButtonLink to={to} size="xs" variant="default">
      {label}
    </ButtonLink>
  );
}
