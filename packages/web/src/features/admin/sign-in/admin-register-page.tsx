import { adminCalls } from "@ewebal/contract/calls";
import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { useForm } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { NewPasswordFields, RegistrationForm } from "../../../shared/account/registration-form.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { emptyRegistration, findMissingForAdmin } from "./admin-rules.ts";

/** The first of three steps: register, enter the code from the OTP mail, follow the link in the verification mail. */
export function AdminRegisterPage() {
  const navigate = useNavigate();
  const host = useBrand()?.adminEmailHost;
  const form = useForm({
    initial: emptyRegistration,
    missing: findMissingForAdmin,
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin")).adminSchemas.createAdmin.body,
    send: async ({ confirmPassword: _, ...body }) => {
      const { message } = await call(adminCalls.createAdmin, { body });
      showNotice({ title: message, text: "An OTP mail has been sent to you" });
      await navigate({ to: paths.otpMessage, state: { adminMail: { kind: "otp" } } });
    },
  });

  return (
    <>
      <ScreenHeading title="Admin Register">
        For the people who run the service. Customers register on their own page.
      </ScreenHeading>
      <RegistrationForm form={form} screen="adminRegister" loginPath={paths.adminLogin} question="Already registered?">
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
        <NewPasswordFields form={form} />
      </RegistrationForm>
    </>
  );
}
