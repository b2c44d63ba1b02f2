import "../../../ui/styles/forms.css";
import { useState, useEffect, useRef } from "react";
import { Button, InputBase, TextInput } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { EmailRule } from "@ewebal/contract";
import { helpCalls } from "@ewebal/contract/calls";
import { emailHint, isEmailAccepted, limits } from "@ewebal/contract/rules";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { call } from "../../../lib/api/api.ts";
import { useBrand } from "../../../lib/brand.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";
import classes from "./contact-page.module.css";
import { ContactWays } from "./contact-ways.tsx";

export function ContactPage() {
  /** The server's answer about the message that was sent. */
  const [thanks, setThanks] = useState<string>();
  return (
    <SitePage
      isKeptClear
      top={<PageTop title="Contact us">Questions before or during a send: write, call, or start a chat.</PageTop>}
    >
      <div className={`${section.wrap} ${classes.grid}`}>
        <div className={classes.card}>
          {thanks === undefined ? (
            <ContactForm onSent={setThanks} />
          ) : (
            <ContactThanks message={thanks} onAgain={() => setThanks(undefined)} />
          )}
        </div>
        <section aria-label="Where to find us">
          <ContactWays />
        </section>
      </div>
    </SitePage>
  );
}

type ContactThanksProps = {
  message: string;
  onAgain: () => void;
};

/** Replaces the form when the message is sent. The heading takes the focus, so that screen readers read it. */
function ContactThanks({ message, onAgain }: ContactThanksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap={12} align="start" className={classes.thanks}>
      <IconCircleCheck size={40} stroke={1.5} aria-hidden />
      <h2 ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>{message}.</p>
      <Button variant="default" onClick={onAgain}>
        Write another message
      </Button>
    </Stack>
  );
}

const empty = { userName: "", email: "", subject: "", message: "" };

/** The specification's rule: three fields that are not empty, and an e-mail address that ends with .com. */
function findMissingForContact(values: typeof empty, rule: EmailRule = "specified"): string[] {
  const filled = (text: string): boolean => text.trim() !== "";
  const emailWords =
    rule === "specified" && values.email !== "" ? "an e-mail address that ends with .com" : "e-mail address";
  return [
    !filled(values.userName) && "user name",
    !isEmailAccepted("contact", values.email, rule) && emailWords,
    !filled(values.subject) && "subject",
    !filled(values.message) && "message",
  ].filter((name) => name !== false);
}

type ContactFormProps = {
  /** Called with the server's answer to a sent message. */
  onSent: (message: string) => void;
};

function ContactForm({ onSent }: ContactFormProps) {
  const brand = useBrand();
  const [key] = useState(() => new IdempotencyKey());
  const form = useForm({
    initial: empty,
    missing: (values) => findMissingForContact(values, brand?.emailRules),
    schema: async () => (await import("@ewebal/contract/schemas/help")).helpRequestSchema,
    send: async (body) => {
      const { message } = await call(helpCalls.needHelp, {
        body,
        headers: { "idempotency-key": key.keyFor(body) },
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
      <InputBase
        component="textarea"
        multiline
        size="md"
        label="Message"
        rows={6}
        maxLength={limits.helpMessageCharactersMax}
        {...form.field("message")}
      />
      <Refusal screen="contactUs" error={form.refusal} />
      <SubmitButton size="md" missing={form.missing} isSending={form.isSending}>
        Send message
      </SubmitButton>
    </Form>
  );
}
