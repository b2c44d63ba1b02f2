import { Button } from "@mantine/core";
import { IconAddressBook, IconFileSpreadsheet } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { CONTACT_FILES } from "../../../shared/numbers/contact-files.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { PopupContent } from "../../../ui/dialogs/popup-content.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import type { Composer } from "../compose/composer.ts";
import type { FileReading } from "./use-file.ts";

/** The ways to recipients that are not typed: catalogs of the phonebook, and a file. Each becomes a list of its own. */
export function OtherSources({ composer, file }: { composer: Composer; file: FileReading }) {
  const [isChoosing, setChoosing] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const { chosen, note } = file;
  return (
    <Stack gap={8}>
      <Inline gap={8} wraps align="center">
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
        <span className="muted tiny">Excel, CSV or contact cards; or drop the file here</span>
        <input
          ref={inputRef}
          type="file"
          hidden
          accept={CONTACT_FILES}
          aria-label="File with recipients"
          onChange={({ currentTarget }) => {
            const [first] = currentTarget.files ?? [];
            // Emptied, so that the same file can be chosen again after it was corrected.
            currentTarget.value = "";
            if (first !== undefined) file.read(first);
          }}
        />
      </Inline>
      {note !== undefined && (
        <Callout tone={note.tone} title={note.title} isAnnounced>
          {note.text}
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
      <Dialog opened={chosen !== undefined} onClose={file.close} title="Add recipients with their fields" size="lg">
        {chosen !== undefined && (
          <PopupContent name="match-columns" load={async () => (await import("./match-columns.tsx")).MatchColumns}>
            {(MatchColumns) => <MatchColumns composer={composer} chosen={chosen} onDone={file.close} />}
          </PopupContent>
        )}
      </Dialog>
    </Stack>
  );
}
