import type { CatalogAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { formatCounted } from "../../../lib/texts/format.ts";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { explainRefusal } from "../explain-refusal.ts";

/** Asks, deletes, and says how it went. @returns whether the catalog is gone. */
export function useDeleteCatalog(userId: string): (catalog: CatalogAnswer) => Promise<boolean> {
  const queryClient = useQueryClient();
  return async ({ _id: catalogId, catalogName, count }) => {
    const loss =
      count === 0
        ? "It has no contacts."
        : `Its ${formatCounted(count, "contact")} will be gone. This cannot be taken back.`;
    if (!(await confirm({ title: `Delete ${catalogName}?`, text: `${loss} What was sent stays in your history.` })))
      return false;
    try {
      await call(contactCalls.deleteCatalog, { params: { userId, catalogId } });
    } catch (error) {
      showNotice(explainRefusal("catalogDelete", error));
      return false;
    } finally {
      await queryClient.invalidateQueries({ queryKey: ["catalogs"] });
    }
    showNotice({ title: fixedTexts.deleted });
    return true;
  };
}
