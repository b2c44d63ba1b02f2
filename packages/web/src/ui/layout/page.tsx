import { Skeleton } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./page.module.css";
import { Inline, Stack } from "./boxes.tsx";
import { Panel } from "./panel.tsx";
import { useTitle } from "./use-title.ts";
import { isOnServer } from "../../lib/browser/hydration.ts";

export type WayBack = {
  to: string;
  /** The name of the page that it leads to. */
  label: string;
};

type PageProps = {
  title: string;
  /** One sentence on what the page is for. */
  intro?: ReactNode;
  /** Where the page was opened from: the list that its subject is in. */
  back?: WayBack;
  /** Buttons at the end of the title's line. */
  actions?: ReactNode;
  children: ReactNode;
};

/** Holds the line of an intro that is not known yet: what stands below must not jump when it is. */
export const INTRO_TO_COME = "\u00a0";

/**
 * The frame of every signed-in page: names the window, opens with the title, spaces what follows. The server, which knows
 * nobody, draws it with a place for what follows: a field that stood there would lose what is typed into it.
 */
export function Page({ title, intro, back, actions, children }: PageProps) {
  useTitle(title);
  return (
    <Stack gap={24} className={classes.page}>
      <Inline gap={12} across={24} wraps align="start" justify="between" className={classes.header}>
        <div>
          {back !== undefined && (
            <Link to={back.to} className={`${classes.back} small`}>
              <IconChevronLeft size={16} stroke={2} aria-hidden />
              {back.label}
            </Link>
          )}
          <h1>{title}</h1>
          {intro !== undefined && <p className={`${classes.intro} above-4 muted`}>{intro}</p>}
        </div>
        {!isOnServer && actions !== undefined && (
          <Inline gap={8} wraps className="no-print">
            {actions}
          </Inline>
        )}
      </Inline>
      {isOnServer ? <PageOutline /> : children}
    </Stack>
  );
}

/** Holds the place of a page's content. */
export function PageOutline() {
  return (
    <Panel>
      <Stack gap={16}>
        {[40, 120, 120].map((height, index) => (
          <Skeleton key={index} height={height} radius="md" />
        ))}
      </Stack>
    </Panel>
  );
}

/** Moves the focus to the page when the focused button is about to disappear with its row. */
export function focusMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
}
