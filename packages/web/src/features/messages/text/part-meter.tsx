import { Button } from "@mantine/core";
import type { ForcingCharacter, PageRule, Segmentation } from "@ewebal/contract";
import { segmentText, toPlainCharacters } from "@ewebal/contract/rules";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { measurePages } from "./message-pages.ts";
import classes from "./part-meter.module.css";

const METER_PAGES_MAX = 10;

type PartMeterProps = {
  text: string;
  /** The same with the links that its recipients get. */
  sentText: string;
  /** Of the longest text, where each recipient gets one of their own: what is typed is then no length at all. 0 while they are made. */
  mostPages: number | undefined;
  pageRule: PageRule;
  onText: (text: string) => void;
};

/** What the text costs and how carriers carry it: characters, pages as charged, the parts that phones join, and what makes them many. */
export function PartMeter({ text, sentText, mostPages, pageRule, onText }: PartMeterProps) {
  const { pageCount, characterCount, freeCount, lastPageShare } = measurePages(sentText, pageRule);
  const segmentation = segmentText(sentText);
  return (
    <Stack gap={8} above={8}>
      {mostPages === undefined && <PageBar pageCount={pageCount} lastPageShare={lastPageShare} />}
      <Inline as="p" gap={0} across={16} wraps justify="between" className="muted small">
        <span className="numeric">
          {mostPages === undefined ? (
            <>
              {formatCount(characterCount)} of {formatCounted(characterCount + freeCount, "character")},{" "}
              <strong>{formatCounted(pageCount, "page")}</strong>
            </>
          ) : (
            <>
              Each text has a length of its own
              {mostPages > 0 && (
                <>
                  , <strong>{formatCounted(mostPages, "page")} at most</strong>
                </>
              )}
            </>
          )}
        </span>
        {text !== "" && mostPages === undefined && <span>Sent as {carriageInWords(segmentation)}</span>}
      </Inline>
      {segmentation.forcingCharacters.length > 0 && (
        <ForcingWarning
          text={text}
          sentText={sentText}
          segmentation={segmentation}
          pageRule={pageRule}
          onText={onText}
        />
      )}
    </Stack>
  );
}

/** `2 SMS parts (special characters)`: how many SMS a phone joins to the message, and why they are short ones. */
export function carriageInWords({ encoding, partCount }: Pick<Segmentation, "encoding" | "partCount">): string {
  return `${formatCounted(partCount, "SMS part")}${encoding === "gsm7" ? "" : " (special characters)"}`;
}

function PageBar({ pageCount, lastPageShare }: { pageCount: number; lastPageShare: number }) {
  const shown = Math.min(Math.max(pageCount, 1), METER_PAGES_MAX);
  return (
    <Inline gap={4} aria-hidden>
      {Array.from({ length: shown }, (_, pageIndex) => (
        <span key={pageIndex} className={classes.page}>
          <span
            style={{
              width: pageIndex === shown - 1 && pageCount <= METER_PAGES_MAX ? `${lastPageShare * 100}%` : "100%",
            }}
          />
        </span>
      ))}
    </Inline>
  );
}

const NAMED_MAX = 8;

function ForcingWarning(props: Omit<PartMeterProps, "mostPages"> & { segmentation: Segmentation }) {
  const { text, sentText, segmentation, pageRule, onText } = props;
  const { forcingCharacters, partCount } = segmentation;
  const plain = toPlainCharacters(text);
  const plainPartCount = segmentText(toPlainCharacters(sentText)).partCount;
  const named = forcingCharacters.slice(0, NAMED_MAX);
  return (
    <Stack gap={8} align="start" className={`${classes.warning} small`} role="status">
      <p>
        {forcingCharacters.length === 1 ? "This character shortens" : "These characters shorten"} each SMS part from 160
        to 70 characters{pageRule === "gsm" ? ", and each part is charged" : ""}. Replace{" "}
        {forcingCharacters.length === 1 ? "it" : "them"}:
      </p>
      <Inline as="ul" gap={6} wraps className={classes.characters}>
        {named.map((character) => (
          <Forcing key={character.character} character={character} />
        ))}
        {forcingCharacters.length > NAMED_MAX && <li>and {forcingCharacters.length - NAMED_MAX} more</li>}
      </Inline>
      {plain !== text && (
        <Button size="xs" variant="default" onClick={() => onText(plain)}>
          Use plain characters
          {plainPartCount < partCount && ` (${partCount} to ${formatCounted(plainPartCount, "part")})`}
        </Button>
      )}
    </Stack>
  );
}

function Forcing({ character: { character, count, replacement } }: { character: ForcingCharacter }) {
  return (
    <li>
      <span className="strong">{nameCharacter(character)}</span>
      {count > 1 && <span className="numeric"> × {formatCount(count)}</span>}
      {replacement !== undefined && replacement.trim() !== "" && (
        <>
          <span aria-hidden> → </span>
          <span className="visually-hidden"> becomes </span>
          <span className="strong">{replacement}</span>
        </>
      )}
    </li>
  );
}

/** An invisible character is shown by its code point. */
function nameCharacter(character: string): string {
  if (!/^[\s\p{Cf}\p{Cc}\p{M}]+$/u.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  return code === 9 ? "Tab" : `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
