import type { ContactColumnName } from "@ewebal/contract/rules";
import { useSession } from "../../../lib/session/session.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";

export type SendToCatalogDialogProps = {
  catalogId: string;
  catalogName: string;
  /** The dialling code that the catalog was made with. */
  code: string;
  /** How many contacts it has. */
  count: number;
  /** What is known of each contact beside its number. */
  columns: readonly ContactColumnName[];
  opened: boolean;
  onClose: () => void;
};

/** The pop-up that sends one message to everybody in a catalog. The page of the catalog belongs to another feature; the app puts it there. */
export function SendToCatalogDialog({
  catalogId,
  catalogName,
  code,
  count,
  columns,
  opened,
  onClose,
}: SendToCatalogDialogProps) {
  const { userId } = useSession();
  return (
    <Dialog opened={opened} onClose={onClose} title={`Send SMS to ${catalogName}`} size="lg">
      {userId !== null && (
        <PopupContent
          name="send-to-catalog"
          load={async () => (await import("./send-to-catalog-form.tsx")).SendToCatalogForm}
        >
          {(SendToCatalogForm) => (
            <SendToCatalogForm userId={userId} catalogId={catalogId} code={code} count={count} columns={columns} />
          )}
        </PopupContent>
      )}
    </Dialog>
  );
}
