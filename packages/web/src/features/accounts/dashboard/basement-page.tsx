import type { UserAnswer } from "@ewebal/contract";
import { IconAddressBook, IconArrowsExchange, IconCoins, IconMessages, IconPencil } from "@tabler/icons-react";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { useAnnouncements } from "../../../shared/announcements/announcements.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page, PageOutline } from "../../../ui/layout/page.tsx";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { AnnouncementCard } from "../../../shared/announcements/announcement-card.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./basement-page.module.css";
import { FirstSteps } from "./first-steps.tsx";
import announcementsClasses from "./announcements.module.css";

/**
 * The summary of an account: its figures, and what to do first. It is drawn in one piece: announcements and first steps
 * are above the
 * figures, and would push them down if they came later.
 */
export function BasementPage() {
  const { data: user, error, refetch } = useCurrentUser();
  const areAnnouncementsKnown = !useAnnouncements().query.isPending;
  if (user !== undefined && areAnnouncementsKnown) return <Summary user={user} />;
  return (
    <Page title="Basement" intro={INTRO_TO_COME}>
      {user === undefined && error !== null ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageOutline />
      )}
    </Page>
  );
}

function Summary({ user }: { user: UserAnswer }) {
  const { counts } = user;
  return (
    <Page title="Basement" intro={`Welcome, ${user.fullName}.`}>
      <FirstSteps user={user} />
      <Announcements />
      <div className={classes.figures} data-balance>
        <StatCard
          label="Available Units"
          value={formatUnits(user.units)}
          icon={<IconCoins size={20} stroke={1.6} />}
          note="1 unit is 1 naira of sending credit"
          to={paths.statement}
        />
        <StatCard
          label="Total SMS"
          value={formatCount(counts.sms)}
          icon={<IconMessages size={20} stroke={1.6} />}
          to={paths.smsHistory}
        />
        <StatCard
          label="Current Drafts"
          value={formatCount(counts.draft)}
          icon={<IconPencil size={20} stroke={1.6} />}
        />
        <StatCard
          label="Phonebook"
          value={formatCount(counts.phonebook)}
          icon={<IconAddressBook size={20} stroke={1.6} />}
          to={paths.allContacts}
        />
        <StatCard
          label="Transactions"
          value={formatCount(counts.transfers)}
          icon={<IconArrowsExchange size={20} stroke={1.6} />}
        />
      </div>
    </Page>
  );
}

/** More of them would push the balance off the first screen. */
const SHOWN_FIRST = 2;

/** The newest announcements; nothing when there are none. */
function Announcements() {
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
          className={announcementsClasses.more ?? ""}
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
