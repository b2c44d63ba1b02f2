import classes from "./figure-list.module.css";

type Figure = {
  name: string;
  value: string;
  /** Set apart by lines, and larger. */
  isTotal?: boolean;
  tone?: "error" | undefined;
};

/** Names left, figures right: a bill, or the facts of a message. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes.list}>
      {figures.map(({ name, value, isTotal = false, tone }) => (
        <div key={name} className={classes.row} data-total={isTotal || undefined} data-tone={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
