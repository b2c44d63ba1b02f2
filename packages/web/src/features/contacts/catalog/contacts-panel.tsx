import { Button, Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useEffect, useRef } from "react";
import type { CatalogAnswer } from "@ewebal/contract";
import { fixedTexts, explainRefusal } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount } from "../../../lib/texts/format.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useDocumentTop } from "../../../lib/browser/use-document-top.ts";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./contacts-panel.module.css";
import {
  useAllContacts,
  useDeleteContact,
  useFoundContacts,
  type ContactsView,
  type ListedContact,
} from "./use-contacts.ts";

/** A number has no more digits. */
const SEARCH_DIGITS_MAX = 15;

function keepDigits(text: string): string {
  return text.replaceAll(/[^0-9]/g, "").slice(0, SEARCH_DIGITS_MAX);
}

type ContactsPanelProps = {
  userId: string;
  catalog: CatalogAnswer;
  onAdd: () => void;
};

/** The grid of a catalog's contacts, with a search for digits; 100,000 of them are as quick as 100. */
export function ContactsPanel({ userId, catalog, onAdd }: ContactsPanelProps) {
  const { values, isAnyOn, set } = useAddressFilters(["search"]);
  const search = keepDigits(values.search);
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  const clear = useCallback(() => set({ search: "" }), [set]);
  if (catalog.columns.length > 0 && catalog.count > 0)
    return (
      <PopupContent name="fielded-contacts" load={async () => (await import("./fielded-contacts.tsx")).FieldedContacts}>
        {(FieldedContacts) => <FieldedContacts userId={userId} catalog={catalog} />}
      </PopupContent>
    );
  return (
    <Panel title="Contacts">
      {(catalog.count > 0 || isAnyOn) && (
        <div className={classes.search}>
          <SearchField
            label="Search contacts by digits"
            placeholder="Digits of a number"
            value={search}
            onSearch={onSearch}
            keep={keepDigits}
            inputMode="numeric"
          />
        </div>
      )}
      {search === "" ? (
        <AllContacts userId={userId} catalog={catalog} onAdd={onAdd} />
      ) : (
        // The answer to another search is another list: nothing of the old one may stay.
        <FoundContacts key={search} userId={userId} catalogId={catalog._id} search={search} onClear={clear} />
      )}
    </Panel>
  );
}

function AllContacts({ userId, catalog, onAdd }: ContactsPanelProps) {
  const { _id: catalogId, count } = catalog;
  const view = useAllContacts({ userId, catalogId }, count);
  const empty = {
    title: fixedTexts.noContacts,
    text: "Add a few numbers here, or a whole list from a CSV file.",
    action: (
      <Button data-least="sender" onClick={onAdd}>
        Add contacts
      </Button>
    ),
  };
  return (
    <ListStates query={known} rowCount={count} empty={empty}>
      <ContactsGrid catalogId={catalogId} view={view} total={count} />
    </ListStates>
  );
}

/** How many there are came with the catalog. */
const known = { isPending: false, error: null, refetch: () => undefined };

type FoundContactsProps = {
  userId: string;
  catalogId: string;
  search: string;
  onClear: () => void;
};

function FoundContacts({ userId, catalogId, search, onClear }: FoundContactsProps) {
  const { rows, hasMore, query, moreError, onVisible, readMore } = useFoundContacts({ userId, catalogId }, search);
  const view = {
    count: rows.length,
    at: (place: number) => rows[place],
    onVisible,
    error: moreError,
    readAgain: readMore,
  };
  return (
    <>
      {rows.length > 0 && (
        <p className="below-12 muted small numeric" role="status">
          {hasMore ? `More than ${formatCount(rows.length)} found` : `${formatCount(rows.length)} found`}
        </p>
      )}
      <ListStates
        query={query}
        rowCount={rows.length}
        empty={{ title: fixedTexts.noContacts }}
        onClearFilters={onClear}
      >
        {/* -1 says that nobody has counted them. */}
        <ContactsGrid catalogId={catalogId} view={view} total={hasMore ? -1 : rows.length} />
      </ListStates>
    </>
  );
}

