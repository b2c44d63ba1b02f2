import type { ReactNode } from "react";
import { ApiError } from "../../lib/api/api.ts";
import type { CatalogueScreen } from "../../lib/texts/catalogue-texts.ts";
import { PasswordField } from "../../ui/forms/fields.tsx";
import { Form, type FormState } from "../../ui/forms/form.tsx";
import { ButtonLink, TextLink } from "../../ui/kit/links.tsx";
import { LoadingCover } from "../../ui/feedback/loading-cover.tsx";
import { Refusal } from "../../ui/feedback/refusal.tsx";
import { ScreenAside } from "./screen-parts.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";

type RegistrationFormProps<V extends Record<string, string>> = {
  form: FormState<V>;
  /** Whose words a refusal has. */
  screen: CatalogueScreen;
  /** Where they go who have an account already. */
  loginPath: string;
  /** Asks whether they have. */
  question: string;
  /** The fields. */
  children: ReactNode;
};

/** A form that creates an account for a customer or an administrator: its fields, and the links below them. */
export function RegistrationForm<V extends Record<string, string>>({
  form,
  screen,
  loginPath,
  question,
  children,
}: RegistrationFormProps<V>) {
  const isTaken = form.refusal instanceof ApiError && form.refusal.code === "EMAIL_TAKEN";
  const login = (
    <ButtonLink to={loginPath} size="xs" variant="default">
      Login
    </ButtonLink>
  );
  return (
    <>
      <Form form={form}>
        {children}
        <Refusal screen={screen} error={form.refusal} action={isTaken ? login : undefined} />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Create Account
        </SubmitButton>
      </Form>
      <ScreenAside>
        {question} <TextLink to={loginPath}>Login</TextLink>
      </ScreenAside>
      {form.isSending && <LoadingCover label="Creating your account" />}
    </>
  );
}

/** A new password, typed twice. */
export function NewPasswordFields({
  form,
}: {
  form: Pick<FormState<{ password: string; confirmPassword: string }>, "field">;
}) {
  return (
    <>
      <PasswordField
        label="Password"
        autoComplete="new-password"
        description="At least 6 characters"
        {...form.field("password")}
      />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.field("confirmPassword")} />
    </>
  );
}
