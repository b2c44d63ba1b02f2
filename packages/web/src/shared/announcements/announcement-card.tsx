import type { AnnouncementAnswer } from "@ewebal/contract";
import { IconSpeakerphone } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./announcement-card.module.css";
import { RelativeTime } from "../../ui/kit/relative-time.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";
import { announcementCalls } from "@ewebal/contract/calls";
import { call } from "../../lib/api/api.ts";
import { useCursorList, type CursorList } from "../../lib/api/use-cursor-list.ts";

/**
 * Announcements, newest first, without those that the customer dismissed. The event topic "announcements" refreshes them: a new one
 * is on every open page at once.
 */
export function useAnnouncements(): CursorList<AnnouncementAnswer> {
  return useCursorList({
    queryKey: ["announcements"],
    read: async (after, signal) =>
      await call(announcementCalls.viewGeneralAnnouncement, { query: { limit: "10", after }, signal }),
  });
}

type AnnouncementCardProps = {
  announcement: AnnouncementAnswer;
  /** What may be done with it, at the end of the title's line. */
  action?: ReactNode;
};

/** One announcement: its hint as the title, its message below with its own line breaks. */
export function AnnouncementCard({ announcement, action }: AnnouncementCardProps) {
  const { hint, message, createdAt, editedAt } = announcement;
  return (
    <Inline as="article" gap={12} align="start" className={classes.card}>
      <span className={classes.icon} aria-hidden>
        <IconSpeakerphone size={20} stroke={1.7} />
      </span>
      <div className={classes.words}>
        <Inline gap={0} across={12} wraps align="baseline">
          <h3 className={classes.title}>{hint}</h3>
          <span className="muted tiny">
            {editedAt !== undefined && "Edited "}
            <RelativeTime iso={editedAt ?? createdAt} />
          </span>
        </Inline>
        <p className={classes.text}>{message}</p>
      </div>
      {action}
    </Inline>
  );
}
