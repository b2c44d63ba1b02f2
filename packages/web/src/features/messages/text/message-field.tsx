import { Textarea } from "@mantine/core";
import { useRef } from "react";
import type { PageRule, Rates } from "@ewebal/contract";
import { countCharacters, limits, MILLI_PER_UNIT, nameCode, rateMilliForCode } from "@ewebal/contract/rules";
import { formatCount, formatRate } from "../../../lib/texts/format.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { type Composer, useComposition } from "../compose/composer.ts";
import { PersonalParts } from "../personal/load-personal-parts.tsx";
import { mostPagesOf, textAsSent } from "../personal/personal-send.ts";
import classes from "./message-field.module.css";
import { PartMeter } from "./part-meter.tsx";

/** A paste of a whole book must not stop the page; what is over the limit is refused, not cut. */
const INPUT_CHARACTERS_MAX = 5_000;

/** The text, with the meter below it. */
export function MessageField({ composer, pageRule }: { composer: Composer; pageRule: PageRule }) {
  const message = useComposition(composer, (composition) => composition.message);
  const code = useComposition(composer, (composition) => composition.code);
  const messageClass = useComposition(composer, ({ choices }) => choices.class);
  const rates = useRateTable(messageClass);
  const sentText = useComposition(composer, textAsSent);
  const mostPages = useComposition(composer, mostPagesOf);
  const characterCount = Math.max(countCharacters(message), countCharacters(sentText));
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const isTooLong = characterCount > limits.messageCharactersMax;
  return (
    <div>
      <Textarea
        ref={fieldRef}
        label="Message"
        value={message}
        onChange={({ currentTarget }) => composer.set({ message: currentTarget.value })}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={INPUT_CHARACTERS_MAX}
        error={
          isTooLong &&
          `${formatCount(characterCount)} characters; at most ${formatCount(limits.messageCharactersMax)} can be sent`
        }
        description={characterCount >= limits.pageCharacters ? costHint(code, rates) : undefined}
        inputWrapperOrder={["label", "input", "error", "description"]}
      />
      <PartMeter
        text={message}
        sentText={sentText}
        mostPages={mostPages}
        pageRule={pageRule}
        onText={(next) => composer.set({ message: next })}
      />
      <PersonalParts waiting={<div className={classes.tools} />}>
        {({ MessageTools }) => <MessageTools composer={composer} fieldRef={fieldRef} />}
      </PersonalParts>
    </div>
  );
}

function costHint(code: string, rates: Rates): string | undefined {
  if (!rates.has(code)) return undefined;
  const names = nameCode(code);
  const where = names.length === 1 ? names[0] : `the countries with code ${code}`;
  return `The cost per page depends on the country: ${formatRate(rateMilliForCode(code, rates) / MILLI_PER_UNIT)} units in ${where}.`;
}
