import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { readRecipients } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";
import { missingNumbers } from "../../../shared/numbers/clean-numbers.ts";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { NumbersSummary } from "../numbers/wrong-rows.tsx";
import { countryInWords } from "../../../shared/numbers/catalog-choices.ts";

type AddContactsFormProps = {
  userId: string;
  catalog: CatalogAnswer;
  onDone: () => void;
};

/** A few numbers for a catalog that is open. Whole lists belong on the upload page. */
export function AddContactsForm({ userId, catalog, onDone }: AddContactsFormProps) {
  const { _id: catalogId, code } = catalog;
  const queryClient = useQueryClient();
  const rates = useRateTable();
  const [onlyGood, setOnlyGood] = useState(false);
  const [isListPasted, setListPasted] = useState(false);
  const form = useForm<Record<"phoneNo", string>>({
    initial: { phoneNo: "" },
    missing: ({ phoneNo }) => missingNumbers(readRecipients(phoneNo, code, rates), onlyGood),
    send: async ({ phoneNo }) => {
      const { message } = await call(contactCalls.addContacts, {
        params: { userId, catalogId },
        body: { phoneNo, onlyGood },
      });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["catalogs"] }),
        queryClient.invalidateQueries({ queryKey: ["catalog", catalogId] }),
      ]);
      showNotice({ title: message });
      onDone();
    },
  });
  const { phoneNo } = form.values;
  const read = useMemo(() => readRecipients(phoneNo, code, rates), [phoneNo, code, rates]);
  return (
    <Form form={form}>
      <Callout tone="warn" title="Pass valid numbers">
        Mobile numbers of {countryInWords(code)}, digits and commas only. A number that does not exist still costs its
        page when you send.
      </Callout>
      <NumbersField
        name="phoneNo"
        label="Phone numbers"
        description="Separate them with commas, or paste them in any shape."
        code={code}
        value={phoneNo}
        onValue={(text) => {
          setListPasted(false);
          form.set("phoneNo", text);
        }}
        onList={() => setListPasted(true)}
        error={form.field("phoneNo").error}
        isFirst
      />
      {isListPasted && (
        <Callout tone="info" title="This list is long" isAnnounced>
          Paste it on{" "}
          <TextLink to={paths.uploadContacts} search={{ catalogId }}>
            Upload / Insert Contacts
          </TextLink>
          , which takes up to 1,000,000 numbers.
        </Callout>
      )}
      <NumbersSummary read={read} onlyGood={onlyGood} onOnlyGood={setOnlyGood} />
      <ContactsRefusal screen="contactsAdd" error={form.refusal} />
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Add Contacts
      </SubmitButton>
    </Form>
  );
}
