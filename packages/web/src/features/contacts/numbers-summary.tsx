import { wrongNumberWords, type RecipientsRead, type WrongContact } from "@ewebal/contract";
import { formatCount } from "../../lib/format.ts";
import classes from "./numbers-summary.module.css";
import { WrongRows } from "./wrong-rows.tsx";
import { contactsInWords } from "./words.ts";

interface NumbersSummaryProps {
  read: RecipientsRead;
  onlyGood: boolean;
  onOnlyGood: (onlyGood: boolean) => void;
}

/** The live count of what stands in the field, and which of it is wrong. */
export function NumbersSummary({ read, onlyGood, onOnlyGood }: NumbersSummaryProps) {
  const wrong: WrongContact[] = read.wrong.map(({ index, value, reason }) => ({ row: index + 1, value, reason, text: wrongNumberWords[reason] }));
  return (
    <div className={classes.summary}>
      <p role="status" className={`${classes.counts} numeric`}>
        <strong>{contactsInWords(read.valid.length)}</strong>
        {repeatedInWords(read.duplicateCount)}
      </p>
      <WrongRows wrong={wrong} wrongCount={read.wrongCount} goodCount={read.valid.length} onlyGood={onlyGood} onOnlyGood={onOnlyGood} />
    </div>
  );
}

export function repeatedInWords(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " · 1 repeated number counts once" : ` · ${formatCount(count)} repeated numbers count once`;
}
