import { Button, Checkbox, Loader } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useState } from "react";
import { formatCount, formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Inline, Stack, Tiles } from "../../../ui/layout/boxes.tsx";
import { explainUnreadable, fileSizeInWords, refuseFile } from "../../../shared/numbers/contact-file.ts";
import type { CsvSummary } from "../../../shared/numbers/read-csv.ts";
import classes from "./file-source.module.css";
import type { Import } from "./use-import.ts";
import { WrongRows } from "../numbers/wrong-rows.tsx";

/** A CSV file: chosen or dropped, looked at, and put right before it leaves the browser. */
export function FileSource({ contacts }: { contacts: Import }) {
  const { form, set, csv, forgetError } = contacts;
  const [refusal, setRefusal] = useState<string>();
  const choose = (file: File): void => {
    const reason = refuseFile(file);
    setRefusal(reason);
    forgetError();
    set({ chosen: reason === undefined ? { file, isPasted: false } : undefined, columns: undefined, onlyGood: false });
  };
  return (
    <Stack gap={16} above={20}>
      {form.chosen === undefined ? (
        <FileDrop
          label="Choose a CSV file"
          accept=".csv,text/csv"
          onFile={choose}
          hint="CSV, up to 20 MB. Numbers separated by commas or one on each line, no duplicates recommended; text is not allowed among them."
          error={refusal}
        />
      ) : (
        <>
          <ChosenCard
            contacts={contacts}
            onRemove={() => set({ chosen: undefined, columns: undefined, onlyGood: false })}
          />
          <FileContent contacts={contacts} />
        </>
      )}
      {form.chosen !== undefined && csv.error !== null && csv.summary === undefined && (
        <Callout
          tone="error"
          title="The file could not be read"
          isAnnounced
          action={
            <Button size="xs" variant="default" onClick={csv.readAgain}>
              Try again
            </Button>
          }
        >
          The file may have changed or moved since you chose it, or your network connection was lost.
        </Callout>
      )}
    </Stack>
  );
}

function ChosenCard({ contacts: { form, csv, isSending }, onRemove }: { contacts: Import; onRemove: () => void }) {
  if (form.chosen === undefined) return null;
  const { file, isPasted } = form.chosen;
  return (
    <Inline gap={8} across={16} wraps align="center" className={classes.file}>
      <IconFileSpreadsheet className="rigid muted" size={24} stroke={1.6} aria-hidden />
      <div className={classes.words}>
        <p className="strong anywhere">{isPasted ? "Pasted list" : file.name}</p>
        <p className="muted small numeric">{fileSizeInWords(file.size)}</p>
      </div>
      {csv.isReading && (
        <Inline as="p" gap={8} align="center" className="muted small" role="status">
          <Loader size="xs" aria-hidden /> Reading
        </Inline>
      )}
      <Button size="xs" variant="default" disabled={isSending} onClick={onRemove}>
        Choose another
      </Button>
    </Inline>
  );
}

function FileContent({ contacts }: { contacts: Import }) {
  const { form, set, csv, forgetError } = contacts;
  const { summary } = csv;
  if (summary === undefined) return null;
  if (summary.kind !== "read") {
    return (
      <Callout tone="error" title={explainUnreadable(summary)} isAnnounced>
        Correct the file and choose it again.
      </Callout>
    );
  }
  const { goodCount, duplicateCount, wrong, wrongCount, wrongFile } = summary;
  return (
    <Stack gap={16}>
      <p role="status" className={`${classes.counts} muted small numeric`}>
        <strong>{formatCounted(goodCount, "contact")}</strong>
        {formatRepeated(duplicateCount)}
      </p>
      <Columns
        summary={summary}
        onColumns={(columns) => {
          forgetError();
          set({ columns });
        }}
      />
      <WrongRows
        wrong={wrong}
        wrongCount={wrongCount}
        goodCount={goodCount}
        onlyGood={form.onlyGood}
        onOnlyGood={(onlyGood) => set({ onlyGood })}
        onDownload={wrongFile === undefined ? undefined : () => saveFile(wrongFile, "wrong-rows.csv")}
      />
    </Stack>
  );
}

type Read = Extract<CsvSummary, { kind: "read" }>;

/** The columns found, with an example of each, and which of them hold numbers. */
function Columns({
  summary: { columns, hasHeader },
  onColumns,
}: {
  summary: Read;
  onColumns: (columns: number[]) => void;
}) {
  if (columns.length === 0) return null;
  const read = columns.filter(({ isRead }) => isRead).map(({ column }) => column);
  return (
    <fieldset className={classes.columns}>
      <legend>Which columns hold phone numbers?</legend>
      {hasHeader && <p className="muted small">The first line is a heading.</p>}
      <Tiles
        min={220}
        keepsEmpty
        gap={12}
        across={16}
        above={8}
        className={`${classes.list} anywhere`}
        tabIndex={columns.length > COLUMNS_IN_SIGHT ? 0 : undefined}
        role="group"
        aria-label="Columns"
      >
        {columns.map(({ column, name, sample, isRead }) => (
          <Checkbox
            key={column}
            label={name === "" ? `Column ${formatCount(column)}` : name}
            description={sample === "" ? "Starts with empty cells" : `For example ${sample}`}
            checked={isRead}
            onChange={() =>
              onColumns(
                isRead
                  ? read.filter((other) => other !== column)
                  : [...read, column].toSorted((one, other) => one - other),
              )
            }
          />
        ))}
      </Tiles>
    </fieldset>
  );
}

/** More than these scroll. */
const COLUMNS_IN_SIGHT = 6;
