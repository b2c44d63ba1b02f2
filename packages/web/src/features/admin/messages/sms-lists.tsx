/** Lists of messages and drafts, newest first: one customer's, and everybody's. The topic "admin" refreshes them. */
import type { DraftAnswer, MessageAnswer } from "@ewebal/contract";
import { draftCalls, messageCalls } from "@ewebal/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../../../lib/api/api.ts";
import { useAddressFilters, type AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList, type CursorList } from "../../../lib/api/use-cursor-list.ts";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ChoiceFilter, DayFilters } from "../../../ui/lists/filter-fields.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { customerQuery } from "../customers.ts";
import { CustomerSelect } from "../customer-select.tsx";
import { managePaths } from "../admin-paths.ts";
import { historyStateWords, readHistoryFilters } from "../../../shared/messages/history-filters.ts";
import { MessagesTable } from "./messages-table.tsx";
import { SmsTable } from "./sms-table.tsx";

const NO_MESSAGES = "There are no sms messages.";
const messageFilterNames = ["search", "user", "state", "from", "to"] as const;
type MessageFilters = AddressFilters<(typeof messageFilterNames)[number]>;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The messages of one customer. */
export function UserMessagesPage() {
  const { userId = "" } = useParams({ strict: false });
  const { data: user } = useQuery(customerQuery(userId));
  const filters = useAddressFilters(messageFilterNames);
  const query = readHistoryFilters({ ...filters.values, sender: "", mode: "" });
  const list = useCursorList<MessageAnswer>({
    queryKey: ["admin", "user-messages", userId, query],
    read: async (after, signal) =>
      await call(messageCalls.populateSmsHistory, { params: { userId }, query: { ...query, after }, signal }),
  });
  return (
    <Page
      title="Successful messages"
      intro={user === undefined ? INTRO_TO_COME : `Sent by ${user.userName} (${user.email}).`}
      back={{ to: managePaths.user(userId), label: "User details" }}
    >
      <ListPanel
        list={list}
        filters={filters}
        fields={<StateAndDays filters={filters} />}
        empty={{ title: NO_MESSAGES, text: "Messages that this user sends will be listed here." }}
      >
        <MessagesTable
          caption="Sent messages"
          rows={list.rows}
          hasUsers={false}
          pathOf={({ _id }) => managePaths.userMessage(userId, _id)}
        />
      </ListPanel>
    </Page>
  );
}

/** The messages of all customers. */
export function ManageSmsPage() {
  const filters = useAddressFilters(messageFilterNames);
  const userId = UUID.test(filters.values.user) ? filters.values.user : undefined;
  const query = {
    ...readHistoryFilters({ ...filters.values, sender: "", mode: "" }),
    ...(userId !== undefined && { userId }),
  };
  const list = useCursorList<MessageAnswer>({
    queryKey: ["admin", "all-messages", query],
    read: async (after, signal) => await call(messageCalls.viewAllSmsMessages, { query: { ...query, after }, signal }),
  });
  return (
    <Page title="All Messages">
      <ListPanel
        list={list}
        filters={filters}
        fields={
          <>
            <UserFilter userId={userId} onUser={(user) => filters.set({ user })} />
            <StateAndDays filters={filters} />
          </>
        }
        empty={{ title: NO_MESSAGES, text: "Messages that users send will be listed here, newest first." }}
      >
        <MessagesTable
          caption="Sent messages of all users"
          rows={list.rows}
          hasUsers
          pathOf={({ _id }) => managePaths.message(_id)}
        />
      </ListPanel>
    </Page>
  );
}

/** The drafts of all customers. */
export function ManageDraftsPage() {
  const filters = useAddressFilters(["search"]);
  const { search } = filters.values;
  const list = useCursorList<DraftAnswer>({
    queryKey: ["admin", "all-drafts", search],
    read: async (after, signal) => await call(draftCalls.viewAllDrafts, { query: { search, after }, signal }),
  });
  return (
    <Page title="Drafts">
      <ListPanel
        list={list}
        filters={filters}
        empty={{ title: NO_MESSAGES, text: "Drafts that users save will be listed here, newest first." }}
      >
        <SmsTable
          caption="Drafts of all users"
          rows={list.rows}
          timeTitle="Saved"
          timeOf={({ updatedAt }) => updatedAt}
          hasUsers
          pathOf={({ _id }) => managePaths.draft(_id)}
        />
      </ListPanel>
    </Page>
  );
}

type ListPanelProps = {
  list: CursorList<unknown>;
  filters: AddressFilters<"search">;
  /** Filters besides the search. */
  fields?: ReactNode;
  empty: { title: string; text: string };
  /** The table of what was read. */
  children: ReactNode;
};

function ListPanel({ list, filters, fields, empty, children }: ListPanelProps) {
  return (
    <Panel>
      <ListTools
        filters={filters}
        search={
          <SearchField
            label="Search messages"
            placeholder="Text, sender ID or number"
            value={filters.values.search}
            onSearch={(search) => filters.set({ search })}
          />
        }
      >
        {fields}
      </ListTools>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={empty}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
      >
        {children}
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

/** @param userId the customer in the address, whose e-mail the field shows. */
function UserFilter({ userId, onUser }: { userId: string | undefined; onUser: (userId: string) => void }) {
  const { data: user } = useQuery({ ...customerQuery(userId ?? ""), enabled: userId !== undefined });
  return (
    <CustomerSelect
      isFilter
      value={userId === undefined ? undefined : user}
      onChange={(chosen) => onUser(chosen?._id ?? "")}
    />
  );
}

function StateAndDays({ filters }: { filters: MessageFilters }) {
  const { values, set } = filters;
  return (
    <>
      <ChoiceFilter
        label="State"
        name="state"
        value={values.state}
        onValue={(state) => set({ state })}
        all="All states"
        choices={Object.entries(historyStateWords)}
      />
      <DayFilters filters={filters} />
    </>
  );
}
