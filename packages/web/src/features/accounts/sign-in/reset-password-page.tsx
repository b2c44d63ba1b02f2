import { TextInput } from "@mantine/core";
import type { EmailRule } from "@ewebal/contract";
import { accountCalls } from "@ewebal/contract/calls";
import { emailHint, isEmailAccepted } from "@ewebal/contract/rules";
import { useNavigate } from "@tanstack/react-router";
import { ApiError, call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { explainAnswer } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenAside } from "../../../shared/account/screen-parts.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

/** @param rule undefined until the brand has arrived; until then the stricter rule counts. */
export function findMissingForReset({ email }: { email: string }, rule: EmailRule = "specified"): string[] {
  if (isEmailAccepted("reset", email, rule)) return [];
  return [rule === "specified" && email !== "" ? "a gmail.com, .com or .ng address" : "email"];
}

export function ResetPasswordPage() {
  const navigate = useNavigate();
  const brand = useBrand();
  const form = useForm({
    initial: { email: "" },
    missing: (values) => findMissingForReset(values, brand?.emailRules),
    schema: async () => (await import("@ewebal/contract/schemas/accounts")).accountSchemas.resetUserPassword.body,
    send: async (body) => {
      const { title, text } = explainAnswer("resetRequest", 200, await requestReset(body));
      showNotice({ title, text });
      await navigate({ to: paths.resetMessage });
    },
  });
  return (
    <>
      <ScreenHeading title="Reset Password">
        Enter the e-mail that you registered with. We send you a link to choose a new password.
      </ScreenHeading>
      <Form form={form}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          inputMode="email"
          description={brand === undefined ? undefined : emailHint("reset", brand.emailRules)}
          {...form.field("email")}
        />
        <Refusal screen="resetRequest" error={form.refusal} />
        <SubmitButton size="md" fullWidth missing={form.missing} isSending={form.isSending}>
          Send the link
        </SubmitButton>
      </Form>
      <ScreenAside>
        Remembered it? <TextLink to={paths.login}>Login</TextLink>
      </ScreenAside>
    </>
  );
}

/** The specification's success is a 401 that says "visit your mail". @returns the server's message. */
async function requestReset(body: { email: string }): Promise<string> {
  try {
    return (await call(accountCalls.resetUserPassword, { body })).message;
  } catch (error) {
    if (error instanceof ApiError && error.code === "VISIT_MAIL") return error.message;
    throw error;
  }
}
