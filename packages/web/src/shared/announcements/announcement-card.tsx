import type { AnnouncementAnswer } from "@ewebal/contract";
import { IconSpeakerphone } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./announcement-card.module.css";
import { RelativeTime } from "../../ui/kit/relative-time.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";

type AnnouncementCardProps = {
  announcement: AnnouncementAnswer;
  /** What may be done with it, at the end of the title's line. */
  action?: ReactNode;
};

/** One announcement: its hint as the title, its message below with its own line breaks. */
export function AnnouncementCard({ announcement: { hint, message, createdAt }, action }: AnnouncementCardProps) {
  return (
    <Inline as="article" gap={12} align="start" className={classes.card}>
      <span className={classes.icon} aria-hidden>
        <IconSpeakerphone size={20} stroke={1.7} />
      </span>
      <div className={classes.words}>
        <Inline gap={0} across={12} wraps align="baseline">
          <h3 className={classes.title}>{hint}</h3>
          <span className="muted tiny">
            <RelativeTime iso={createdAt} />
          </span>
        </Inline>
        <p className={classes.text}>{message}</p>
      </div>
      {action}
    </Inline>
  );
}
