import type { CatalogAnswer } from "@ewebal/contract";
import { useState } from "react";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";

type CreateCatalogDialogProps = {
  userId: string;
  opened: boolean;
  onClose: () => void;
};

/** The pop-up that makes an empty catalog. */
export function CreateCatalogDialog({ userId, opened, onClose }: CreateCatalogDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create New Catalog">
      <PopupContent name="create-catalog" load={async () => (await import("./catalog-forms.tsx")).CreateCatalogForm}>
        {(CreateCatalogForm) => <CreateCatalogForm userId={userId} onDone={onClose} />}
      </PopupContent>
    </Dialog>
  );
}

type EditCatalogDialogProps = {
  userId: string;
  /** The pop-up is open while there is one. */
  catalog: CatalogAnswer | undefined;
  onClose: () => void;
};

/** The pop-up that gives a catalog another name. */
export function EditCatalogDialog({ userId, catalog, onClose }: EditCatalogDialogProps) {
  // What the pop-up shows while it fades out.
  const [latest, setLatest] = useState(catalog);
  if (catalog !== undefined && catalog !== latest) setLatest(catalog);
  return (
    <Dialog opened={catalog !== undefined} onClose={onClose} title="Edit Catalog Name">
      <PopupContent name="edit-catalog" load={async () => (await import("./catalog-forms.tsx")).EditCatalogForm}>
        {(EditCatalogForm) =>
          latest !== undefined && <EditCatalogForm userId={userId} catalog={latest} onDone={onClose} />
        }
      </PopupContent>
    </Dialog>
  );
}
