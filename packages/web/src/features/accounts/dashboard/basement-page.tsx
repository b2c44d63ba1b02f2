import type { AnnouncementAnswer, UserAnswer } from "@ewebal/contract";
import { announcementCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { IconAddressBook, IconArrowsExchange, IconCoins, IconMessages, IconPencil, IconX } from "@tabler/icons-react";
import { ActionIcon, Button } from "@mantine/core";
import { useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import type { CursorPage } from "../../../lib/api/use-cursor-list.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { formatCount, formatCounted, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { focusMain, Page, PageOutline } from "../../../ui/layout/page.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { useUnitsInWords } from "../../../shared/rates/use-rate-table.ts";
import { countRecipients, sumDays, useMessageDays } from "../../../shared/traffic/message-days.ts";
import { StatCard } from "../../../ui/kit/stat-card.tsx";
import { AnnouncementCard, useAnnouncements } from "../../../shared/announcements/announcement-card.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./basement-page.module.css";
import { FirstSteps } from "./first-steps.tsx";
import announcementsClasses from "./announcements.module.css";

/** The same before and after the account is known: it is the first sentence that somebody reads. */
const INTRO = "Your units, your messages and your contacts at a glance, and what to do next.";

/**
 * The summary of an account: what to do first, its figures, what management announces, and how its messages do. All but the last,
 * which stands below, is drawn in one piece: first steps are above the figures, and would push them down if they came later.
 *
 * @param props.sending how the account's messages do.
 */
export function BasementPage({ sending }: { sending: ReactNode }) {
  const { data: user, error, refetch } = useCurrentUser();
  const areAnnouncementsKnown = !useAnnouncements().query.isPending;
  if (user !== undefined && areAnnouncementsKnown) return <Summary user={user} sending={sending} />;
  return (
    <Page title="Basement" intro={INTRO}>
      {user === undefined && error !== null ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageOutline />
      )}
    </Page>
  );
}

function Summary({ user, sending }: { user: UserAnswer; sending: ReactNode }) {
  const { counts } = user;
  return (
    <Page
      title="Basement"
      intro={INTRO}
      actions={
        <ButtonLink to={paths.sendSms} data-least="sender">
          Send SMS
        </ButtonLink>
      }
    >
      <FirstSteps user={user} />
      <div className={classes.figures}>
        <StatCard
          label="Available Units"
          value={formatUnits(user.units)}
          icon={<IconCoins size={20} stroke={1.6} />}
          note={useUnitsInWords(user.units)}
          to={paths.statement}
        />
        <StatCard
          label="Total SMS"
          value={formatCount(counts.sms)}
          icon={<IconMessages size={20} stroke={1.6} />}
          note={useRecipientsInWords()}
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
      <Announcements userId={user._id} />
      {sending}
    </Page>
  );
}

/** `314 recipients in 30 days`: the figure itself counts messages, and one may go to a million numbers. */
function useRecipientsInWords(): string {
  const { data: days } = useMessageDays();
  const recipients =
    days === undefined ? "– recipients" : formatCounted(countRecipients(sumDays(days).counts), "recipient");
  return `${recipients} in ${limits.dashboardDays} days`;
}

/** More of them would push the balance off the first screen. */
const SHOWN_FIRST = 2;

/** The newest announcements that the customer has not dismissed; nothing when there are none. */
function Announcements({ userId }: { userId: string }) {
  const { query, rows } = useAnnouncements();
  const dismiss = useDismissAnnouncement(userId);
  const titleId = useId();
  const sectionRef = useRef<HTMLElement>(null);
  const dismissedIndex = useRef<number>(undefined);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const index = dismissedIndex.current;
    if (index === undefined) return;
    dismissedIndex.current = undefined;
    // The button is gone with its card: who has no mouse goes on with the next one.
    const buttons = sectionRef.current?.querySelectorAll<HTMLElement>("article button") ?? [];
    const next = buttons[Math.min(index, buttons.length - 1)];
    if (next === undefined) focusMain();
    else next.focus({ preventScroll: true });
  }, [rows]);
  if (rows.length === 0) return null;
  const shown = isOpen ? rows : rows.slice(0, SHOWN_FIRST);
  const isMore = shown.length < rows.length || query.hasNextPage;
  const showMore = (): void => {
    if (isOpen) void query.fetchNextPage();
    else setOpen(true);
  };
  return (
    <Stack as="section" ref={sectionRef} gap={12} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Announcements
      </h2>
      {shown.map((announcement, index) => (
        <AnnouncementCard
          key={announcement._id}
          announcement={announcement}
          action={
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Dismiss ${announcement.hint}`}
              title="Dismiss"
              onClick={() => {
                dismissedIndex.current = index;
                void dismiss(announcement);
              }}
            >
              <IconX size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          }
        />
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

/**
 * Takes an announcement off the customer's dashboard: here at once, then on the server. One that could not be dismissed comes back,
 * with the reason.
 */
function useDismissAnnouncement(userId: string): (announcement: AnnouncementAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  const queryKey = ["announcements"];
  return async ({ _id: announcementId, version }) => {
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueriesData<InfiniteData<CursorPage<AnnouncementAnswer>>>({ queryKey }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({ ...page, data: page.data.filter(({ _id }) => _id !== announcementId) })),
          },
    );
    try {
      await call(announcementCalls.dismissAnnouncement, { params: { userId, announcementId }, body: { version } });
    } catch (error) {
      showNotice(explainFailure(error));
    }
    await queryClient.invalidateQueries({ queryKey });
  };
}
