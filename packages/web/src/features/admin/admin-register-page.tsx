import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, call } from "../../lib/api.ts";
import { useBrand } from "../../lib/brand.ts";
import { paths } from "../../lib/paths.ts";
import { PasswordField, PhoneField } from "../../ui/fields.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { ButtonLink, TextLink } from "../../ui/links.tsx";
import { LoadingCover } from "../../ui/loading-cover.tsx";
import { showNotice } from "../../ui/notices.tsx";
import { Refusal } from "../../ui/refusal.tsx";
import { ScreenHeading } from "../../ui/screen-heading.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { adminAddresses } from "./admin-addresses.ts";
import classes from "./admin.module.css";
import { emptyRegistration, findMissingForAdmin } from "./admin-rules.ts";
import { loadAdminSchemas } from "./load-admin-schemas.ts";
import { keepRegistrationToken } from "./registration-token.ts";

/** First of three steps: register, enter the code of the OTP mail, follow the link of the verification mail. */
export function AdminRegisterPage() {
  const navigate = useNavigate();
  const host = useBrand()?.adminEmailHost;
  const form = useForm({
    initial: emptyRegistration,
    missing: findMissingForAdmin,
    schema: async () => (await loadAdminSchemas()).register,
    send: async ({ confirmPassword: _, ...body }) => {
      const { message, data } = await call(adminAddresses.createAdmin, { body });
      showNotice({ title: message, text: "An OTP mail has been sent to you" });
      keepRegistrationToken(data.token);
      await navigate({ to: paths.otpMessage, state: { adminMail: { kind: "otp", token: data.token } } });
    },
  });
  const isTaken = form.refusal instanceof ApiError && form.refusal.code === "EMAIL_TAKEN";

  return (
    <>
      <ScreenHeading title="Admin Register">For the people who run the service. Customers register on their own page.</ScreenHeading>
      <Form form={form}>
        <TextInput label="Admin Name" autoComplete="username" {...form.field("adminName")} />
        <TextInput label="Full Name" autoComplete="name" {...form.field("adminFullName")} />
        <TextInput
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          description={host === undefined ? undefined : `Your company mailbox, at ${host}. The code goes there.`}
          {...form.field("email")}
        />
        <PhoneField label="Contact" {...form.field("contact")} onValue={(digits) => form.set("contact", digits)} />
        <PasswordField label="Password" autoComplete="new-password" description="At least 6 characters" {...form.field("password")} />
        <PasswordField label="Confirm Password" autoComplete="new-password" {...form.field("confirmPassword")} />
        <Refusal
          screen="adminRegister"
          error={form.refusal}
          action={
            isTaken ? (
              <ButtonLink to={paths.adminLogin} size="xs" variant="default">
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
        Already registered? <TextLink to={paths.adminLogin}>Login</TextLink>
      </p>
      {form.isSending && <LoadingCover label="Creating your account" />}
    </>
  );
}
