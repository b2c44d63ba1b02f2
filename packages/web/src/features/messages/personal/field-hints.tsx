import { Button, TextInput } from "@mantine/core";
import { findFieldLookAlikes, personalLimits, type ContactColumnName } from "@ewebal/contract/rules";
import { useState } from "react";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import type { Composition } from "../compose/composition.ts";
import classes from "./field-hints.module.css";
import { findUnknownKeys, isMergeCurrent, isPersonal } from "./personal-send.ts";

/** What is to be put right about a text's fields, each with one press. */
export function FieldHints({ composer }: { composer: Composer }) {
  const composition = useComposition(composer, (whole) => whole);
  const { message, summary, reading } = composition;
  const columns = summary?.columns ?? [];
  const lookAlikes =
    columns.length === 0
      ? []
      : findFieldLookAlikes(
          message,
          columns.map(({ key }) => key),
        );
  // While numbers are read, their columns are not known yet.
  const unknown = reading === "running" ? [] : findUnknownKeys(composition);
  const setMessage = (next: string): void => composer.set({ message: next });
  return (
    <>
      {lookAlikes.map(({ written, field }) => (
        <Callout
          key={written}
          tone="warn"
          title={`${written} is sent as it stands here`}
          isAnnounced
          action={
            <Button size="xs" variant="default" onClick={() => setMessage(message.replaceAll(written, field))}>
              Use {field}
            </Button>
          }
        >
          A field has two braces on each side.
        </Callout>
      ))}
      {unknown.map((key) => (
        <UnknownKey key={key} unknownKey={key} columns={columns} message={message} onMessage={setMessage} />
      ))}
      <Missing composer={composer} composition={composition} />
    </>
  );
}

/** More choices than these are a list to search in, which the picker is. */
const OFFERED_MAX = 5;

type UnknownKeyProps = {
  unknownKey: string;
  columns: readonly ContactColumnName[];
  message: string;
  onMessage: (message: string) => void;
};

function UnknownKey({ unknownKey, columns, message, onMessage }: UnknownKeyProps) {
  const replace = (text: string): void => onMessage(message.replaceAll(fieldOf(unknownKey), text));
  return (
    <Callout
      tone="warn"
      title={`Nothing is known of {{${unknownKey}}} for these recipients`}
      isAnnounced
      action={
        <Inline gap={8} wraps>
          {columns.slice(0, OFFERED_MAX).map(({ key }) => (
            <Button key={key} size="xs" variant="default" onClick={() => replace(`{{${key}}}`)}>
              Use {`{{${key}}}`}
            </Button>
          ))}
          <Button size="xs" variant="default" onClick={() => replace("")}>
            Take it out
          </Button>
        </Inline>
      }
    >
      {columns.length === 0
        ? "Add recipients from a file, a spreadsheet or a catalog that has this column."
        : "Use one of the columns of your recipients."}
    </Callout>
  );
}

function Missing({ composer, composition }: { composer: Composer; composition: Composition }) {
  const { merged, onMissing, message, summary } = composition;
  if (merged === undefined || !isPersonal(composition) || !isMergeCurrent(composition)) return null;
  const { missing } = merged;
  if (missing.count === 0) return null;
  const who = formatCounted(missing.count, "recipient");
  const labelOf = (key: string): string => summary?.columns.find((column) => column.key === key)?.label ?? key;
  if (onMissing === "skip")
    return (
      <Inline gap={8} wraps align="center" className="muted small">
        <p>{who} without a value left out</p>
        <Button size="xs" variant="default" onClick={() => composer.set({ onMissing: undefined })}>
          Undo
        </Button>
      </Inline>
    );
  const further = missing.count - missing.first.length;
  return (
    <Callout
      tone="warn"
      title={missing.count === 1 ? "1 recipient lacks a value" : `${who} lack a value`}
      isAnnounced
      action={
        <Stack gap={8} align="start">
          {missing.keys.map(({ key, count }) => (
            <Fallback
              key={key}
              label={`${formatCounted(count, "recipient")} without ${labelOf(key)}: write instead`}
              onFallback={(text) => composer.set({ message: message.replaceAll(fieldOf(key), `{{${key}|${text}}}`) })}
            />
          ))}
          {merged.recipientCount > 0 && (
            <Button size="xs" variant="default" onClick={() => composer.set({ onMissing: "skip" })}>
              {missing.count === 1 ? "Leave this one out" : `Leave these ${formatCount(missing.count)} out`}
            </Button>
          )}
        </Stack>
      }
    >
      <span className="numeric">
        {missing.first.map((number) => `+${number}`).join(", ")}
        {further > 0 && ` and ${formatCount(further)} more`}
      </span>
    </Callout>
  );
}

function Fallback({ label, onFallback }: { label: string; onFallback: (text: string) => void }) {
  const [text, setText] = useState("");
  // Braces would end the field.
  const plain = text.replaceAll(/[{}]/g, "");
  return (
    <Inline gap={8} wraps className={classes.fallback}>
      <TextInput
        size="sm"
        label={label}
        placeholder="customer"
        maxLength={personalLimits.fieldCharactersMax}
        value={plain}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button size="sm" variant="default" onClick={() => onFallback(plain.trim())}>
        {plain.trim() === "" ? "Write nothing" : "Use it"}
      </Button>
    </Inline>
  );
}

/** A field of this key, as people write it, with or without something to fall back on. */
function fieldOf(key: string): RegExp {
  return new RegExp(`\\{\\{\\s*${key}\\s*(?:\\|[^{}]*)?\\}\\}`, "g");
}
