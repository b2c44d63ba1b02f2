/**
 * Short notices at the edge of the screen. Our own few lines rather than a library: they must be there when the network is
 * not, and on the first page before anything else has been fetched.
 */
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from "@tabler/icons-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { Inline } from "../layout/boxes.tsx";
import classes from "./notices.module.css";

export type Tone = "ok" | "info" | "warn" | "error";

export type Notice = {
  title: string;
  text?: string;
  tone?: Tone;
  /** How long it stays, in milliseconds; pointing at it holds it. */
  durationMs?: number;
};

type ShownNotice = {
  id: number;
} & Notice;

/** Where the specification names no time: long enough to read two sentences. */
const DEFAULT_DURATION_MS = 6_000;
const NOTICES_MAX = 4;

let notices: readonly ShownNotice[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly ShownNotice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** Shows a notice; the same words that are on screen already are not repeated. */
export function showNotice(notice: Notice): void {
  const others = notices.filter(({ title, text }) => title !== notice.title || text !== notice.text);
  publish([...others, { ...notice, id: ++lastId }].slice(-NOTICES_MAX));
}

function dismissNotice(id: number): void {
  publish(notices.filter((notice) => notice.id !== id));
}

/** For tests: nothing of one test may be seen in the next. */
export function clearNotices(): void {
  publish([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readNotices(): readonly ShownNotice[] {
  return notices;
}

type Placing = (host: HTMLElement) => () => void;
let placing: Placing | undefined;

/** The dashboards lay notices where they cover nothing; the few words of other pages leave the corner free for them. */
export function setNoticePlacing(place: Placing): void {
  placing = place;
}

/** Shows all notices. Render it once, at the root. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, readNotices, readNotices);
  const host = useRef<HTMLDivElement>(null);
  const isAnyShown = shown.length > 0;
  useLayoutEffect(() => (isAnyShown && host.current !== null ? placing?.(host.current) : undefined), [isAnyShown]);
  return (
    <div ref={host} className={classes.host} role="region" aria-label="Notices" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

export const toneIcons = {
  ok: IconCircleCheck,
  info: IconInfoCircle,
  warn: IconAlertTriangle,
  error: IconAlertTriangle,
};

function NoticeCard({ notice }: { notice: ShownNotice }) {
  const { id, title, text, tone = "ok", durationMs = DEFAULT_DURATION_MS } = notice;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const timer = isHeld ? undefined : window.setTimeout(() => dismissNotice(id), durationMs);
    return () => window.clearTimeout(timer);
  }, [id, durationMs, isHeld]);

  const Icon = toneIcons[tone];
  return (
    <Inline
      gap={12}
      align="start"
      className={classes.notice}
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes.icon} size={20} stroke={1.8} aria-hidden />
      <div className={classes.words}>
        <p className="strong">{title}</p>
        {text !== undefined && <p className={classes.text}>{text}</p>}
      </div>
      <button
        type="button"
        className={`${classes.close} icon-button`}
        aria-label="Close notice"
        onClick={() => dismissNotice(id)}
      >
        <IconX size={16} stroke={1.8} aria-hidden />
      </button>
    </Inline>
  );
}
