import { formatRelative } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import { DEFAULT_TIME_ZONE, findMoment, formatInZone, scheduleAt } from "../scheduled/schedule.ts";
import { repeatInWords } from "../scheduled/repeat-words.ts";
import { useTried } from "./use-tried.ts";

/** What there is to know before a message is sent: that it repeats, when it leaves, and what is said of its text. */
export function SendNotes({ composer }: { composer: Composer }) {
  const repeat = useComposition(composer, ({ schedule }) => schedule?.repeat);
  return (
    <>
      {repeat !== undefined && (
        <p className="small">
          <strong>{repeatInWords(repeat)}</strong>, charged each time
        </p>
      )}
      <LeavesAt composer={composer} />
      <TextWarnings composer={composer} />
    </>
  );
}

/** When quiet hours hold the message back. */
export function LeavesAt({ composer }: { composer: Composer }) {
  const deferredUntil = useTried(composer)?.answer?.unitDetails.deferredUntil;
  const timeZone = useComposition(composer, ({ schedule }) => schedule?.timeZone) ?? DEFAULT_TIME_ZONE;
  const validUntil = useComposition(composer, ({ choices }) => choices.validUntil);
  if (deferredUntil === undefined) return null;
  const openingMs = Date.parse(deferredUntil);
  const endMs = validUntil && findMoment(validUntil);
  const isOver = endMs !== undefined && endMs <= openingMs;
  const { time } = scheduleAt(openingMs, timeZone);
  return (
    <Callout
      tone={isOver ? "warn" : "info"}
      title={isOver ? `Nobody gets it: it ends before ${time}, when it may leave` : `Leaves at ${time}`}
      isAnnounced
    >
      {formatInZone(deferredUntil, timeZone)}, {formatRelative(deferredUntil)}. Promotional messages to this country
      wait for the morning.
    </Callout>
  );
}

/** What administrators say of this text, as of now. */
export function TextWarnings({ composer }: { composer: Composer }) {
  const tried = useTried(composer);
  if (tried === undefined) return null;
  const { refusal, answer } = tried;
  if (refusal !== undefined)
    return <Callout tone="error" title="This text cannot be sent" isAnnounced children={refusal} />;
  return (answer?.warnings ?? []).map(({ pattern, note }) => (
    <Callout key={pattern} tone="warn" title={note === "" ? `"${pattern}" is often blocked` : note} isAnnounced>
      {note !== "" && `Because of "${pattern}". You can send it all the same.`}
    </Callout>
  ));
}