const ROW_HEIGHT_PX = 56;

function useIsAtLeast(widthPx: number): boolean {
  return useMediaQuery(`(min-width: ${widthPx}px)`, false, { getInitialValueInEffect: false }) ?? false;
}

/** 5 on wide screens, as specified; on a phone one below the other, with room for a thumb. */
function useColumnCount(): number {
  const columnCounts = [
    useIsAtLeast(1200) && 5,
    useIsAtLeast(1024) && 4,
    useIsAtLeast(640) && 3,
    useIsAtLeast(480) && 2,
  ];
  return columnCounts.find((count) => count !== false) ?? 1;
}

type ContactsGridProps = {
  catalogId: string;
  view: ContactsView;
  /** For screen readers. */
  total: number;
};

/** Browsers scroll no further than 17,800,000 px; a phone reaches that with 318,000 rows of one contact. */
const ROWS_MAX = 300_000;

/** Draws the rows near the window; every row is as high as the others, so nothing needs measuring. */
function ContactsGrid({ catalogId, view: { count, at, onVisible, error, readAgain }, total }: ContactsGridProps) {
  const deleteContact = useDeleteContact(catalogId);
  const columnCount = useColumnCount();
  const listRef = useRef<HTMLUListElement>(null);
  const scrollMargin = useDocumentTop(listRef);
  const rowCount = Math.min(ROWS_MAX, Math.ceil(count / columnCount));
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 6,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const firstRow = items[0]?.index ?? 0;
  const endRow = (items.at(-1)?.index ?? -1) + 1;
  const first = firstRow * columnCount;
  const end = Math.min(count, endRow * columnCount);
  useEffect(() => onVisible(first, Math.max(first, end - 1)));

  const style = {
    gridTemplateColumns: `repeat(${columnCount}, minmax(0, 1fr))`,
    gridAutoRows: ROW_HEIGHT_PX,
    paddingTop: firstRow * ROW_HEIGHT_PX,
    paddingBottom: Math.max(0, virtualizer.getTotalSize() - endRow * ROW_HEIGHT_PX),
  };
  return (
    <>
      <Stack as="ul" ref={listRef} across={8} aria-label="Contacts" style={style}>
        {Array.from({ length: end - first }, (_, offset) => first + offset).map((place) => (
          <li key={place} className={classes.cell} aria-setsize={total} aria-posinset={place + 1}>
            <ContactCell contact={at(place)} onDelete={deleteContact} />
          </li>
        ))}
      </Stack>
      {rowCount === ROWS_MAX && (
        <Inline as="p" gap={12} align="center" justify="center" className={`${classes.end} muted small`}>
          Only the first {formatCount(ROWS_MAX * columnCount)} are listed here. Search for the others.
        </Inline>
      )}
      {error !== null && (
        <Inline as="p" gap={12} align="center" justify="center" className={`${classes.end} muted small`} role="alert">
          {explainRefusal("contactsRead", error).title}
          <Button size="xs" variant="default" onClick={readAgain}>
            Try again
          </Button>
        </Inline>
      )}
    </>
  );
}

type ContactCellProps = {
  contact: ListedContact | undefined;
  onDelete: (contact: ListedContact) => Promise<void>;
};

/** Seventy of these are drawn by one turn of a wheel: a plain button, and nothing drawn twice. */
const ContactCell = memo(function ContactCell({ contact, onDelete }: ContactCellProps) {
  return (
    <Inline as="span" gap={4} align="center" justify="between" className={`${classes.contact} small nowrap`}>
      {contact === undefined ? (
        <Skeleton height={16} width={124} />
      ) : (
        <>
          <span className="numeric">{contact.phoneNo}</span>
          <button
            type="button"
            className={`${classes.delete} icon-button`}
            aria-label={`Delete ${contact.phoneNo}`}
            title="Delete"
            onClick={() => void onDelete(contact)}
          >
            <IconTrash size={16} stroke={1.7} aria-hidden />
          </button>
        </>
      )}
    </Inline>
  );
});
