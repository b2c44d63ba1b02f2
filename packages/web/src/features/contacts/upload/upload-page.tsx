import { contactCalls } from "@ewebal/contract/calls";
import { Button, Progress, SegmentedControl } from "@mantine/core";
import { IconDownload, IconUserPlus } from "@tabler/icons-react";
import { useSession } from "../../../lib/session/session.ts";
import { CountrySelect } from "../../../shared/rates/country-select.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline, Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { CatalogNameField } from "../phonebook/catalog-name-field.tsx";
import { CatalogSelect } from "./catalog-select.tsx";
import { fileFromPaste } from "../../../shared/numbers/contact-file.ts";
import { ContactsRefusal } from "../numbers/contacts-refusal.tsx";
import { FileSource } from "./file-source.tsx";
import { LeftOutRows } from "./left-out-rows.tsx";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { NumbersSummary } from "../numbers/wrong-rows.tsx";
import classes from "./upload-page.module.css";
import { useImport, type Import } from "./use-import.ts";

/** Brings contacts into a new catalog or one that exists, from a file or as pasted numbers. */
export function UploadPage() {
  const { userId } = useSession();
  const template = (
    <Button
      component="a"
      href={contactCalls.contactsTemplate.url}
      download
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.8} aria-hidden />}
    >
      CSV template
    </Button>
  );
  return (
    <Page
      title="Upload and Insert Contacts"
      intro="Up to 1,000,000 numbers at once. Each number is kept once in a catalog."
      actions={template}
    >
      {userId !== null && <ImportForm userId={userId} />}
    </Page>
  );
}

function ImportForm({ userId }: { userId: string }) {
  const contacts = useImport(userId);
  const { error, isSending, missing, send } = contacts;
  return (
    <Stack
      as="form"
      gap={24}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length === 0 && !isSending) send();
      }}
    >
      <LeftOutRows userId={userId} isOnUploadPage />
      <TargetPanel userId={userId} contacts={contacts} />
      <SourcePanel contacts={contacts} />
      <Stack gap={16}>
        {isSending ? <Sending contacts={contacts} /> : <ContactsRefusal screen="contactsUpload" error={error} />}
        <div data-least="sender">
          <SubmitButton
            size="md"
            missing={missing}
            isSending={isSending}
            leftSection={<IconUserPlus size={18} stroke={1.8} aria-hidden />}
          >
            Add to{" "}
            {contacts.form.target === "new" ? "a new catalog" : (contacts.form.catalog?.catalogName ?? "the catalog")}
          </SubmitButton>
        </div>
      </Stack>
    </Stack>
  );
}

function TargetPanel({ userId, contacts: { form, set } }: { userId: string; contacts: Import }) {
  return (
    <Panel title="Catalog">
      <SegmentedControl
        className={classes.choices ?? ""}
        aria-label="Where the contacts go"
        withItemsBorders={false}
        data={[
          { value: "new", label: "New catalog" },
          { value: "existing", label: "Existing catalog" },
        ]}
        value={form.target}
        onChange={(target) => set({ target })}
      />
      {form.target === "new" ? (
        <Tiles min={260} gap={16} align="start" above={20}>
          <CatalogNameField
            field={{
              name: "catalogName",
              value: form.catalogName,
              error: undefined,
              onChange: ({ currentTarget }) => set({ catalogName: currentTarget.value }),
            }}
          />
          <CountrySelect
            code={form.newCode}
            onCode={(newCode) => set({ newCode })}
            description="All contacts in a catalog are in one country"
          />
        </Tiles>
      ) : (
        <Tiles min={260} gap={16} align="start" above={20}>
          <CatalogSelect userId={userId} value={form.catalog} onChange={(catalog) => set({ catalog })} />
        </Tiles>
      )}
    </Panel>
  );
}

function SourcePanel({ contacts }: { contacts: Import }) {
  const { form, set, code, typed } = contacts;
  return (
    <Panel title="Contacts">
      <SegmentedControl
        className={classes.choices ?? ""}
        aria-label="Where the contacts come from"
        withItemsBorders={false}
        data={[
          { value: "file", label: "Upload a file" },
          { value: "numbers", label: "Insert numbers" },
        ]}
        value={form.source}
        onChange={(source) => set({ source })}
      />
      {form.source === "file" ? (
        <FileSource contacts={contacts} />
      ) : (
        <Stack gap={12} above={20}>
          <NumbersField
            label="Phone numbers"
            description="Digits and commas. Paste them in any shape; a long list is read as a file."
            code={code}
            value={form.phoneNo}
            onValue={(phoneNo) => set({ phoneNo })}
            onList={(text) => set({ source: "file", chosen: fileFromPaste(text), wish: undefined, phoneNo: "" })}
          />
          <NumbersSummary read={typed} onlyGood={form.onlyGood} onOnlyGood={(onlyGood) => set({ onlyGood })} />
        </Stack>
      )}
    </Panel>
  );
}

/** How much of the file has left; behind that the server reads it. */
function Sending({ contacts: { form, share, stop } }: { contacts: Import }) {
  const percent = Math.floor(share * 100);
  const isOut = form.source === "numbers" || share >= 1;
  return (
    <Stack gap={8} align="start" className={classes.sending}>
      <Inline gap={16} justify="between" className="muted small">
        <p role="status">{isOut ? "Adding the numbers" : "Uploading the file"}</p>
        {form.source === "file" && <span className="numeric">{percent} %</span>}
      </Inline>
      {form.source === "file" && <Progress value={percent} animated={isOut} aria-label="Upload" />}
      {!isOut && (
        <Button size="xs" variant="default" onClick={stop}>
          Stop
        </Button>
      )}
    </Stack>
  );
}
