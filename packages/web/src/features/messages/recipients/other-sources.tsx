import { Button } from "@mantine/core";
import { IconAddressBook, IconFileSpreadsheet } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { formatCounted } from "../../../lib/texts/format.ts";
import { explainUnreadable, readCsvInWorker, refuseFile } from "../../../shared/numbers/contact-file.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";

/** The ways to recipients that are not typed: catalogs of the phonebook, and a file. Each becomes a list of its own. */
export function OtherSources({ composer }: { composer: Composer }) {
  const [isChoosing, setChoosing] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const file = useFile(composer);
  return (
    <Stack gap={8}>
      <Inline gap={8} wraps>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconAddressBook size={16} stroke={1.8} aria-hidden />}
          onClick={() => setChoosing(true)}
        >
          From phonebook
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileSpreadsheet size={16} stroke={1.8} aria-hidden />}
          loading={file.isReading}
          onClick={() => inputRef.current?.click()}
        >
          From file
        </Button>
        <input
          ref={inputRef}
          type="file"
          hidden
          accept=".csv,text/csv"
          aria-label="CSV file with recipients"
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? [];
            // Emptied, so that the same file can be chosen again after it was corrected.
            currentTarget.value = "";
            if (chosen !== undefined) file.read(chosen);
          }}
        />
      </Inline>
      {file.note !== undefined && (
        <Callout tone={file.note.tone} title={file.note.title} isAnnounced>
          {file.note.text}
        </Callout>
      )}
      <Dialog opened={isChoosing} onClose={() => setChoosing(false)} title="Add recipients from the phonebook">
        <PopupContent
          name="phonebook-picker"
          load={async () => (await import("./phonebook-picker.tsx")).PhonebookPicker}
        >
          {(PhonebookPicker) => <PhonebookPicker composer={composer} onDone={() => setChoosing(false)} />}
        </PopupContent>
      </Dialog>
    </Stack>
  );
}

type Note = { tone: "error" | "warn"; title: string; text?: string };

type FileReading = {
  read: (file: File) => void;
  isReading: boolean;
  /** What is wrong with the file that was chosen last, or with some of it. */
  note: Note | undefined;
};

function useFile(composer: Composer): FileReading {
  const code = useComposition(composer, (composition) => composition.code);
  const rates = useRateTable();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (file: File): Promise<Note | undefined> => {
      const refusal = refuseFile(file);
      if (refusal !== undefined) return { tone: "error", title: refusal };
      const task = { file, code, rates, columns: undefined, wantsNumbers: true };
      const summary = await readCsvInWorker(task, new AbortController().signal);
      if (summary.kind !== "read") return { tone: "error", title: explainUnreadable(summary) };
      const { numbers = "", goodCount, wrongCount } = summary;
      if (goodCount === 0) return { tone: "error", title: `${file.name} holds no valid number of this country` };
      composer.addList(numbers, `from ${file.name}`);
      if (wrongCount === 0) return undefined;
      const title = `${formatCounted(wrongCount, "line")} of ${file.name} left out`;
      return {
        tone: "warn",
        title,
        text: "They hold no valid number of this country. Upload the file to the phonebook to see and correct them.",
      };
    },
  });
  const failed: Note = { tone: "error", title: "The file could not be read", text: "Choose it again." };
  return { read: mutate, isReading: isPending, note: error === null ? data : failed };
}
