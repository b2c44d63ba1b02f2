import type { RecipientsRead, WrongContact } from "@ewebal/contract";
import { wrongNumberWords } from "@ewebal/contract/rules";
import { formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./numbers-summary.module.css";
import { WrongRows } from "./wrong-rows.tsx";

type NumbersSummaryProps = {
  read: RecipientsRead;
  onlyGood: boolean;
  onOnlyGood: (onlyGood: boolean) => void;
};

/** The live count of what stands in the field, and which of it is wrong. */
export function NumbersSummary({ read, onlyGood, onOnlyGood }: NumbersSummaryProps) {
  const wrong: WrongContact[] = read.wrong.map(({ index, value, reason }) => ({
    row: index + 1,
    value,
    reason,
    text: wrongNumberWords[reason],
  }));
  return (
    <Stack gap={12}>
      <p role="status" className={`${classes.counts} numeric`}>
        <strong>{formatCounted(read.valid.length, "contact")}</strong>
        {formatRepeated(read.duplicateCount)}
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
