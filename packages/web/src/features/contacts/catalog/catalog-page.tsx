import { Button } from "@mantine/core";
import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { IconDownload, IconPencil, IconSend, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { ApiError, fillAddress } from "../../../lib/api/api.ts";
import { formatCounted, formatDateTime } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { INTRO_TO_COME, Page } from "../../../ui/layout/page.tsx";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { EditCatalogDialog } from "../phonebook/catalog-dialogs.tsx";
import { catalogQuery } from "../catalog-queries.ts";
import { countryInWords } from "../../../shared/numbers/catalog-choices.ts";
import { ContactsPanel } from "./contacts-panel.tsx";
/** Props of the pop-up that sends to a catalog. The messages feature owns it; the app passes it in. */
export type SendDialogProps = {
  catalogId: string;
  catalogName: string;
  /** The country's dialling code. */
  code: string;
  /** How many contacts there are. */
  count: number;
  columns: CatalogAnswer["columns"];
  opened: boolean;
  onClose: () => void;
};

type CatalogPageProps = {
  renderSendDialog: (dialog: SendDialogProps) => ReactNode;
};

/** One catalog: what it is, what can be done with it, and its contacts. */
export function CatalogPage({ renderSendDialog }: CatalogPageProps) {
  const { userId } = useSession();
  const { catalogId = "" } = useParams({ strict: false });
  return userId === null ? null : <Catalog userId={userId} catalogId={catalogId} renderSendDialog={renderSendDialog} />;
}

function Catalog({ userId, catalogId, renderSendDialog }: CatalogPageProps & { userId: string; catalogId: string }) {
  const query = useQuery(catalogQuery(userId, catalogId));
  // Deleted in another window: what is still known of it would only mislead.
  const isGone = query.error instanceof ApiError && query.error.code === "NOT_FOUND";
  const catalog = isGone ? undefined : query.data;
  return (
    <Page
      title={catalog?.catalogName ?? "Catalog"}
      intro={catalog === undefined ? INTRO_TO_COME : <Facts catalog={catalog} />}
      back={{ to: paths.allContacts, label: "Phonebook" }}
    >
      <ListStates
        query={isGone ? { ...query, error: null } : query}
        rowCount={catalog === undefined ? 0 : 1}
        empty={{
          title: "Catalog not found",
          text: "It may have been deleted. You can find your catalogs in the Phonebook.",
        }}
      >
        {catalog !== undefined && <OpenCatalog userId={userId} catalog={catalog} renderSendDialog={renderSendDialog} />}
      </ListStates>
    </Page>
  );
}

function Facts({ catalog: { count, code, createdAt } }: { catalog: CatalogAnswer }) {
  return (
    <Inline as="span" gap={2} across={16} wraps>
      <strong className="numeric">{formatCounted(count, "contact")}</strong>
      <span>{countryInWords(code)}</span>
      <span>
        Created <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
      </span>
    </Inline>
  );
}

function OpenCatalog({
  userId,
  catalog,
  renderSendDialog,
}: CatalogPageProps & { userId: string; catalog: CatalogAnswer }) {
  const [open, setOpen] = useState<"edit" | "add" | "send">();
  const { _id: catalogId, catalogName, code, count, columns } = catalog;
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Inline gap={8} wraps align="start">
        <div data-least="sender">
          <SubmitButton
            missing={count === 0 ? ["contacts"] : []}
            leftSection={<IconSend size={18} stroke={1.8} aria-hidden />}
            onClick={() => setOpen("send")}
          >
            Send SMS
          </SubmitButton>
        </div>
        <Button
          data-least="sender"
          variant="default"
          leftSection={<IconUserPlus size={18} stroke={1.8} aria-hidden />}
          onClick={() => setOpen("add")}
        >
          Add contacts
        </Button>
        <Button
          data-least="sender"
          variant="default"
          leftSection={<IconPencil size={18} stroke={1.8} aria-hidden />}
          onClick={() => setOpen("edit")}
        >
          Edit name
        </Button>
        {count > 0 && (
          <Button
            component="a"
            href={fillAddress(contactCalls.exportContacts.url, { userId, catalogId })}
            download
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.8} aria-hidden />}
          >
            Export CSV
          </Button>
        )}
      </Inline>
      <ContactsPanel userId={userId} catalog={catalog} onAdd={() => setOpen("add")} />
      <EditCatalogDialog userId={userId} catalog={open === "edit" ? catalog : undefined} onClose={close} />
      <Dialog opened={open === "add"} onClose={close} title={`Add contacts to ${catalogName}`}>
        <PopupContent name="add-contacts" load={async () => (await import("./add-contacts-form.tsx")).AddContactsForm}>
          {(AddContactsForm) => <AddContactsForm userId={userId} catalog={catalog} onDone={close} />}
        </PopupContent>
      </Dialog>
      {renderSendDialog({ catalogId, catalogName, code, count, columns, opened: open === "send", onClose: close })}
    </>
  );
}
