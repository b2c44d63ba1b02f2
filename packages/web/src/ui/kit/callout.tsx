import type { ReactNode } from "react";
import classes from "./callout.module.css";
import { toneIcons, type Tone } from "../feedback/notices.tsx";
import { Inline } from "../layout/boxes.tsx";

type CalloutProps = {
  tone: Tone;
  title: string;
  /** What to do about it, or what it means. */
  children?: ReactNode;
  /** One button or link that goes where this sends the person. */
  action?: ReactNode;
  /** Set for what appears after an action: screen readers then say it at once. */
  isAnnounced?: boolean;
};

/** A statement in the page: a refusal near its button, a condition that holds, a result. */
export function Callout({ tone, title, children, action, isAnnounced = false }: CalloutProps) {
  const Icon = toneIcons[tone];
  return (
    <Inline
      gap={12}
      className={`${classes.root} small`}
      data-tone={tone}
      role={isAnnounced ? (tone === "error" || tone === "warn" ? "alert" : "status") : undefined}
    >
      <Icon className={classes.icon} size={20} stroke={1.8} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {children !== undefined && <div className={classes.text}>{children}</div>}
        {action !== undefined && action !== false && <div className="above-8">{action}</div>}
      </div>
    </Inline>
  );
}
