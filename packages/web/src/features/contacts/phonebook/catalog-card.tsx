import { ActionIcon } from "@mantine/core";
import type { CatalogAnswer } from "@ewebal/contract";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { formatCounted } from "../../../lib/texts/format.ts";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { catalogPath } from "../catalog-queries.ts";
import classes from "./phonebook.module.css";
import { useDeleteCatalog } from "./use-delete-catalog.ts";
import { countryInWords } from "../words.ts";

type CatalogCardProps = {
  catalog: CatalogAnswer;
  onEdit: () => void;
};

/** One catalog of the phonebook; all of the card leads to it, except its two buttons. */
export function CatalogCard({ catalog, onEdit }: CatalogCardProps) {
  const { _id: catalogId, catalogName, code, count, createdAt } = catalog;
  const deleteCatalog = useDeleteCatalog(catalog.userID);
  const onDelete = async (): Promise<void> => {
    // The button is gone with its card; the focus must not go with it.
    if (await deleteCatalog(catalog)) document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  return (
    <li className={classes.card}>
      <Inline gap={8} align="start" justify="between">
        <Link to={catalogPath(catalogId)} className={classes.name}>
          {catalogName}
        </Link>
        <div className={classes.buttons}>
          <ActionIcon
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
