import { TextInput } from "@mantine/core";
import { contactCalls } from "@ewebal/contract/calls";
import { DEFAULT_COUNTRY_CODE } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogAnswer } from "@ewebal/contract";
import { call } from "../../../lib/api/api.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { CatalogNameField, missingName } from "./catalog-name-field.tsx";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";

type Values = Record<"catalogName" | "code", string>;

type CreateCatalogFormProps = {
  userId: string;
  onDone: () => void;
};

export function CreateCatalogForm({ userId, onDone }: CreateCatalogFormProps) {
  const queryClient = useQueryClient();
  const [key] = useState(() => new IdempotencyKey());
  const form = useForm<Values>({
    initial: { catalogName: "", code: DEFAULT_COUNTRY_CODE },
    missing: missingName,
    schema: async () => (await import("@ewebal/contract/schemas/contacts")).contactSchemas.createCatalog.body,
    send: async ({ catalogName, code }) => {
      const body = { catalogName: catalogName.trim(), code };
      const headers = { "idempotency-key": key.keyFor(body) };
      const { message } = await call(contactCalls.createCatalog, { params: { userId }, body, headers });
      await queryClient.invalidateQueries({ queryKey: ["catalogs"] });
      showNotice({ title: message });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <CatalogNameField field={form.field("catalogName")} isFirst />
      <CountrySelect
        code={form.values.code}
        onCode={(code) => form.set("code", code)}
        description="All contacts in a catalog are in one country"
      />
      <ContactsRefusal screen="catalogCreate" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Create Catalog
      </SubmitButton>
    </Form>
  );
}

type EditCatalogFormProps = {
  userId: string;
  catalog: CatalogAnswer;
  onDone: () => void;
};

/** The columns that a text names, commas between them; one that is there already keeps its key and its values. */
function readColumns(text: string, before: CatalogAnswer["columns"]): { key?: string; label: string }[] {
  const labels = text
    .split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "");
  return labels.map((label) => before.find((column) => column.label === label) ?? { label });
}

export function EditCatalogForm({ userId, catalog, onDone }: EditCatalogFormProps) {
  const queryClient = useQueryClient();
  const { _id: catalogId } = catalog;
  const labels = catalog.columns.map(({ label }) => label).join(", ");
  const form = useForm<Record<"catalogName" | "columns", string>>({
    initial: { catalogName: catalog.catalogName, columns: labels },
    missing: (values) => {
      const isSame = values.catalogName.trim() === catalog.catalogName && values.columns.trim() === labels;
      return isSame ? ["another name"] : missingName(values);
    },
    send: async ({ catalogName, columns }) => {
      const isSame = columns.trim() === labels;
      const body = {
        catalogName: catalogName.trim(),
        ...(!isSame && { columns: readColumns(columns, catalog.columns) }),
      };
      const { message } = await call(contactCalls.editCatalog, { params: { userId, catalogId }, body });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["catalogs"] }),
        queryClient.invalidateQueries({ queryKey: ["catalog", catalogId] }),
      ]);
      showNotice({ title: message });
      onDone();
    },
  });
  return (
    <Form form={form}>
      <CatalogNameField field={form.field("catalogName")} isFirst />
      <TextInput
        {...form.field("columns")}
        autoComplete="off"
        label="Columns beside the number"
        description="Such as Name, City: commas between them. A column that you take out goes with what it holds."
      />
      <ContactsRefusal screen="catalogEdit" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save Name
      </SubmitButton>
    </Form>
  );
}
