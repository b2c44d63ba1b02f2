import { messageCalls } from "@ewebal/contract/calls";
import { Button } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { fillAddress } from "../../../lib/api/api.ts";
import type { AddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { whitelistsQuery } from "../message-queries.ts";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { ChoiceFilter, DayFilters } from "../../../ui/lists/filter-fields.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import {
  historyStateWords,
  readHistoryFilters,
  type historyFilterNames,
} from "../../../shared/messages/history-filters.ts";

type HistoryFilterBarProps = {
  userId: string;
  filters: AddressFilters<(typeof historyFilterNames)[number]>;
};

/** Search and filters of the history, and its ways out: a file and paper. */
export function HistoryFilterBar({ userId, filters }: HistoryFilterBarProps) {
  const { values, set } = filters;
  const onSearch = useCallback((search: string) => set({ search }), [set]);
  const file = fillAddress(
    messageCalls.populateSmsHistory.url,
    { userId },
    { ...readHistoryFilters(values), format: "csv" },
  );
  return (
    <ListTools
      filters={filters}
      search={
        <SearchField
          label="Search the messages"
          placeholder="Message, sender name or number"
          value={values.search}
          onSearch={onSearch}
        />
      }
      actions={
        <>
          <Button
            size="sm"
            variant="default"
            component="a"
            href={file}
            download
            leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
          >
            Export CSV
          </Button>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPrinter size={16} stroke={1.8} aria-hidden />}
            onClick={() => window.print()}
          >
            Print
          </Button>
        </>
      }
    >
      <ChoiceFilter
        label="State"
        name="state"
        value={values.state}
        onValue={(state) => set({ state })}
        all="Any"
        choices={Object.entries(historyStateWords)}
      />
      <ChoiceFilter
        label="Mode"
        name="mode"
        value={values.mode}
        onValue={(mode) => set({ mode })}
        all="Live"
        choices={[["test", "Test"]]}
      />
      <SenderSelect userId={userId} sender={values.sender} onSender={(sender) => set({ sender })} />
      <DayFilters filters={filters} />
    </ListTools>
  );
}

type SenderSelectProps = {
  userId: string;
  sender: string;
  onSender: (sender: string) => void;
};

/** The approved names, and the one in the address although it may not be approved any more. */
function SenderSelect({ userId, sender, onSender }: SenderSelectProps) {
  const approved = useQuery(whitelistsQuery(userId)).data?.senderNames ?? [];
  const names = sender === "" ? approved : [...new Set([...approved, sender])];
  return (
    <ChoiceFilter
      label="Sender name"
      name="sender"
      value={sender}
      onValue={onSender}
      all="Any"
      choices={names.map((name) => [name, name])}
    />
  );
}
