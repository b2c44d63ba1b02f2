import type { EmailRule } from "@ewebal/contract";
import { helpCalls } from "@ewebal/contract/calls";
import { emailHint, isEmailAccepted, limits } from "@ewebal/contract/rules";
import { Textarea, TextInput } from "@mantine/core";
import { useRef } from "react";
import { call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { randomText } from "../../../lib/api/idempotency-key.ts";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

const empty = { userName: "", email: "", subject: "", message: "" };

/** The specification's rule: three fields that are not empty, and an e-mail address that ends with .com. */
export function findMissingForContact(values: typeof empty, rule: EmailRule = "specified"): string[] {
  const filled = (text: string): boolean => text.trim() !== "";
  const emailWords = rule === "specified" ? "an e-mail address that ends with .com" : "e-mail address";
  return [
    !filled(values.userName) && "user name",
    !isEmailAccepted("contact", values.email, rule) && emailWords,
    !filled(values.subject) && "subject",
    !filled(values.message) && "message",
  ].filter((name) => name !== false);
}

type ContactFormProps = {
  /** Told the server's words about a message that it took. */
  onSent: (message: string) => void;
};

export function ContactForm({ onSent }: ContactFormProps) {
  const brand = useBrand();
  /** Of one text: a second click, or a second try after a lost answer, mails once; changed words are another message. */
  const attempt = useRef({ key: "", words: "" });
  const form = useForm({
    initial: empty,
    missing: (values) => findMissingForContact(values, brand?.emailRules),
    schema: async () => (await import("@ewebal/contract/schemas/help")).helpRequestSchema,
    send: async (body) => {
      const words = JSON.stringify(body);
      if (attempt.current.words !== words) attempt.current = { key: randomText(), words };
      const { message } = await call(helpCalls.needHelp, {
        body,
        headers: { "idempotency-key": attempt.current.key },
      });
      onSent(message);
    },
  });
  return (
    <Form form={form}>
      <h2>Write to us</h2>
      <TextInput
        label="User name"
        autoComplete="name"
        maxLength={limits.personNameCharactersMax}
        {...form.field("userName")}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="email"
        inputMode="email"
        description={brand === undefined ? undefined : emailHint("contact", brand.emailRules)}
        {...form.field("email")}
      />
      <TextInput
        label="Subject"
        autoComplete="off"
        maxLength={limits.subjectCharactersMax}
        {...form.field("subject")}
      />
      <Textarea label="Message" rows={6} maxLength={limits.helpMessageCharactersMax} {...form.field("message")} />
      <Refusal screen="contactUs" error={form.refusal} />
      <SubmitButton size="md" missing={form.missing} isSending={form.isSending}>
        Send message
      </SubmitButton>
    </Form>
  );
}
