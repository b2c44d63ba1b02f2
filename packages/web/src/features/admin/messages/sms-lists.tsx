/** Lists of messages and drafts, newest first: one customer's, and everybody's. The topic "admin" refreshes them. */
import type { DraftAnswer, MessageAnswer } from "@ewebal/contract";
import { draftCalls, messageCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import { sentAt } from "../../../lib/texts/format.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList, type CursorPage } from "../../../lib/api/use-cursor-list.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { customerQuery } from "../customers.ts";
import { managePaths } from "../admin-paths.ts";
import { SmsTable, type SmsRow } from "./sms-table.tsx";

/** The messages of one customer. */
export function UserMessagesPage() {
  const { userId = "" } = useParams({ strict: false });
  const { data: user } = useQuery(customerQuery(userId));
  const back = (
    <ButtonLink to={managePaths.user(userId)} variant="default">
      User details
    </ButtonLink>
  );
  return (
    <SmsList<MessageAnswer>
      title="Successful messages"
      intro={user === undefined ? INTRO_TO_COME : `Sent by ${user.userName} (${user.email}).`}
      actions={back}
      caption="Sent messages"
      queryKey={["user-messages", userId]}
      read={async (search, after, signal) =>
        await call(messageCalls.populateSmsHistory, { params: { userId }, query: { search, after }, signal })
      }
      empty={{ title: "There are no sms messages.", text: "Messages that this user sends will be listed here." }}
      timeTitle="Sent"
      timeOf={sentAt}
      hasUsers={false}
      pathOf={({ _id }) => managePaths.userMessage(userId, _id)}
    />
  );
}

/** The messages of all customers. */
export function ManageSmsPage() {
  return (
    <SmsList<MessageAnswer>
      title="All Messages"
      caption="Sent messages of all users"
      queryKey={["all-messages"]}
      read={async (search, after, signal) =>
        await call(messageCalls.viewAllSmsMessages, { query: { search, after }, signal })
      }
      empty={{
        title: "There are no sms messages.",
        text: "Messages that users send will be listed here, newest first.",
      }}
      timeTitle="Sent"
      timeOf={sentAt}
      hasUsers
      pathOf={({ _id }) => managePaths.message(_id)}
    />
  );
}

/** The drafts of all customers. */
export function ManageDraftsPage() {
  return (
    <SmsList<DraftAnswer>
      title="Drafts"
      caption="Drafts of all users"
      queryKey={["all-drafts"]}
      read={async (search, after, signal) => await call(draftCalls.viewAllDrafts, { query: { search, after }, signal })}
      empty={{
        title: "There are no sms messages.",
        text: "Drafts that users save will be listed here, newest first.",
      }}
      timeTitle="Saved"
      timeOf={({ updatedAt }) => updatedAt}
      hasUsers
      pathOf={({ _id }) => managePaths.draft(_id)}
    />
  );
}

type SmsListProps<Row> = {
  title: string;
  intro?: string | undefined;
  actions?: ReactNode;
  caption: string;
  /** Follows the topic in the key; distinguishes the lists. */
  queryKey: readonly string[];
  read: (search: string, after: string | undefined, signal: AbortSignal) => Promise<CursorPage<Row>>;
  empty: { title: string; text: string };
  timeTitle: string;
  timeOf: (row: Row) => string;
  hasUsers: boolean;
  pathOf: (row: Row) => string;
};

function SmsList<Row extends SmsRow>({ title, intro, actions, queryKey, read, empty, ...table }: SmsListProps<Row>) {
  const filters = useAddressFilters(["search"]);
  const { search } = filters.values;
  const list = useCursorList<Row>({
    queryKey: ["admin", ...queryKey, search],
    read: async (after, signal) => await read(search, after, signal),
  });
  return (
    <Page title={title} intro={intro} actions={actions}>
      <Panel>
        <ListTools>
          <SearchField
            label="Search messages"
            placeholder="Text, sender ID or number"
            value={search}
            onSearch={(text) => filters.set({ search: text })}
          />
        </ListTools>
        <ListStates
          query={list.query}
          rowCount={list.rows.length}
          empty={empty}
          onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        >
          <SmsTable {...table} rows={list.rows} />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
    </Page>
  );
}
