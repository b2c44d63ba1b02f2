import classes from "./figure-list.module.css";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";

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
    <Stack as="dl" gap={4}>
      {figures.map(({ name, value, isTotal = false, tone }) => (
        <Inline
          key={name}
          gap={16}
          align="baseline"
          justify="between"
          className={`${classes.row} small`}
          data-total={isTotal || undefined}
          data-tone={tone}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Inline>
      ))}
    </Stack>
  );
}
