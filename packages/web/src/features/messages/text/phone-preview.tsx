import type { ReactNode } from "react";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./phone-preview.module.css";

type PhoneProps = {
  /** The heading: the sender's name. */
  title: string;
  /** As low as its messages: where the buttons below it must be seen. */
  isLow?: boolean;
  children: ReactNode;
};

/** A phone that shows messages of one sender. */
export function Phone({ title, isLow = false, children }: PhoneProps) {
  return (
    <div className={classes.phone} data-low={isLow || undefined}>
      <Inline gap={10} align="center" className={classes.bar}>
        <span className={classes.avatar} aria-hidden>
          {String.fromCodePoint(title.codePointAt(0) ?? 0x20).toUpperCase()}
        </span>
        <span className="cut strong">{title}</span>
      </Inline>
      <div className={classes.screen}>{children}</div>
    </div>
  );
}

type BubbleProps = {
  /** Below the bubble: when it came. */
  note?: ReactNode;
  /** The whole text: phones join the parts that it travels in. */
  children: string;
};

/** One message as the phone shows it. */
export function Bubble({ note, children }: BubbleProps) {
  return (
    <Stack gap={4} align="start" className={classes.message}>
      <div className={classes.bubble}>{children}</div>
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </Stack>
  );
}
