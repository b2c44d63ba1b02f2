import { Button, Textarea } from "@mantine/core";
import type { ClipboardEvent } from "react";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import {
  EDITED_CHARACTERS_MAX,
  TYPED_CHARACTERS_MAX,
  type Composer,
  type NumberList,
  useComposition,
} from "../compose/composer.ts";
import classes from "./recipients-field.module.css";
import { RecipientsSummaryView } from "./recipients-summary-view.tsx";

/** Numbers typed or pasted in any shape. A long paste becomes a card, so that the field stays quick. */
export function RecipientsField({ composer }: { composer: Composer }) {
  const typedNumbers = useComposition(composer, (composition) => composition.typedNumbers);
  const lists = useComposition(composer, (composition) => composition.lists);

  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text/plain");
    if (text.length <= TYPED_CHARACTERS_MAX) return;
    event.preventDefault();
    composer.addList(text);
  };
  return (
    <Stack gap={12}>
      <Textarea
        label="Recipients"
        description="Paste numbers in any shape: one per line, with commas or spaces, with +234, 234 or 0."
        placeholder={lists.length > 0 ? "Add more numbers" : "0803 000 0001, +234 805 000 0002"}
        value={typedNumbers}
        onChange={({ currentTarget }) => composer.setTypedNumbers(currentTarget.value)}
        onPaste={onPaste}
        rows={lists.length > 0 && typedNumbers === "" ? 2 : 5}
        autoComplete="off"
        spellCheck={false}
      />
      {lists.length > 0 && (
        <Stack as="ul" gap={8}>
          {lists.map((list) => (
            <ListCard key={list.listId} composer={composer} list={list} />
          ))}
        </Stack>
      )}
      <RecipientsSummaryView composer={composer} />
    </Stack>
  );
}

function ListCard({ composer, list: { listId, text, origin } }: { composer: Composer; list: NumberList }) {
  const count = useComposition(composer, ({ summary }) => summary?.listCounts.get(listId));
  const canEdit = text.length <= EDITED_CHARACTERS_MAX;
  return (
    <Inline as="li" gap={8} across={16} wraps align="start" className={classes.list}>
      <div className={classes.words}>
        <p className="strong numeric">
          {count === undefined ? "Counting the numbers" : `${formatCounted(count, "number")} ${origin}`}
        </p>
        <p className="cut muted tiny">{text.slice(0, 120)}</p>
        {!canEdit && (
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
