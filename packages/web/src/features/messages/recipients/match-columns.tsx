import { describeRepairs } from "@ewebal/contract/rules";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { ColumnsStep, type ReadSummary } from "../../../shared/numbers/columns-step.tsx";
import { explainUnreadable, readCsvInWorker, type ChosenFile } from "../../../shared/numbers/contact-file.ts";
import type { FileWish } from "../../../shared/numbers/file-match.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { PopupSpinner } from "../../../ui/dialogs/popup-content.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { FailedState } from "../../../ui/lists/list-states.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";

type MatchColumnsProps = { composer: Composer; chosen: ChosenFile; onDone: () => void };

/** Says what a file's columns are, with its first rows, and adds its people to the recipients. */
export function MatchColumns({ composer, chosen: { file, isPasted }, onDone }: MatchColumnsProps) {
  const code = useComposition(composer, (composition) => composition.code);
  const rates = useRateTable();
  const [wish, setWish] = useState<FileWish>({});
  const query = useQuery({
    queryKey: ["recipients-file", file.name, file.size, file.lastModified, code, wish],
    queryFn: async ({ signal }) =>
      await readCsvInWorker({ file, code, rates, wish, takesFields: true, wantsNumbers: true }, signal),
    // The rows of a large file are not worth keeping once nobody looks at them.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    placeholderData: (before) => before,
  });
  const { data: summary } = query;
  if (summary === undefined)
    return query.error === null ? (
      <PopupSpinner />
    ) : (
      <FailedState error={query.error} onRetry={() => void query.refetch()} />
    );
  if (summary.kind !== "read") return <Callout tone="error" title={explainUnreadable(summary)} isAnnounced />;
  const add = (): void => {
    const { numbers = "", match } = summary;
    const origin = isPasted ? "pasted" : `from ${file.name}`;
    const columns = match.fields.map(({ key, label }) => ({ key, label }));
    if (columns.length === 0) composer.addList(numbers, origin);
    else composer.addTable({ text: numbers, columns, origin });
    onDone();
  };
  const missing = summary.goodCount === 0 ? ["a column with phone numbers"] : [];
  return (
    <Stack gap={16}>
      <ColumnsStep summary={summary} onWish={setWish} />
      <Counts summary={summary} />
      <SubmitButton missing={missing} isSending={query.isPlaceholderData} onClick={add}>
        Add {formatCounted(summary.goodCount, "recipient")}
      </SubmitButton>
    </Stack>
  );
}

function Counts({
  summary: { goodCount, duplicateCount, repaired, wrongCount, wrong, wrongFile },
}: {
  summary: ReadSummary;
}) {
  const [first] = wrong;
  return (
    <Stack gap={8}>
      <p role="status" className="muted small numeric">
        <strong>{formatCounted(goodCount, "recipient")}</strong>
        {formatRepeated(duplicateCount)}
        {describeRepairs(repaired).map((sentence) => ` · ${sentence}`)}
      </p>
      {wrongCount > 0 && (
        <Callout
          tone="warn"
          title={`${formatCounted(wrongCount, "row")} left out`}
          action={
            wrongFile !== undefined && (
              <Inline>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
                  onClick={() => saveFile(wrongFile, "wrong-rows.csv")}
                >
                  Download as CSV
                </Button>
              </Inline>
            )
          }
        >
          {first !== undefined && `For example line ${first.row}: ${first.value} ${first.text}`}
        </Callout>
      )}
    </Stack>
  );
}
