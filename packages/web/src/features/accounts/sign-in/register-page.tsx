import { accountCalls } from "@ewebal/contract/calls";
import { TextInput } from "@mantine/core";
import { emailHint } from "@ewebal/contract/rules";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { explainAnswer } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { useForm } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { NewPasswordFields, RegistrationForm } from "../../../shared/account/registration-form.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";

const empty = { fullName: "", userName: "", email: "", password: "", confirmPassword: "", phoneNo: "" };

/** The rule of the specification: four filled fields, and a password that equals its confirmation. */
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
    schema: async () => (await import("@ewebal/contract/schemas/accounts")).accountSchemas.createUser.body,
    send: async ({ confirmPassword: _, ...body }) => {
      const { message } = await call(accountCalls.createUser, { body });
      const { title, text } = explainAnswer("register", 201, message);
      showNotice({ title, text });
      await navigate({ to: paths.message });
    },
  });
  const loginHint = brand === undefined ? undefined : emailHint("login", brand.emailRules);

  return (
    <>
      <ScreenHeading title="Register">Welcome and Join us by creating a free account !</ScreenHeading>
      <RegistrationForm form={form} screen="register" loginPath={paths.login} question="Already have an account?">
        <TextInput label="Full Name" autoComplete="name" {...form.field("fullName")} />
        <TextInput label="User Name" autoComplete="username" {...form.field("userName")} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          description={
            loginHint === undefined ? undefined : `${loginHint}. Other addresses can register, but can't sign in.`
          }
          {...form.field("email")}
        />
        <NewPasswordFields form={form} />
        <PhoneField label="Tel" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
      </RegistrationForm>
    </>
  );
}
