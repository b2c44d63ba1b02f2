import { contactCalls } from "@ewebal/contract/calls";
import { DEFAULT_COUNTRY_CODE } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { CatalogNameField, missingName } from "./catalog-name-field.tsx";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";
import { SubmissionKey } from "./submission-key.ts";

type Values = Record<"catalogName" | "code", string>;

type CreateCatalogFormProps = {
  userId: string;
  onDone: () => void;
};

export function CreateCatalogForm({ userId, onDone }: CreateCatalogFormProps) {
  const queryClient = useQueryClient();
  const [key] = useState(() => new SubmissionKey());
  const form = useForm<Values>({
    initial: { catalogName: "", code: DEFAULT_COUNTRY_CODE },
    missing: missingName,
    schema: async () => (await import("@ewebal/contract/schemas/contacts")).contactSchemas.createCatalog.body,
    send: async ({ catalogName, code }) => {
      const body = { catalogName: catalogName.trim(), code };
      const headers = { "idempotency-key": key.keyFor([body]) };
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
        description="All contacts of a catalog belong to one country"
      />
      <ContactsRefusal screen="catalogCreate" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Create Catalog
      </SubmitButton>
    </Form>
  );
}
