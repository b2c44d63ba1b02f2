import { ActionIcon } from "@mantine/core";
import type { CatalogAnswer } from "@ewebal/contract";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { contactCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { formatCounted } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { catalogPath } from "../catalog-queries.ts";
import { countryInWords } from "../../../shared/numbers/catalog-choices.ts";
import classes from "./phonebook.module.css";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts, explainRefusal } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

type CatalogCardProps = {
  catalog: CatalogAnswer;
  onEdit: () => void;
};

/** One catalog of the phonebook; all of the card leads to it, except its two buttons. */
export function CatalogCard({ catalog, onEdit }: CatalogCardProps) {
  const { _id: catalogId, catalogName, code, count, createdAt } = catalog;
  const deleteCatalog = useDeleteCatalog(catalog.userID);
  const onDelete = async (): Promise<void> => {
    // The button disappears with its card, so the focus moves to the page.
    if (await deleteCatalog(catalog)) document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  return (
    <li className={`${classes.card} surface`}>
      <Inline gap={8} align="start" justify="between">
        <Link to={catalogPath(catalogId)} className={classes.name}>
          {catalogName}
        </Link>
        <div className={classes.buttons}>
          <ActionIcon
            data-least="sender"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Edit the name of ${catalogName}`}
            title="Edit name"
            onClick={onEdit}
          >
            <IconPencil size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon
            data-least="sender"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Delete ${catalogName}`}
            title="Delete"
            onClick={() => void onDelete()}
          >
            <IconTrash size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </div>
      </Inline>
      <p className={`${classes.count} numeric`}>{formatCounted(count, "contact")}</p>
      <Inline as="p" gap={0} across={16} wraps justify="between" above={8} className={`${classes.detail} muted tiny`}>
        <span>{countryInWords(code)}</span>
        <span>
          Created <RelativeTime iso={createdAt} />
        </span>
      </Inline>
    </li>
  );
}

/** Asks, deletes, and says how it went. @returns whether the catalog was deleted. */
function useDeleteCatalog(userId: string): (catalog: CatalogAnswer) => Promise<boolean> {
  const queryClient = useQueryClient();
  return async ({ _id: catalogId, catalogName, count }) => {
    const loss =
      count === 0 ? "It has no contacts." : `This deletes its ${formatCounted(count, "contact")}. You can't undo this.`;
    if (!(await confirm({ title: `Delete ${catalogName}?`, text: `${loss} Sent messages stay in your history.` })))
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
