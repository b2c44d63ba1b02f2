import { Button } from "@mantine/core";
import { IconDeviceMobileMessage, IconTemplate } from "@tabler/icons-react";
import { useState, type RefObject } from "react";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "../compose/composer.ts";
import { TextWarnings } from "../options/send-notes.tsx";
import { FieldHints } from "./field-hints.tsx";
import { SaveAsCatalog } from "./save-as-catalog.tsx";
import { TemplatesDialog } from "./templates-dialog.tsx";
import { TestSendForm } from "./test-send-form.tsx";

type MessageToolsProps = {
  composer: Composer;
  /** The text's field: what is inserted stands where its caret is. */
  fieldRef: RefObject<HTMLTextAreaElement | null>;
};

/** Below the text: fields to insert, kept texts, a test to oneself, and what is to be put right about the fields. */
export function MessageTools({ composer, fieldRef }: MessageToolsProps) {
  const columns = useComposition(composer, ({ summary }) => summary?.columns);
  const [opened, setOpened] = useState<"templates" | "test">();
  const close = (): void => setOpened(undefined);
  return (
    <Stack gap={8} above={8}>
      <Inline gap={8} wraps align="center">
        {columns !== undefined && columns.length > 0 && (
          <NativeSelect
            label="Insert a field"
            isLabelHidden
            name="field"
            size="sm"
            value=""
            onValue={(key) => insert(composer, fieldRef.current, `{{${key}}}`)}
          >
            <option value="">Insert a field</option>
            {columns.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTemplate size={16} stroke={1.8} aria-hidden />}
          onClick={() => setOpened("templates")}
        >
          Templates
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDeviceMobileMessage size={16} stroke={1.8} aria-hidden />}
          onClick={() => setOpened("test")}
        >
          Send me a test
        </Button>
      </Inline>
      <FieldHints composer={composer} />
      <SaveAsCatalog composer={composer} />
      <TextWarnings composer={composer} />
      <TemplatesDialog composer={composer} opened={opened === "templates"} onClose={close} />
      <Dialog opened={opened === "test"} onClose={close} title="Send yourself a test">
        <TestSendForm composer={composer} onDone={close} />
      </Dialog>
    </Stack>
  );
}

/** In place of what is selected; the caret goes on behind it. */
function insert(composer: Composer, field: HTMLTextAreaElement | null, text: string): void {
  const { message } = composer.getState();
  const start = field?.selectionStart ?? message.length;
  const end = field?.selectionEnd ?? message.length;
  composer.set({ message: `${message.slice(0, start)}${text}${message.slice(end)}` });
  // React writes the field's new text first.
  requestAnimationFrame(() => {
    field?.focus();
    field?.setSelectionRange(start + text.length, start + text.length);
  });
}
