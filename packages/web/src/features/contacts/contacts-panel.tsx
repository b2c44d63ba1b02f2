import { ActionIcon, Button, Loader } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";
import type { CatalogAnswer } from "@ewebal/contract";
import { fixedTexts } from "../../lib/catalogue-texts.ts";
import { formatCount } from "../../lib/format.ts";
import { useAddressFilters } from "../../lib/use-address-filters.ts";
import type { CursorPages } from "../../lib/use-cursor-pages.ts";
import { useDocumentTop } from "../../lib/use-document-top.ts";
import { ListStates } from "../../ui/list-states.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import classes from "./contacts-panel.module.css";
import { explainRefusal } from "./explain-refusal.ts";
import { useContacts, useDeleteContact, type ListedContact } from "./use-contacts.ts";

/** A number has no more digits. */
const searchDigitsMax = 15;

function keepDigits(text: string): string {
  return text.replaceAll(/[^0-9]/g, "").slice(0, searchDigitsMax);
}

interface ContactsPanelProps {
  userId: string;
  catalog: CatalogAnswer;
  onAdd: () => void;
}

/** The grid of a catalog's contacts, with a search for digits; 100,000 of them are as quick as 100. */
export function ContactsPanel({ userId, catalog, onAdd }: ContactsPanelProps) {
  const { values, isAnyOn, set } = useAddressFilters(["search"]);
  const search = keepDigits(values.search);
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  const clear = useCallback(() => set({ search: "" }), [set]);
  return (
    <Panel title="Contacts">
      {(catalog.count > 0 || isAnyOn) && (
        <div className={classes.search}>
          <SearchField label="Search contacts by digits" placeholder="Digits of a number" value={search} onSearch={onSearch} keep={keepDigits} inputMode="numeric" />
        </div>
      )}
      {/* The answer to another search is another list: nothing of the old one may stay. */}
      <Contacts key={search} userId={userId} catalog={catalog} search={search} onAdd={onAdd} onClear={search === "" ? undefined : clear} />
    </Panel>
  );
}

interface ContactsProps extends ContactsPanelProps {
  search: string;
  onClear: (() => void) | undefined;
}

function Contacts({ userId, catalog, search, onAdd, onClear }: ContactsProps) {
  const contacts = useContacts({ userId, catalogId: catalog._id, search });
  const { rows, hasMore, query } = contacts;
  const empty = {
    title: fixedTexts.noContacts,
    text: "Add a few numbers here, or a whole list from a CSV file.",
    action: <Button onClick={onAdd}>Add contacts</Button>,
  };
  return (
    <>
      {search !== "" && rows.length > 0 && (
        <p className={`${classes.found} numeric`} role="status">
          {hasMore ? `More than ${formatCount(rows.length)} found` : `${formatCount(rows.length)} found`}
        </p>
      )}
      <ListStates query={query} rowCount={rows.length} empty={empty} onClearFilters={onClear}>
        <ContactsGrid catalogId={catalog._id} contacts={contacts} total={search === "" ? catalog.count : undefined} />
      </ListStates>
    </>
  );
}

const rowHeightPx = 56;

function useIsAtLeast(widthPx: number): boolean {
  return useMediaQuery(`(min-width: ${widthPx}px)`, false, { getInitialValueInEffect: false }) ?? false;
}

/** 5 on wide screens, as specified; on a phone one below the other, with room for a thumb. */
function useColumnCount(): number {
  const columnCounts = [useIsAtLeast(1200) && 5, useIsAtLeast(1024) && 4, useIsAtLeast(640) && 3, useIsAtLeast(480) && 2];
  return columnCounts.find((count) => count !== false) ?? 1;
}

interface ContactsGridProps {
  catalogId: string;
  contacts: CursorPages<ListedContact>;
  /** How many there are, read or not, when it is known. */
  total: number | undefined;
}

function ContactsGrid({ catalogId, contacts, total }: ContactsGridProps) {
  const { rows: all, hasMore, isReadingMore, moreError, onVisible, readMore } = contacts;
  const deleteContact = useDeleteContact(catalogId);
  const columnCount = useColumnCount();
  const listRef = useRef<HTMLUListElement>(null);
  const scrollMargin = useDocumentTop(listRef);
  const virtualizer = useWindowVirtualizer({ count: Math.ceil(all.length / columnCount), estimateSize: () => rowHeightPx, overscan: 8, scrollMargin });
  const items = virtualizer.getVirtualItems();
  const first = (items[0]?.index ?? 0) * columnCount;
  const end = Math.min(all.length, ((items.at(-1)?.index ?? -1) + 1) * columnCount);
  useEffect(() => onVisible(first, Math.max(first, end - 1)));

  const before = (items[0]?.index ?? 0) * rowHeightPx;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.index ?? -1) + 1) * rowHeightPx;
  const setSize = total ?? (hasMore ? -1 : all.length);
  return (
    <>
      <ul
        ref={listRef}
        className={classes.grid}
        aria-label="Contacts"
        style={{ gridTemplateColumns: `repeat(${columnCount}, minmax(0, 1fr))`, gridAutoRows: rowHeightPx, paddingTop: before, paddingBottom: Math.max(0, after) }}
      >
        {all.slice(first, end).map((contact, place) => (
          <li key={first + place} className={classes.cell} aria-setsize={setSize} aria-posinset={first + place + 1}>
            <span className={classes.contact}>
              <span className="numeric">{contact.phoneNo}</span>
              <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${contact.phoneNo}`} title="Delete" onClick={() => void deleteContact(contact)}>
                <IconTrash size={16} stroke={1.7} aria-hidden />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ul>
      {isReadingMore && (
        <p className={classes.end} role="status">
          <Loader size="sm" aria-hidden /> Reading more
        </p>
      )}
      {moreError !== null && (
        <p className={classes.end} role="alert">
          {explainRefusal("contactsRead", moreError).title}
          <Button size="xs" variant="default" onClick={readMore}>
            Try again
          </Button>
        </p>
      )}
    </>
  );
}
