import { Button } from "@mantine/core";
import { describeRepairs, limits } from "@ewebal/contract/rules";
import type { WrongNumberReason } from "@ewebal/contract";
import { formatCount, formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import type { RecipientsSummary } from "./recipient-lists.ts";
import classes from "./recipients-field.module.css";

/** What the numbers were understood as: how many, the first of them, which were repeated, and which are wrong and why. */
export function RecipientsSummaryView({ composer }: { composer: Composer }) {
  const reading = useComposition(composer, (composition) => composition.reading);
  const summary = useComposition(composer, (composition) => composition.summary);
  if (reading === "failed") {
    return (
      <Callout
        tone="error"
        title="The numbers could not be counted"
        isAnnounced
        action={
          <Button size="xs" variant="default" onClick={() => composer.readAgain()}>
            Try again
          </Button>
        }
      >
        Please check your network. What you pasted is still here.
      </Callout>
    );
  }
  if (summary === undefined) {
    return reading === "none" ? null : <p className="muted small">Counting the numbers</p>;
  }
  const { validCount, first, wrongCount, receivedCount, duplicateCount, repaired, networks } = summary;
  return (
    <Stack gap={8}>
      <p role="status" className="muted small numeric">
        <strong>{formatCounted(validCount, "recipient")}</strong>
        {formatRepeated(duplicateCount)}
        {describeRepairs(repaired).map((sentence) => ` · ${sentence}`)}
      </p>
      {first.length > 0 && (
        <Inline as="ul" gap={6} wraps className={classes.chips} aria-label="The first of them">
          {first.map((number) => (
            <li key={number} className="numeric">
              +{number}
            </li>
          ))}
          {validCount > first.length && (
            <li className={classes.more}>and {formatCount(validCount - first.length)} more</li>
          )}
        </Inline>
      )}
      {networks.length > 0 && (
        <p className="muted small numeric">
          Likely networks: {networks.map(({ network, count }) => `${network} ${formatCount(count)}`).join(", ")}
        </p>
      )}
      {receivedCount > limits.recipientsMax && (
        <Callout tone="error" title={`At most ${formatCount(limits.recipientsMax)} numbers can be sent to at once`}>
          Send the rest as a second message.
        </Callout>
      )}
      {wrongCount > 0 && <WrongNumbers composer={composer} summary={summary} />}
    </Stack>
  );
}

function WrongNumbers({
  composer,
  summary: { wrong, wrongCount, validCount },
}: {
  composer: Composer;
  summary: RecipientsSummary;
}) {
  const code = useComposition(composer, (composition) => composition.code);
  const isLeftOut = useComposition(composer, (composition) => composition.leftOutCount >= wrongCount);
  const what = formatCounted(wrongCount, "wrong number");
  return (
    <section className={classes.wrong} data-left-out={isLeftOut || undefined} aria-label="Wrong numbers">
      <Inline as="header" gap={8} wraps align="center" justify="between">
        <p className={`${classes.wrongTitle} numeric`}>{isLeftOut ? `${what} left out` : what}</p>
        {!isLeftOut && validCount > 0 && (
          <Button size="xs" variant="default" onClick={() => composer.leaveOutWrong()}>
            {wrongCount === 1 ? "Leave it out" : "Leave them out"}
          </Button>
        )}
      </Inline>
      {!isLeftOut && (
        <>
          <Stack as="ul" above={8} className={classes.wrongList} tabIndex={0} aria-label={`${what} with the reason`}>
            {wrong.map(({ index, value, reason }) => (
              <li key={index}>
                <span className={classes.wrongPlace}>{formatCount(index + 1)}.</span>
                <span className="anywhere strong">{value}</span>
                <span className={classes.wrongReason}>{explainWrongNumber(reason, code)}</span>
              </li>
            ))}
          </Stack>
          {wrongCount > wrong.length && <p className="muted tiny">and {formatCount(wrongCount - wrong.length)} more</p>}
        </>
      )}
    </section>
  );
}

const reasons: Record<Exclude<WrongNumberReason, "wrong-code">, string> = {
  "too-short": "Too short",
  "too-long": "Too long",
  "not-mobile": "Not a mobile number",
  "never-sent": "Premium, shared-cost or satellite number",
  "scientific-notation": "Shortened by a spreadsheet; its last digits are lost",
  "not-digits": "Not a phone number",
};

/** Why a number is not sent to, in plain words. */
function explainWrongNumber(reason: WrongNumberReason, code: string): string {
  return reason === "wrong-code" ? `Does not begin with ${code === "234" ? "234 or 0" : code}` : reasons[reason];
}
