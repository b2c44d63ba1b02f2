import { Checkbox, TextInput } from "@mantine/core";
import {
  countCharacters,
  countLinks,
  countPages,
  isEachShort,
  optOutEnding,
  shortenLinks,
  shortLink,
  writeOutLinks,
} from "@ewebal/contract/rules";
import { useBrand } from "../../../lib/brand.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import type { Choices } from "../compose/composition.ts";
import { isPersonal, textAsSent } from "../personal/personal-send.ts";
import { KeptOffline } from "../drafts/kept-offline.tsx";
import { ScheduleField } from "../scheduled/schedule-field.tsx";
import { DEFAULT_TIME_ZONE, findMoment, formatInZone, scheduleAt } from "../scheduled/schedule.ts";
import classes from "./send-options.module.css";
import { LeavesAt } from "./send-notes.tsx";

type SendOptionsProps = {
  composer: Composer;
  /** The message waits for its time in any case. */
  isLater?: boolean;
  /** It can be saved as a draft, and so is kept while the network is away. */
  isDraft?: boolean;
  /** Of a message to a whole catalog, which is sent at once. */
  catalogId?: string;
};

/** When and how the message goes out: what every form that sends offers beside the text and its recipients. */
export function SendOptions({ composer, isLater = false, isDraft = false, catalogId }: SendOptionsProps) {
  const { data: user } = useCurrentUser();
  return (
    <Stack gap={16}>
      {catalogId === undefined && <ScheduleField composer={composer} isOptional={!isLater} />}
      {user?.maySendTransactional === true && <ClassField composer={composer} />}
      <Stack gap={12}>
        <OptOutLink composer={composer} />
        <ShortLinks composer={composer} />
        <ValidUntil composer={composer} />
      </Stack>
      {/* Last, because it comes by itself and must not move what is about to be pressed. */}
      <LeavesAt composer={composer} />
      {isDraft && <KeptOffline composer={composer} />}
    </Stack>
  );
}

function ClassField({ composer }: { composer: Composer }) {
  const { class: messageClass = "promotional", dnd } = useComposition(composer, ({ choices }) => choices);
  return (
    <Stack gap={12}>
      <NativeSelect
        label="Kind of message"
        name="class"
        value={messageClass}
        onValue={(value) =>
          composer.choose(value === "transactional" ? { class: "transactional" } : { class: undefined, dnd: undefined })
        }
      >
        <option value="promotional">Promotional: offers and news</option>
        <option value="transactional">Transactional: codes, receipts, reminders</option>
      </NativeSelect>
      {messageClass === "transactional" && (
        <Checkbox
          label="Leave out do-not-disturb numbers"
          description="Transactional messages reach them where a network allows it, and wait for no quiet hours."
          checked={dnd === "skip"}
          onChange={({ currentTarget }) => composer.choose({ dnd: currentTarget.checked ? "skip" : undefined })}
        />
      )}
    </Stack>
  );
}

function OptOutLink({ composer }: { composer: Composer }) {
  const publicUrl = useComposition(composer, (composition) => composition.publicUrl);
  const isOn = useComposition(composer, ({ choices }) => choices.optOutLink) === true;
  const ending = optOutEnding(publicUrl);
  const costs = useCosts(composer, { optOutLink: true }, undefined, isOn);
  return (
    <Checkbox
      label="Add an opt-out link"
      description={`Ends each text in "${ending.trim().replace(/0+$/, "…")}", ${formatCounted(countCharacters(ending), "character")}. ${costs}`}
      checked={isOn}
      onChange={({ currentTarget }) => composer.choose({ optOutLink: currentTarget.checked ? true : undefined })}
    />
  );
}

/** The text itself says which links are short: what is shown is what is sent, and a draft or template keeps it. */
function ShortLinks({ composer }: { composer: Composer }) {
  const message = useComposition(composer, (composition) => composition.message);
  const publicUrl = useComposition(composer, (composition) => composition.publicUrl);
  const count = countLinks(message);
  const isOn = isEachShort(message);
  const other = isOn ? writeOutLinks(message) : shortenLinks(message);
  const costs = useCosts(composer, {}, other, isOn);
  if (count === 0) return null;
  return (
    <Checkbox
      label={count === 1 ? "Shorten the link" : `Shorten ${formatCounted(count, "link")}`}
      description={`Each is ${formatCounted(countCharacters(shortLink(publicUrl)), "character")} then, and you see who followed it. ${costs}`}
      checked={isOn}
      onChange={() => composer.set({ message: other })}
    />
  );
}

/** What the text costs, or would cost with another choice or text; said of the state that it is not in. */
function useCosts(composer: Composer, choices: Choices, message: string | undefined, isOn: boolean): string {
  const composition = useComposition(composer, (whole) => whole);
  const pageRule = useBrand()?.pageRule ?? "flat160";
  // Recipients' own texts differ; their pages stand in the price.
  if (composition.message === "" || isPersonal(composition)) return "";
  const pagesOf = (text: string): number => countPages(text, pageRule);
  const inWords = (count: number): string => formatCounted(count, pageRule === "gsm" ? "SMS part" : "page");
  const now = pagesOf(textAsSent(composition));
  if (isOn) return `The text is ${inWords(now)}.`;
  const changed = { ...composition.choices, ...choices };
  const next = pagesOf(textAsSent({ ...composition, message: message ?? composition.message, choices: changed }));
  return now === next ? `The text stays ${inWords(now)}.` : `${now} to ${inWords(next)} each.`;
}

/** How long a message is worth getting: it begins with two hours. */
const VALID_MS = 2 * 3_600_000;

function ValidUntil({ composer }: { composer: Composer }) {
  const schedule = useComposition(composer, (composition) => composition.schedule);
  const validUntil = useComposition(composer, ({ choices }) => choices.validUntil);
  const timeZone = schedule?.timeZone ?? DEFAULT_TIME_ZONE;
  const startMs = (schedule && findMoment(schedule)) ?? Date.now();
  // Each time is a message of its own, which would need an end of its own.
  if (schedule?.repeat !== undefined) return null;
  const endMs = validUntil && findMoment(validUntil);
  return (
    <Stack gap={12}>
      <Checkbox
        label="Stop trying after a time"
        description="Who has not been reached by then gets nothing and is not charged."
        checked={validUntil !== undefined}
        onChange={({ currentTarget }) =>
          composer.choose({
            validUntil: currentTarget.checked ? scheduleAt(startMs + VALID_MS, timeZone) : undefined,
          })
        }
      />
      {validUntil !== undefined && (
        <div className={classes.until}>
          <TextInput
            type="date"
            label="Valid until, date"
            value={validUntil.date}
            min={scheduleAt(startMs, validUntil.timeZone).date}
            onChange={({ currentTarget }) =>
              composer.choose({ validUntil: { ...validUntil, date: currentTarget.value } })
            }
          />
          <TextInput
            type="time"
            label="Valid until, time"
            value={validUntil.time}
            onChange={({ currentTarget }) =>
              composer.choose({ validUntil: { ...validUntil, time: currentTarget.value } })
            }
          />
          <p className="muted small" role="status">
            {endMs !== undefined && endMs <= startMs
              ? "This is before the message is sent"
              : endMs !== undefined && formatInZone(new Date(endMs).toISOString(), validUntil.timeZone)}
          </p>
        </div>
      )}
    </Stack>
  );
}
