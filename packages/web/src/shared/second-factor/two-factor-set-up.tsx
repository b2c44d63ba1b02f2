/** The steps of the set-up: scan, confirm, keep the recovery codes. Fetched when it is opened: the QR code weighs 4 kB. */
import { twoFactorCalls } from "@ewebal/contract/calls";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";
import { call } from "../../lib/api/api.ts";
import { saveFile } from "../../lib/browser/save-file.ts";
import { Callout } from "../../ui/kit/callout.tsx";
import { DetailList } from "../../ui/kit/detail-list.tsx";
import { Form, useForm } from "../../ui/forms/form.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../ui/layout/boxes.tsx";
import classes from "./two-factor.module.css";

type TwoFactorSetUpProps = {
  id: string;
  enrolment: { secret: string; otpauth: string };
  /** The person has kept the recovery codes. */
  onDone: () => void;
};

export function TwoFactorSetUp({ id, enrolment, onDone }: TwoFactorSetUpProps) {
  const [codes, setCodes] = useState<string[]>();
  return codes === undefined ? (
    <ConfirmForm id={id} enrolment={enrolment} onConfirmed={setCodes} />
  ) : (
    <RecoveryCodes codes={codes} onDone={onDone} />
  );
}

function ConfirmForm({
  id,
  enrolment,
  onConfirmed,
}: Omit<TwoFactorSetUpProps, "onDone"> & { onConfirmed: (codes: string[]) => void }) {
  const form = useForm({
    initial: { code: "" },
    missing: ({ code }) => (/^[0-9]{3}[ -]?[0-9]{3}$/.test(code.trim()) ? [] : ["a code of 6 digits"]),
    send: async ({ code }) =>
      onConfirmed(
        (await call(twoFactorCalls.confirmTwoFactor, { params: { id }, body: { code: code.trim() } })).data
          .recoveryCodes,
      ),
  });
  return (
    <Form form={form}>
      <p>Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or Aegis.</p>
      <QrCode text={enrolment.otpauth} />
      <DetailList
        rows={[
          {
            name: "Key, if you cannot scan",
            value: enrolment.secret.replaceAll(/(.{4})(?=.)/g, "$1 "),
            isCopied: true,
          },
        ]}
      />
      <TextInput
        label="Code"
        description="The 6 digits that the app shows now"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        {...form.field("code")}
      />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Turn on
      </SubmitButton>
    </Form>
  );
}

/** Readers need four light modules round a code, and dark on light in both colour schemes. (ISO/IEC 18004, section 6.3.8) */
const QUIET_MODULES = 4;

function QrCode({ text }: { text: string }) {
  const code = generate(text);
  const size = code.size + 2 * QUIET_MODULES;
  return (
    <svg
      className={classes.code}
      viewBox={`${-QUIET_MODULES} ${-QUIET_MODULES} ${size} ${size}`}
      role="img"
      aria-label="QR code for the authenticator app"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_MODULES} y={-QUIET_MODULES} width={size} height={size} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" fillRule="evenodd" />
    </svg>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const text = `${codes.join("\n")}\n`;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Stack gap={16} align="start" className={classes.stack}>
      <Callout tone="warn" title="Save these recovery codes now: we won't show them again" isAnnounced>
        Use each code once to sign in when you don't have your phone. Print them, or keep them in a password manager.
      </Callout>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Inline gap={8} wraps>
        {/* Browsers give the clipboard only to encrypted pages. */}
        {window.isSecureContext && (
          <Button variant="default" onClick={() => void copy()}>
            {isCopied ? "Copied" : "Copy"}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => saveFile(new Blob([text], { type: "text/plain" }), "recovery-codes.txt")}
        >
          Download
        </Button>
        <Button onClick={onDone}>I've saved them</Button>
      </Inline>
    </Stack>
  );
}
