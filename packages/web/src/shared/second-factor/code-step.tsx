import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api/api.ts";
import type { FieldProps } from "../../ui/forms/form.tsx";

type CodeStep = {
  isAsked: boolean;
  /** Adds the code to what a form still needs, once it is asked for. */
  findMissing: (values: { code: string }) => string[];
  /** Tries to sign in. @returns undefined when the password was right and the code is the next step. */
  tryWith: <T>(signIn: () => Promise<T>) => Promise<T | undefined>;
};

/** The second step of a login form: the code of the authenticator app, for who has turned it on. */
export function useCodeStep(): CodeStep {
  const [isAsked, setAsked] = useState(false);
  return {
    isAsked,
    findMissing: ({ code }) => (isAsked && code.trim() === "" ? ["code"] : []),
    tryWith: async (signIn) => {
      try {
        return await signIn();
      } catch (error) {
        if (isAsked || !(error instanceof ApiError) || error.code !== "CODE_REQUIRED") throw error;
        setAsked(true);
        return undefined;
      }
    },
  };
}

/** Takes the focus when it appears. Letters stay possible: a recovery code has some. */
export function CodeField(props: FieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <TextInput
      ref={ref}
      data-autofocus
      label="Code"
      description="The 6 digits of your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      {...props}
    />
  );
}
