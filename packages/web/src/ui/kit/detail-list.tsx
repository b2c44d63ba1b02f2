import { Skeleton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Stack } from "../layout/boxes.tsx";
import classes from "./detail-list.module.css";

type DetailRow = {
  name: string;
  /** undefined while it is on its way. */
  value: ReactNode;
  /** Offers to copy the value, which must then be text. */
  isCopied?: boolean;
};

/** Names and values of one thing, one below the other. */
export function DetailList({ rows }: { rows: readonly DetailRow[] }) {
  return (
    <Stack as="dl" divided={12}>
      {rows.map(({ name, value, isCopied = false }) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>
            {value ?? <Skeleton height={16} width={140} />}
            {isCopied && typeof value === "string" && <CopyButton name={name} text={value} />}
          </dd>
        </div>
      ))}
    </Stack>
  );
}

/** Copies a text to the clipboard; shows nothing where the browser gives no clipboard. @param name what is copied. */
export function CopyButton({ name, text }: { name: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    window.setTimeout(() => setCopied(false), 2_000);
  };
  // Browsers give the clipboard only to encrypted pages.
  if (!window.isSecureContext) return null;
  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={`${classes.copy} icon-button`}
      aria-label={isCopied ? `${name} copied` : `Copy ${name}`}
      onClick={() => void copy()}
    >
      <Icon size={16} stroke={1.8} aria-hidden />
    </button>
  );
}
