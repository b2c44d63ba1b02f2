import { Button } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useId, useState, type ReactNode } from "react";
import type { AddressFilters } from "../../lib/browser/use-address-filters.ts";
import { Inline } from "../layout/boxes.tsx";
import classes from "./list-tools.module.css";

type ListToolsProps = {
  /** Always in sight. */
  search?: ReactNode;
  /** What the filters are kept in: says how many are on, and clears them. */
  filters?: Pick<AddressFilters<string>, "isAnyOn" | "onCount" | "clear">;
  /** Buttons that work on the whole list: a file, paper. */
  actions?: ReactNode;
  /** The fields that filter and order the list. */
  children?: ReactNode;
};

/** The tools above a list: its search, its filters, and what is done with all of it. On a phone the filters are folded. */
export function ListTools({ search, filters, actions, children }: ListToolsProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const id = useId();
  const onCount = filters?.onCount ?? 0;
  return (
    <div className={`${classes.tools} no-print`}>
      {search !== undefined && <div className={classes.search}>{search}</div>}
      {children !== undefined && (
        <>
          <Button
            className={classes.fold ?? ""}
            size="sm"
            variant="default"
            aria-expanded={isUnfolded}
            aria-controls={id}
            leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.8} aria-hidden />}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {onCount === 0 ? "Filters" : `Filters (${onCount})`}
          </Button>
          <div id={id} className={classes.filters} data-folded={!isUnfolded}>
            {children}
            {filters?.isAnyOn === true && (
              <Button size="sm" variant="subtle" onClick={filters.clear}>
                Clear filters
              </Button>
            )}
          </div>
        </>
      )}
      {actions !== undefined && (
        <Inline gap={8} wraps align="center" justify="end" className={classes.actions}>
          {actions}
        </Inline>
      )}
    </div>
  );
}
