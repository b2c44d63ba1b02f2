import { Button } from "@mantine/core";
import { countPages } from "@ewebal/contract/rules";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import type { MergedRecipient } from "../recipients/merge-recipients.ts";
import type { RecipientsSummary } from "../recipients/recipient-lists.ts";
import { Bubble, Phone } from "../text/phone-preview.tsx";
import { endingOf } from "./personal-send.ts";

/** What each recipient gets: one after another, and the longest at one press. */
export function PersonalPreview({ composer, note }: { composer: Composer; note?: string | undefined }) {
  const senderName = useComposition(composer, (composition) => composition.senderName);
  const merged = useComposition(composer, (composition) => composition.merged);
  const summary = useComposition(composer, (composition) => composition.summary);
  const [wanted, setPlace] = useState(0);
  const count = summary?.validCount ?? 0;
  const place = Math.min(wanted, Math.max(0, count - 1));
  const recipient = useMergedRecipient(composer, place);
  return (
    <Stack as="section" gap={12} aria-label="Preview">
      <Phone title={senderName.trim() === "" ? "Sender name" : senderName}>
        {recipient !== undefined && <Text recipient={recipient} note={note} summary={summary} />}
      </Phone>
      <Inline gap={4} align="center" justify="center">
        <button
          type="button"
          className="icon-button"
          aria-label="Previous recipient"
          disabled={place === 0}
          onClick={() => setPlace(place - 1)}
        >
          <IconChevronLeft size={18} stroke={1.8} aria-hidden />
        </button>
        <p className="small numeric" role="status">
          {formatCount(place + 1)} of {formatCounted(count, "recipient")}
        </p>
        <button
          type="button"
          className="icon-button"
          aria-label="Next recipient"
          disabled={place + 1 >= count}
          onClick={() => setPlace(place + 1)}
        >
          <IconChevronRight size={18} stroke={1.8} aria-hidden />
        </button>
        <Button
          size="xs"
          variant="default"
          disabled={merged === undefined || merged.longestPlace === place}
          onClick={() => setPlace(merged?.longestPlace ?? place)}
        >
          Longest
        </Button>
      </Inline>
    </Stack>
  );
}

type TextProps = { recipient: MergedRecipient; note: string | undefined; summary: RecipientsSummary | undefined };

function Text({ recipient: { text, missingKeys, phoneNo }, note, summary }: TextProps) {
  const pageRule = useBrand()?.pageRule ?? "flat160";
  if (text === undefined) {
    const labels = missingKeys.map((key) => summary?.columns.find((column) => column.key === key)?.label ?? key);
    return (
      <p className="small centered muted">
        +{phoneNo} has no {labels.join(", ")}
      </p>
    );
  }
  const pages = formatCounted(countPages(text, pageRule), pageRule === "gsm" ? "SMS part" : "page");
  return <Bubble note={[`+${phoneNo}`, pages, note].filter(Boolean).join(", ")}>{text}</Bubble>;
}

/** What one recipient gets of the present text; what was there before stays until then. */
export function useMergedRecipient(composer: Composer, place: number): MergedRecipient | undefined {
  const message = useComposition(composer, (composition) => composition.message);
  const ending = useComposition(composer, endingOf);
  const publicUrl = useComposition(composer, (composition) => composition.publicUrl);
  const summary = useComposition(composer, (composition) => composition.summary);
  const { data } = useQuery({
    queryKey: ["merged-recipient", summary === undefined ? 0 : readingIdOf(summary), message, ending, publicUrl, place],
    queryFn:
      summary === undefined
        ? skipToken
        : async () => {
            const answer = await composer.ask({ kind: "recipient", message, ending, publicUrl, place });
            return answer.kind === "recipient" ? (answer.recipient ?? null) : null;
          },
    placeholderData: keepPreviousData,
    retry: false,
    // Texts are not worth keeping once nobody looks at them.
    gcTime: 0,
  });
  return data ?? undefined;
}

const readingIds = new WeakMap<RecipientsSummary, number>();
let lastReadingId = 0;

/** A number for each reading of the recipients, because two of them may look alike. */
function readingIdOf(summary: RecipientsSummary): number {
  const id = readingIds.get(summary) ?? ++lastReadingId;
  readingIds.set(summary, id);
  return id;
}
