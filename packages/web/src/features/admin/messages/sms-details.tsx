/** One message or draft, read-only. */
import type { DraftAnswer, MessageAnswer, MessageCounts } from "@ewebal/contract";
import { adminMessageCalls, messageCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatCount, formatDateTime, formatRate, sentAt } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Columns } from "../../../ui/layout/columns.tsx";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page, type WayBack } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { customerQuery } from "../customers.ts";
import { managePaths } from "../admin-paths.ts";
import classes from "./sms-details.module.css";
import { TEXT_HIDDEN } from "./sms-table.tsx";

/** Numbers shown at most; a draft may hold megabytes of them. */
const SHOWN_NUMBERS_MAX = 100;

/** A message, opened from its customer's list. */
export function UserMessageDetailsPage() {
  const { userId = "", messageId = "" } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ["admin", "message", messageId],
    queryFn: async ({ signal }) =>
      (await call(messageCalls.viewOneSms, { params: { userId, messageId }, signal })).data,
  });
  return (
    <MessagePage
      query={query}
      back={{ to: managePaths.userMessages(userId), label: "User's messages" }}
      hasUser={false}
    />
  );
}

/** A message, opened from the list of all messages. */
export function SmsDetailsPage() {
  const { messageId = "" } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ["admin", "message", messageId],
    queryFn: async ({ signal }) => (await call(adminMessageCalls.viewAnySms, { params: { messageId }, signal })).data,
  });
  return <MessagePage query={query} back={{ to: paths.manageSms, label: "All messages" }} hasUser />;
}

export function DraftDetailsPage() {
  const { draftId = "" } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ["admin", "draft", draftId],
    queryFn: async ({ signal }) => (await call(adminMessageCalls.viewAnyDraft, { params: { draftId }, signal })).data,
  });
  const draft = query.data;
  return (
    <DetailsPage title="Draft details" back={{ to: paths.manageDrafts, label: "All drafts" }} query={query}>
      {draft !== undefined && (
        <Facts sms={draft} idName="Draft ID" timeName="Date saved" time={draft.updatedAt} hasUser />
      )}
    </DetailsPage>
  );
}

type DetailsQuery<Data> = {
  data: Data | undefined;
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
};

function MessagePage({
  query,
  back,
  hasUser,
}: {
  query: DetailsQuery<MessageAnswer>;
  back: WayBack;
  hasUser: boolean;
}) {
  const message = query.data;
  return (
    <DetailsPage title="SMS details" back={back} query={query}>
      {message !== undefined && (
        <Columns shares="3 to 2">
          <Facts
            sms={message}
            recipients={message.recipients}
            idName="Sms ID"
            timeName="Date sent"
            time={sentAt(message)}
            hasUser={hasUser}
          />
          <Outcome message={message} />
        </Columns>
      )}
    </DetailsPage>
  );
}

function DetailsPage({
  title,
  back,
  query,
  children,
}: {
  title: string;
  back: WayBack;
  query: DetailsQuery<unknown>;
  children: ReactNode;
}) {
  return (
    <Page title={title} back={back}>
      <ListStates
        query={query}
        rowCount={query.data === undefined ? 0 : 1}
        empty={{ title: "There is no such message" }}
      >
        {children}
      </ListStates>
    </Page>
  );
}

type FactsProps = {
  sms: MessageAnswer | DraftAnswer;
  /** The number of recipients, where it is known. */
  recipients?: number;
  idName: string;
  timeName: string;
  time: string;
  hasUser: boolean;
};

function Facts({ sms, recipients, idName, timeName, time, hasUser }: FactsProps) {
  return (
    <Panel title="Message">
      <DetailList
        rows={[
          { name: "Sender ID", value: sms.senderName },
          { name: idName, value: sms._id, isCopied: true },
          ...(hasUser
            ? [{ name: "User Detail", value: <UserDetail userId={sms.userID} userName={sms.userName} /> }]
            : []),
          { name: "Phone Numbers", value: <PhoneNumbers text={sms.phoneNo} total={recipients} /> },
          {
            name: "SMS",
            value: <span className={classes.text}>{sms.message === "" ? TEXT_HIDDEN : sms.message}</span>,
          },
          { name: timeName, value: formatDateTime(time) },
          ...("hiddenAt" in sms && sms.hiddenAt !== undefined
            ? [{ name: "Deleted by the customer", value: formatDateTime(sms.hiddenAt) }]
            : []),
        ]}
      />
    </Panel>
  );
}

/**
 * The sender of a message: the name as it was at sending, replaced by today's when it has loaded, with today's e-mail.
 */
function UserDetail({ userId, userName }: { userId: string; userName: string }) {
  const { data: user } = useQuery(customerQuery(userId));
  return (
    <span>
      <TextLink to={managePaths.user(userId)}>{user?.userName ?? userName}</TextLink>
      {user !== undefined && <span className={classes.aside}>{user.email}</span>}
    </span>
  );
}

/** The first numbers as the customer entered them, and how many more there are. */
function PhoneNumbers({ text, total }: { text: string; total: number | undefined }) {
  const numbers = text.split(",", SHOWN_NUMBERS_MAX + 1);
  const shown = numbers.slice(0, SHOWN_NUMBERS_MAX);
  const isMore = numbers.length > shown.length || (total ?? 0) > shown.length;
  return (
    <span className={classes.numbers} role="group" aria-label="Phone Numbers" tabIndex={0}>
      {shown.join("\n")}
      {isMore && (
        <span className={classes.aside}>
          {total === undefined ? "and more" : `and ${formatCount(total - shown.length)} more`}
        </span>
      )}
    </span>
  );
}

const stateLabels: Record<keyof MessageCounts, string> = {
  waiting: "Waiting",
  sent: "Sent",
  delivered: "Delivered",
  failed: "Failed",
  dnd: "DND",
  unknown: "Unknown",
  cancelled: "Cancelled",
  optedOut: "Opted out",
  expired: "Expired",
};

/** The delivery so far: recipients by state. */
function Outcome({ message: { recipients, pages, price, counts, code } }: { message: MessageAnswer }) {
  const states = (Object.keys(stateLabels) as (keyof MessageCounts)[]).filter((state) => (counts[state] ?? 0) > 0);
  return (
    <Panel title="Delivery">
      <DetailList
        rows={[
          { name: "Recipients", value: formatCount(recipients) },
          ...states.map((state) => ({ name: stateLabels[state], value: formatCount(counts[state] ?? 0) })),
          { name: "Country code", value: `+${code}` },
          { name: "Pages", value: formatCount(pages) },
          { name: "Units per recipient", value: formatRate(price) },
        ]}
      />
    </Panel>
  );
}
