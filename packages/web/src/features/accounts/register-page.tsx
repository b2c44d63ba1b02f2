import { TextInput } from "@mantine/core";
import { emailHint } from "@ewebal/contract";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, call } from "../../lib/api.ts";
import { useBrand } from "../../lib/brand.ts";
import { explainAnswer } from "../../lib/catalogue-texts.ts";
import { paths } from "../../lib/paths.ts";
import { publicRoutes } from "../../lib/public-routes.ts";
import { PasswordField, PhoneField } from "../../ui/fields.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { ButtonLink, TextLink } from "../../ui/links.tsx";
import { LoadingCover } from "../../ui/loading-cover.tsx";
import { showNotice } from "../../ui/notices.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { ScreenHeading } from "../../ui/screen-heading.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import classes from "./accounts.module.css";
import { loadAccountSchemas } from "./load-schemas.ts";

const empty = { fullName: "", userName: "", email: "", password: "", confirmPassword: "", phoneNo: "" };

/** The specification's rule: four fields filled, and a password that equals its confirmation. */
export function findMissingForRegister(values: typeof empty): string[] {
  const filled = (text: string): boolean => text.trim() !== "";
  return [
    !filled(values.fullName) && "full name",
    !filled(values.userName) && "user name",
    !filled(values.email) && "email",
    values.password === "" && "password",
    values.password !== "" && values.password !== values.confirmPassword && "the same password twice",
    !filled(values.phoneNo) && "phone number",
  ].filter((name) => name !== false);
}

export function RegisterPage() {
  const navigate = useNavigate();
  const brand = useBrand();
  const form = useForm({
    initial: empty,
    missing: findMissingForRegister,
    schema: async () => (await loadAccountSchemas()).register,
    send: async ({ confirmPassword: _, ...body }) => {
      const { message } = await call(publicRoutes.createUser, { body });
      const { title, text } = explainAnswer("register", 201, message);
      showNotice({ title, text });
      await navigate({ to: paths.message });
    },
  });
  const loginHint = brand === undefined ? undefined : emailHint("login", brand.emailRules);

  return (
    <>
      <ScreenHeading title="Register">Welcome and Join us by creating a free account !</ScreenHeading>
      <Form form={form}>
        <TextInput label="Full Name" autoComplete="name" {...form.field("fullName")} />
        <TextInput label="User Name" autoComplete="username" {...form.field("userName")} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          description={loginHint === undefined ? undefined : `${loginHint}: other addresses can register, but not sign in.`}
          {...form.field("email")}
        />
        <PasswordField label="Password" autoComplete="new-password" description="At least 6 characters" {...form.field("password")} />
        <PasswordField label="Confirm Password" autoComplete="new-password" {...form.field("confirmPassword")} />
        <PhoneField label="Tel" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
        <Refusal
          screen="register"
          error={form.refusal}
          action={
            form.refusal instanceof ApiError && form.refusal.code === "EMAIL_TAKEN" ? (
              <ButtonLink to={paths.login} size="xs" variant="default">
                Login
              </ButtonLink>
            ) : undefined
          }
        />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Create Account
        </SubmitButton>
      </Form>
      <p className={classes.aside}>
        Already have an account? <TextLink to={paths.login}>Login</TextLink>
      </p>
      {form.isSending && <LoadingCover label="Creating your account" />}
    </>
  );
}
