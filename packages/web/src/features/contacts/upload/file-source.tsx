import { Button, Loader } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useState } from "react";
import { describeRepairs } from "@ewebal/contract/rules";
import { formatCounted, formatRepeated } from "../../../lib/texts/format.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { CONTACT_FILES } from "../../../shared/numbers/contact-files.ts";
import { ColumnsStep } from "../../../shared/numbers/columns-step.tsx";
import { explainUnreadable, fileSizeInWords, refuseFile } from "../../../shared/numbers/contact-file.ts";
import classes from "./file-source.module.css";
import type { Import } from "./use-import.ts";
import { WrongRows } from "../numbers/wrong-rows.tsx";

/** A file: chosen or dropped, looked at, and put right before it leaves the browser. */
export function FileSource({ contacts }: { contacts: Import }) {
  const { form, set, csv, forgetError } = contacts;
  const [refusal, setRefusal] = useState<string>();
  const choose = (file: File): void => {
    const reason = refuseFile(file);
    setRefusal(reason);
    forgetError();
    set({ chosen: reason === undefined ? { file, isPasted: false } : undefined, wish: undefined, onlyGood: false });
  };
  return (
    <Stack gap={16} above={20}>
      {form.chosen === undefined ? (
        <FileDrop
          label="Choose a file"
          accept={CONTACT_FILES}
          onFile={choose}
          hint="Excel (.xlsx), CSV or contact cards (.vcf), up to 20 MB. A column for the numbers, others for names and whatever your texts name."
          error={refusal}
        />
      ) : (
        <>
          <ChosenCard
            contacts={contacts}
            onRemove={() => set({ chosen: undefined, wish: undefined, onlyGood: false })}
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
  const { goodCount, duplicateCount, repaired, wrong, wrongCount, wrongFile } = summary;
  return (
    <Stack gap={16}>
      <p role="status" className={`${classes.counts} muted small numeric`}>
        <strong>{formatCounted(goodCount, "contact")}</strong>
        {formatRepeated(duplicateCount)}
        {describeRepairs(repaired).map((sentence) => ` · ${sentence}`)}
      </p>
      <ColumnsStep
        summary={summary}
        onWish={(wish) => {
          forgetError();
          set({ wish });
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
