import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { useAnnouncements } from "../../../shared/announcements/announcements.ts";
import { AnnouncementCard } from "../../../shared/announcements/announcement-card.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./announcements.module.css";

/** More would push the balance off the first screen. */
const SHOWN_FIRST = 2;

/** What the company tells everybody, the newest first; nothing when there is nothing to tell. */
export function Announcements() {
  const { query, rows } = useAnnouncements();
  const titleId = useId();
  const [isOpen, setOpen] = useState(false);
  if (rows.length === 0) return null;
  const shown = isOpen ? rows : rows.slice(0, SHOWN_FIRST);
  const isMore = shown.length < rows.length || query.hasNextPage;
  const showMore = (): void => {
    if (isOpen) void query.fetchNextPage();
    else setOpen(true);
  };
  return (
    <Stack as="section" gap={12} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Announcements
      </h2>
      {shown.map((announcement) => (
        <AnnouncementCard key={announcement._id} announcement={announcement} />
      ))}
      {isMore && (
        <Button
          className={classes.more ?? ""}
          variant="subtle"
          size="compact-sm"
          loading={query.isFetchingNextPage}
          onClick={showMore}
        >
          Older announcements
        </Button>
      )}
    </Stack>
  );
}
