import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { CatalogNameField, missingName } from "./catalog-name-field.tsx";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";

type EditCatalogFormProps = {
  userId: string;
  catalog: CatalogAnswer;
  onDone: () => void;
};

export function EditCatalogForm({ userId, catalog, onDone }: EditCatalogFormProps) {
  const queryClient = useQueryClient();
  const { _id: catalogId } = catalog;
  const form = useForm<Record<"catalogName", string>>({
    initial: { catalogName: catalog.catalogName },
    missing: (values) => {
      if (values.catalogName.trim() === catalog.catalogName) return ["another name"];
      return missingName(values);
    },
    schema: async () => (await import("@ewebal/contract/schemas/contacts")).contactSchemas.editCatalog.body,
    send: async ({ catalogName }) => {
      const { message } = await call(contactCalls.editCatalog, {
        params: { userId, catalogId },
        body: { catalogName: catalogName.trim() },
      });
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
      <ContactsRefusal screen="catalogEdit" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Save Name
      </SubmitButton>
    </Form>
  );
}
