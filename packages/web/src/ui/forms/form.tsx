/**
 * Forms. A form knows what is still missing (the button stays dimmed and says so), checks with the contract's schema when it
 * is sent, puts each refused field's reason at the field, and anything else near the button.
 */
import { useRef, useState, type ChangeEvent, type FormEvent, type ReactNode, type RefObject } from "react";
import { ApiError } from "../../lib/api/api.ts";
import { useEarlyInput } from "../../lib/browser/use-early-input.ts";
import { Stack } from "../layout/boxes.tsx";

type TextValues = Record<string, string>;

/** What this file needs of a zod schema; the contract's own types stay with the caller. */
type Schema = {
  safeParse: (value: unknown) => { success: true } | { success: false; error: { issues: readonly Issue[] } };
};
type Issue = {
  path: readonly PropertyKey[];
  message: string;
};

export type FormOptions<V extends TextValues> = {
  initial: V;
  /** What is still needed, in the order of the fields, in words for "Still needed: ...". None: the button is active. */
  missing: (values: V) => readonly string[];
  /** The contract's schema for what is sent; fetched when the form is sent, so that the first pages stay light. */
  schema?: () => Schema | Promise<Schema>;
  /** Sends; what it throws is shown. */
  send: (values: V) => Promise<void>;
};

export type FormState<V extends TextValues> = {
  values: V;
  missing: readonly string[];
  isSending: boolean;
  /** The error that sending threw, unless the fields already show all of it. */
  refusal: unknown;
  set: (name: keyof V & string, value: string) => void;
  setError: (name: keyof V & string, text: string) => void;
  /** Props for a text field. */
  field: (name: keyof V & string) => FieldProps;
  onSubmit: (event: FormEvent) => void;
  formRef: RefObject<HTMLFormElement | null>;
};

export type FieldProps = {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
};

export function useForm<V extends TextValues>({
  initial,
  missing: findMissing,
  schema,
  send,
}: FormOptions<V>): FormState<V> {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Partial<TextValues>>({});
  const [refusal, setRefusal] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const missing = findMissing(values);

  const set = (name: keyof V & string, value: string): void => {
    setValues((current) => ({ ...current, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
  };

  useEarlyInput(formRef, (name, text) => {
    if (name in values && text !== values[name]) set(name, text);
  });

  const showErrors = (next: Record<string, string>): void => {
    setErrors(next);
    const first = Object.keys(values).find((name) => name in next);
    const field = first === undefined ? null : formRef.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };

  const submit = async (): Promise<void> => {
    setSending(true);
    setErrors({});
    setRefusal(undefined);
    try {
      const wrong = schema === undefined ? {} : findWrongFields(await schema(), values);
      if (Object.keys(wrong).length > 0) showErrors(wrong);
      else await send(values);
    } catch (error) {
      const fields = error instanceof ApiError ? pick(error.fields, values) : {};
      if (Object.keys(fields).length > 0) showErrors(fields);
      else setRefusal(error);
    } finally {
      setSending(false);
    }
  };

  return {
    values,
    missing,
    isSending,
    refusal,
    set,
    setError: (name, text) => showErrors({ [name]: text }),
    field: (name) => ({
      name,
      value: values[name] ?? "",
      error: errors[name],
      onChange: ({ currentTarget }) => set(name, currentTarget.value),
    }),
    onSubmit: (event) => {
      event.preventDefault();
      // The inert button stops the Enter key; other ways to submit a form do not ask it.
      if (missing.length === 0 && !isSending) void submit();
    },
    formRef,
  };
}

/** The first reason for each field that the schema refuses. */
function findWrongFields(schema: Schema, values: TextValues): Record<string, string> {
  const result = schema.safeParse(values);
  if (result.success) return {};
  const wrong: Record<string, string> = {};
  for (const { path, message } of result.error.issues) wrong[String(path[0])] ??= message;
  return wrong;
}

/** Only what this form has a field for; the rest must not vanish from sight. */
function pick(fields: Readonly<Record<string, string>>, values: TextValues): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name in values));
}

type FormProps<V extends TextValues> = {
  form: FormState<V>;
  children: ReactNode;
};

/**
 * The form element; the browser's own bubbles stay away, ours are at the fields. The method makes a browser that sends the
 * server's document by itself, before any script has run, send nothing: it would write the password into the address.
 */
export function Form<V extends TextValues>({ form, children }: FormProps<V>) {
  return (
    <Stack as="form" ref={form.formRef} gap={16} method="dialog" onSubmit={form.onSubmit} noValidate>
      {children}
    </Stack>
  );
}
