import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useCallback, type ReactNode } from "react";
import { useAddressFilters } from "../../lib/browser/use-address-filters.ts";
import { useCursorList, useUntilFound, type CursorPage } from "../../lib/api/use-cursor-list.ts";
import { DataTable, type Column } from "../../ui/lists/data-table.tsx";
import { ListStates } from "../../ui/lists/list-states.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";
import { ShowMore } from "../../ui/lists/show-more.tsx";
import classes from "./message-list.module.css";

type KeptMessagesProps<Row> = {
  userId: string;
  /** The event topic that refreshes the list. */
  topic: "drafts" | "scheduled";
  caption: string;
  searchLabel: string;
  read: (query: { search: string; after?: string }, signal: AbortSignal) => Promise<CursorPage<Row>>;
  columns: readonly Column<Row>[];
  empty: { title: string; text: string; action: ReactNode };
};

/** Messages that are kept and not sent yet, drafts or scheduled ones: searched, and read page by page. */
export function KeptMessages<Row extends { _id: string }>({
  userId,
  topic,
  caption,
  searchLabel,
  read,
  columns,
  empty,
}: KeptMessagesProps<Row>) {
  const { values, isAnyOn, set, clear } = useAddressFilters(["search"]);
  const { search } = values;
  const list = useCursorList<Row>({
    queryKey: [topic, userId, search],
    read: async (after, signal) => await read({ search, ...(after !== undefined && { after }) }, signal),
  });
  const query = useUntilFound(list.query, list.rows.length);
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  return (
    <Panel>
      {(isAnyOn || list.rows.length > 0 || query.isPending) && (
        <div className={classes.search}>
          <SearchField
            label={searchLabel}
            placeholder="Message, sender name or number"
            value={search}
            onSearch={onSearch}
          />
        </div>
      )}
      <ListStates query={query} rowCount={list.rows.length} empty={empty} onClearFilters={isAnyOn ? clear : undefined}>
        <DataTable caption={caption} columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

type EditAndDeleteProps = {
  /** The link to the form. */
  edit: ReactNode;
  /** What is deleted, as in "Delete the draft from ADASTORES". */
  name: string;
  onDelete: () => Promise<void>;
};

/** What can be done with one of them. */
export function EditAndDelete({ edit, name, onDelete }: EditAndDeleteProps) {
  return (
    <Inline gap={4} align="center" justify="end">
      {edit}
      <ActionIcon
        data-least="sender"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={() => void onDelete()}
      >
        <IconTrash size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Inline>
  );
}
