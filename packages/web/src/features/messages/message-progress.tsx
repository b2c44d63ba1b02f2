import type { MessageCounts } from "@ewebal/contract";
import { formatCount } from "../../lib/texts/format.ts";
import { Inline, Stack } from "../../ui/layout/boxes.tsx";
import { listCounts, stateWords } from "./message-counts.ts";
import classes from "./message-progress.module.css";

/** The recipients by state, as one stacked bar. Show the counts in words beside it: colour alone is not enough. */
export function CountsBar({ counts, isLarge = false }: { counts: MessageCounts; isLarge?: boolean }) {
  return (
    <div className={classes.bar} data-large={isLarge || undefined} aria-hidden>
      {listCounts(counts).map(({ state, count }) => (
        <span key={state} data-state={state} style={{ flexGrow: count }} />
      ))}
    </div>
  );
}

/** What the colours of the bar mean, with the count of each. */
export function CountsLegend({ counts, size = "tiny" }: { counts: MessageCounts; size?: "tiny" | "small" }) {
  return (
    <Inline as="ul" gap={0} across={12} wraps className={`${classes.words} muted ${size} numeric`}>
      {listCounts(counts).map(({ state, count }) => (
        <li key={state} className="state-dot" data-state={state}>
          {formatCount(count)} {stateWords[state].word}
        </li>
      ))}
    </Inline>
  );
}

/** The bar with its words, small, for lists. */
export function MessageProgress({ counts }: { counts: MessageCounts }) {
  return (
    <Stack gap={6}>
      <CountsBar counts={counts} />
      <CountsLegend counts={counts} />
    </Stack>
  );
}
