import { Button, Checkbox } from "@mantine/core";
import type { WrongContact, RecipientsRead } from "@ewebal/contract";
import { IconDownload } from "@tabler/icons-react";
import { describeRepairs, wrongNumberWords } from "@ewebal/contract/rules";
import { formatCount, formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./wrong-rows.module.css";

type WrongRowsProps = {
  /** The first of them. */
  wrong: readonly WrongContact[];
  wrongCount: number;
  goodCount: number;
  onlyGood: boolean;
  onOnlyGood: (onlyGood: boolean) => void;
  /** Offers all of them as a file. */
  onDownload?: (() => void) | undefined;
};

/** Numbers that cannot be added, each with its place and the reason, and the choice to go on without them. */
export function WrongRows({ wrong, wrongCount, goodCount, onlyGood, onOnlyGood, onDownload }: WrongRowsProps) {
  if (wrongCount === 0) return null;
  const what = formatCounted(wrongCount, "wrong number");
  return (
    <Stack as="section" gap={8} className={`${classes.wrong} small`} aria-label="Wrong numbers">
      <Inline gap={8} wraps align="center" justify="between" className={classes.header}>
        <p className="tone-error strong numeric">{what}</p>
        {onDownload !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
            onClick={onDownload}
          >
            Download as CSV
          </Button>
        )}
      </Inline>
      <ul className={classes.list} tabIndex={0} aria-label={`${what} with the reason`}>
        {wrong.slice(0, SHOWN_MAX).map(({ row, column, value, text }, place) => (
          <li key={place}>
            <span className="muted numeric nowrap">
              {column === undefined ? `${formatCount(row)}.` : `Line ${formatCount(row)}`}
            </span>
            <span className="anywhere strong">{value}</span>
            <span className={classes.reason}>{text}</span>
          </li>
        ))}
      </ul>
      {wrongCount > SHOWN_MAX && <p className="muted">and {formatCount(wrongCount - SHOWN_MAX)} more</p>}
      {goodCount > 0 && (
        <Checkbox
          className={classes.choice ?? ""}
          label={`Add only the valid ones: ${formatCounted(goodCount, "contact")}`}
          description={`${formatCounted(wrongCount, "number")} will be left out. Otherwise nothing is added until you fix them.`}
          checked={onlyGood}
          onChange={({ currentTarget }) => onOnlyGood(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

const SHOWN_MAX = 100;

type NumbersSummaryProps = {
  read: RecipientsRead;
  onlyGood: boolean;
  onOnlyGood: (onlyGood: boolean) => void;
};

/** The live count of the numbers in the field, and which of them are wrong. */
export function NumbersSummary({ read, onlyGood, onOnlyGood }: NumbersSummaryProps) {
  const wrong: WrongContact[] = read.wrong.map(({ index, value, reason }) => ({
    row: index + 1,
    value,
    reason,
    text: wrongNumberWords[reason],
  }));
  return (
    <Stack gap={12}>
      <p role="status" className="muted small numeric">
        <strong>{formatCounted(read.valid.length, "contact")}</strong>
        {formatRepeated(read.duplicateCount)}
        {describeRepairs(read.repaired).map((sentence) => ` · ${sentence}`)}
      </p>
      <WrongRows
        wrong={wrong}
        wrongCount={read.wrongCount}
        goodCount={read.valid.length}
        onlyGood={onlyGood}
        onOnlyGood={onOnlyGood}
      />
    </Stack>
  );
}
