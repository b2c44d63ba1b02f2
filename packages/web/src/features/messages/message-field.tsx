import { Textarea } from "@mantine/core";
import { countCharacters, formatUnits, limits, listCountryNames, rateMilliForCode, type PageRule } from "@ewebal/contract";
import { formatCount } from "../../lib/format.ts";
import type { Composer } from "./composer.ts";
import { SegmentMeter } from "./segment-meter.tsx";
import { useComposition } from "./use-composition.ts";

/** A paste of a whole book must not stop the page; what is over the limit is refused, not cut. */
const inputCharactersMax = 5_000;

/** The text, with the meter below it. */
export function MessageField({ composer, pageRule }: { composer: Composer; pageRule: PageRule }) {
  const message = useComposition(composer, (composition) => composition.message);
  const code = useComposition(composer, (composition) => composition.code);
  const characterCount = countCharacters(message);
  const isTooLong = characterCount > limits.messageCharactersMax;
  return (
    <div>
      <Textarea
        label="Message"
        value={message}
        onChange={({ currentTarget }) => composer.set({ message: currentTarget.value })}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={inputCharactersMax}
        error={isTooLong && `${formatCount(characterCount)} characters; at most ${formatCount(limits.messageCharactersMax)} can be sent`}
        description={characterCount >= limits.pageCharacters ? costHint(code) : undefined}
        inputWrapperOrder={["label", "input", "error", "description"]}
      />
      <SegmentMeter text={message} pageRule={pageRule} onText={(next) => composer.set({ message: next })} />
    </div>
  );
}

function costHint(code: string): string {
  const names = listCountryNames(code);
  const where = names.length === 1 ? names[0] : `the countries with code ${code}`;
  return `The cost per page depends on the country: ${formatUnits(rateMilliForCode(code))} units in ${where}.`;
}
