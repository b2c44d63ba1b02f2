import { Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./stat-card.module.css";

type StatCardProps = {
  label: string;
  /** Already formatted; undefined while it is on its way. */
  value: string | undefined;
  icon?: ReactNode;
  note?: string;
  /** Makes the whole card a link. */
  to?: string;
};

/** As many characters as the smallest card has room for in the large size. */
const LONG_CHARACTERS = 13;

/** One figure with its name. */
export function StatCard({ label, value, icon, note, to }: StatCardProps) {
  const content = (
    <>
      {icon !== undefined && (
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      )}
      <span className="muted small">{label}</span>
      <span className={`${classes.value} numeric`} data-long={(value?.length ?? 0) > LONG_CHARACTERS || undefined}>
        {value ?? <Skeleton height={28} width={96} />}
      </span>
      {note !== undefined && <span className="muted tiny">{note}</span>}
    </>
  );
  return to === undefined ? (
    <div className={`${classes.card} surface`}>{content}</div>
  ) : (
    <Link to={to} className={`${classes.card} surface`} data-link>
      {content}
    </Link>
  );
}
