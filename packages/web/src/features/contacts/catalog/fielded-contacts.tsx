import { Button, TextInput } from "@mantine/core";
import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCursorPages } from "../../../lib/api/use-cursor-pages.ts";
import { fixedTexts } from "../../../lib/texts/fixed-texts.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";
import { useDeleteContact, type ListedContact } from "./use-contacts.ts";

const CONTACTS_PER_PAGE = "50";

type FieldedContactsProps = { userId: string; catalog: CatalogAnswer };

/** The contacts of a catalog with columns: searched in numbers and fields, sorted by any of them, edited one by one. */
export function FieldedContacts({ userId, catalog }: FieldedContactsProps) {
  const { _id: catalogId, columns } = catalog;
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState("");
  const [edited, setEdited] = useState<ListedContact>();
  const deleteContact = useDeleteContact(catalogId);
  const [sort = "", direction = ""] = order.split(" ");
  const list = useCursorPages<ListedContact>({
    queryKey: ["catalog", catalogId, "contacts", "fields", search, order],
    read: async (after, signal) => {
      const query = {
        limit: CONTACTS_PER_PAGE,
        search,
        ...(order !== "" && { sort, order: direction === "desc" ? ("desc" as const) : ("asc" as const) }),
        ...(after !== undefined && { after }),
      };
      const { data, next, etag } = await call(contactCalls.contacts, { params: { userId, catalogId }, query, signal });
      return { data: data.map((contact) => ({ ...contact, etag })), next };
    },
  });
  const sortable = [{ key: "phoneNo", label: "Number" }, ...columns];
  return (
    <Panel title="Contacts">
      <Inline gap={12} wraps align="center">
        <SearchField
          label="Search contacts"
          placeholder="Digits of a number, or text"
          value={search}
          onSearch={setSearch}
        />
        <NativeSelect label="Order" name="order" value={order} onValue={setOrder} size="sm">
          <option value="">As they were added</option>
          {sortable.flatMap(({ key, label }) => [
            <option key={`${key} asc`} value={`${key} asc`}>{`${label}, A to Z`}</option>,
            <option key={`${key} desc`} value={`${key} desc`}>{`${label}, Z to A`}</option>,
          ])}
        </NativeSelect>
      </Inline>
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: fixedTexts.noContacts }}
        onClearFilters={() => setSearch("")}
      >
        <ContactsTable columns={columns} rows={list.rows} onEdit={setEdited} onDelete={deleteContact} />
        {list.hasMore && (
          <Inline justify="center" above={20}>
            <Button variant="default" onClick={list.readMore}>
              Show more
            </Button>
          </Inline>
        )}
      </ListStates>
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={`Edit ${edited?.phoneNo ?? ""}`}
      >
        {edited !== undefined && (
          <EditContactForm userId={userId} catalog={catalog} contact={edited} onDone={() => setEdited(undefined)} />
        )}
      </Dialog>
    </Panel>
  );
}

type ContactsTableProps = {
  columns: CatalogAnswer["columns"];
  rows: readonly ListedContact[];
  onEdit: (contact: ListedContact) => void;
  onDelete: (contact: ListedContact) => Promise<void>;
};

function ContactsTable({ columns, rows, onEdit, onDelete }: ContactsTableProps) {
  return (
    <DataTable
      caption="Contacts"
      rows={rows}
      rowKey={({ phoneNo }) => phoneNo}
      columns={[
        {
          title: "Number",
          cell: ({ phoneNo }) => <span className="numeric nowrap">{phoneNo}</span>,
          isHeading: true,
        },
        ...columns.map(({ key, label }) => ({
          title: label,
          cell: ({ fields }: ListedContact) => fields?.[key] ?? "",
        })),
        {
          title: "Actions",
          isActions: true,
          cell: (contact) => (
            <Inline gap={4} justify="end">
              <button
                type="button"
                className="icon-button"
                aria-label={`Edit ${contact.phoneNo}`}
                onClick={() => onEdit(contact)}
              >
                <IconPencil size={18} stroke={1.6} aria-hidden />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={`Delete ${contact.phoneNo}`}
                onClick={() => void onDelete(contact)}
              >
                <IconTrash size={18} stroke={1.6} aria-hidden />
              </button>
            </Inline>
          ),
        },
      ]}
    />
  );
}

type EditContactFormProps = FieldedContactsProps & { contact: ListedContact; onDone: () => void };

function EditContactForm({ userId, catalog, contact, onDone }: EditContactFormProps) {
  const queryClient = useQueryClient();
  const { _id: catalogId, columns } = catalog;
  const initial = Object.fromEntries(columns.map(({ key }) => [key, contact.fields?.[key] ?? ""]));
  const form = useForm<Record<string, string>>({
    initial,
    missing: (values) => (columns.every(({ key }) => values[key] === initial[key]) ? ["another value"] : []),
    send: async (fields) => {
      const body = { phoneNo: contact.phoneNo, fields };
      const { message } = await call(contactCalls.editContact, { params: { userId, catalogId }, body });
      await queryClient.invalidateQueries({ queryKey: ["catalog", catalogId] });
      showNotice({ title: message });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <Stack gap={12}>
        {columns.map(({ key, label }) => (
          <TextInput key={key} label={label} autoComplete="off" maxLength={160} {...form.field(key)} />
        ))}
      </Stack>
      <ContactsRefusal screen="catalogEdit" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save
      </SubmitButton>
    </Form>
  );
}
