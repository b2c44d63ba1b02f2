import { Button } from "@mantine/core";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { EDITED_CHARACTERS_MAX, type Composer, type NumberList, useComposition } from "../compose/composer.ts";
import { NumbersField } from "../../../shared/numbers/numbers-field.tsx";
import { OtherSources } from "./other-sources.tsx";
import classes from "./recipients-field.module.css";
import { RecipientsSummaryView } from "./recipients-summary-view.tsx";

/** Numbers typed, pasted, from the phonebook or from a file. A long list becomes a card, so that the field stays quick. */
export function RecipientsField({ composer }: { composer: Composer }) {
  const typedNumbers = useComposition(composer, (composition) => composition.typedNumbers);
  const lists = useComposition(composer, (composition) => composition.lists);
  const code = useComposition(composer, (composition) => composition.code);
  return (
    <Stack gap={12}>
      <NumbersField
        label="Recipients"
        description="Paste numbers in any shape: one per line, with commas or spaces, with +234, 234 or 0."
        placeholder={lists.length > 0 ? "Add more numbers" : "0803 000 0001, +234 805 000 0002"}
        code={code}
        value={typedNumbers}
        onValue={(text) => composer.setTypedNumbers(text)}
        onList={(text) => {
          composer.setTypedNumbers("");
          composer.addList(text);
        }}
        isOnePerLine
        rows={lists.length > 0 && typedNumbers === "" ? 2 : 5}
      />
      <OtherSources composer={composer} />
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
