import { Button } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { useCallback, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline, Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { LeftOutRows } from "../upload/left-out-rows.tsx";
import { CatalogCard } from "./catalog-card.tsx";
import { CreateCatalogDialog, EditCatalogDialog } from "./catalog-dialogs.tsx";
import classes from "./phonebook.module.css";

/** Every catalog of the customer, newest first. */
export function PhonebookPage() {
  const { userId } = useSession();
  const [isCreating, setCreating] = useState(false);
  const actions = (
    <>
      <ButtonLink
        to={paths.uploadContacts}
        data-least="sender"
        variant="default"
        leftSection={<IconUpload size={18} stroke={1.8} aria-hidden />}
      >
        Upload / Insert Contacts
      </ButtonLink>
      <Button
        data-least="sender"
        leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
        onClick={() => setCreating(true)}
      >
        Create New Catalog
      </Button>
    </>
  );
  return (
    <Page title="Phonebook" intro="Your contacts, in named groups called catalogs." actions={actions}>
      {userId !== null && (
        <>
          <LeftOutRows userId={userId} />
          <Catalogs userId={userId} onCreate={() => setCreating(true)} />
          <CreateCatalogDialog userId={userId} opened={isCreating} onClose={() => setCreating(false)} />
        </>
      )}
    </Page>
  );
}

function Catalogs({ userId, onCreate }: { userId: string; onCreate: () => void }) {
  const { values, isAnyOn, set, clear } = useAddressFilters(["search"]);
  const { search } = values;
  const [editing, setEditing] = useState<CatalogAnswer>();
  const list = useCursorList({
    queryKey: ["catalogs", userId, "list", search],
    read: async (after, signal) =>
      await call(contactCalls.populateCatalogs, {
        params: { userId },
        query: { search, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  const { query, rows } = list;
  const isEmpty = rows.length === 0 && !isAnyOn && !query.isPending;
  const empty = {
    title: fixedTexts.noCatalogs,
    text: "Group the people you write to in catalogs. Create one here, or upload a list as a CSV file.",
    action: (
      <Inline gap={8} wraps justify="center">
        <Button data-least="sender" onClick={onCreate}>
          Create your first catalog
        </Button>
        <ButtonLink to={paths.uploadContacts} data-least="sender" variant="default">
          Upload a CSV file
        </ButtonLink>
      </Inline>
    ),
  };
  return (
    <Stack gap={16}>
      {!isEmpty && (
        <div className={classes.search}>
          <SearchField
            label="Search catalogs by name"
            placeholder="Search by name"
            value={search}
            onSearch={onSearch}
          />
        </div>
      )}
      <ListStates query={query} rowCount={rows.length} empty={empty} onClearFilters={isAnyOn ? clear : undefined}>
        <Tiles as="ul" min={260} keepsEmpty gap={16} aria-label="Catalogs">
          {rows.map((catalog) => (
            <CatalogCard key={catalog._id} catalog={catalog} onEdit={() => setEditing(catalog)} />
          ))}
        </Tiles>
        <ShowMore list={list} />
      </ListStates>
      <EditCatalogDialog userId={userId} catalog={editing} onClose={() => setEditing(undefined)} />
    </Stack>
  );
}
