import { Button } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { EDITED_CHARACTERS_MAX, type Composer, useComposition } from "../compose/composer.ts";
import type { NumberList } from "../compose/composition.ts";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { OtherSources } from "./other-sources.tsx";
import classes from "./recipients-field.module.css";
import { useFile } from "./use-file.ts";
import { PersonalParts } from "../personal/load-personal-parts.tsx";

/** Numbers typed, pasted, from the phonebook or from a file. A long list becomes a card, so that the field stays quick. */
export function RecipientsField({ composer }: { composer: Composer }) {
  const typedNumbers = useComposition(composer, (composition) => composition.typedNumbers);
  const lists = useComposition(composer, (composition) => composition.lists);
  const code = useComposition(composer, (composition) => composition.code);
  const file = useFile(composer);
  const [isOver, setOver] = useState(false);
  const onDrag = (event: DragEvent, isInside: boolean): void => {
    // Text that is dragged belongs to the field.
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(isInside);
  };
  return (
    <Stack
      gap={12}
      className={classes.field}
      data-over={isOver || undefined}
      onDragOver={(event) => onDrag(event, true)}
      onDragLeave={(event) =>
        onDrag(event, event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))
      }
      onDrop={(event) => {
        onDrag(event, false);
        const [dropped] = event.dataTransfer.files;
        if (dropped !== undefined) file.read(dropped);
      }}
    >
      <NumbersField
        label="Recipients"
        description="Paste numbers in any shape, or cells of a spreadsheet with names beside them."
        placeholder={lists.length > 0 ? "Add more numbers" : "0803 000 0001, +234 805 000 0002"}
        code={code}
        value={typedNumbers}
        onValue={(text) => composer.setTypedNumbers(text)}
        onList={(text) => {
          composer.setTypedNumbers("");
          composer.addList(text);
        }}
        onRange={file.readPaste}
        isOnePerLine
        rows={lists.length > 0 && typedNumbers === "" ? 2 : 5}
      />
      <OtherSources composer={composer} file={file} />
      {lists.length > 0 && (
        <Stack as="ul" gap={8}>
          {lists.map((list) => (
            <ListCard key={list.listId} composer={composer} list={list} />
          ))}
        </Stack>
      )}
      <PersonalParts>{({ RecipientsSummaryView }) => <RecipientsSummaryView composer={composer} />}</PersonalParts>
    </Stack>
  );
}

function ListCard({ composer, list: { listId, text, origin, columns } }: { composer: Composer; list: NumberList }) {
  const count = useComposition(composer, ({ summary }) => summary?.listCounts.get(listId));
  const canEdit = columns === undefined && text.length <= EDITED_CHARACTERS_MAX;
  return (
    <Inline as="li" gap={8} across={16} wraps align="start" className={classes.list}>
      <div className={classes.words}>
        <p className="strong numeric">
          {count === undefined ? "Counting the numbers" : `${formatCounted(count, "number")} ${origin}`}
        </p>
        <p className="cut muted tiny">
          {columns === undefined ? text.slice(0, 120) : `Fields: ${columns.map(({ label }) => label).join(", ")}`}
        </p>
        {!canEdit && columns === undefined && (
          <p className="muted tiny">Too long to edit here. To change it, remove it and paste the corrected list.</p>
        )}
      </div>
      <Inline gap={8}>
        {canEdit && (
          <Button size="xs" variant="default" onClick={() => composer.editList(listId)}>
            Edit
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => composer.removeList(listId)}>
          Remove
        </Button>
      </Inline>
    </Inline>
  );
}
