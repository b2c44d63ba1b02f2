import { Fragment, type ReactNode } from "react";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./phone-preview.module.css";

type PhoneProps = {
  /** The heading: the sender's name. */
  title: string;
  children: ReactNode;
};

/** A phone that shows messages of one sender. */
export function Phone({ title, children }: PhoneProps) {
  return (
    <div className={classes.phone}>
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
  /** Where more than one, a border shows where each begins. */
  pages: readonly string[];
  /** What a page is called here. */
  pageWord?: string;
  /** Below the bubble: when it came. */
  note?: ReactNode;
};

/** One message as the phone shows it, with a border where the next page begins. */
export function Bubble({ pages, pageWord = "page", note }: BubbleProps) {
  return (
    <Stack gap={4} align="start" className={classes.message}>
      <div className={classes.bubble}>
        {pages.map((page, pageIndex) => (
          // Pages have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={pageIndex}>
            {pageIndex > 0 && (
              <Inline as="span" gap={8} align="center" className={`${classes.border} muted tiny`}>
                {pageWord} {pageIndex + 1}
              </Inline>
            )}
            {page}
          </Fragment>
        ))}
      </div>
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </Stack>
  );
}
