import type { ContactColumn } from "@ewebal/contract";
import { personalLimits } from "@ewebal/contract/rules";
import { Button } from "@mantine/core";
import { useId } from "react";
import { formatCount } from "../../lib/texts/format.ts";
import { NativeSelect } from "../../ui/forms/native-select.tsx";
import { Inline, Stack, Tiles } from "../../ui/layout/boxes.tsx";
import classes from "./columns-step.module.css";
import { guessFields, labelOf, nameFields, type FileMatch, type FileWish } from "./file-match.ts";
import type { CsvSummary } from "./read-csv.ts";

export type ReadSummary = Extract<CsvSummary, { kind: "read" }>;
type Role = "number" | "field" | "out";

type ColumnsStepProps = {
  summary: ReadSummary;
  /** @param wish without columns where they are to be guessed anew. */
  onWish: (wish: FileWish) => void;
};

/** Says what each column of a file is, beside its first rows: the phone number, a field, or nothing that is taken. */
export function ColumnsStep({ summary, onWish }: ColumnsStepProps) {
  const { columns, match, sheets } = summary;
  const headingId = useId();
  // What the file itself would make of them; a person may want the numbers alone.
  const offered = match.fields.length > 0 ? [] : guessFields(columns);
  const set = (column: ContactColumn, role: Role): void =>
    onWish({ ...match, ...assign(summary, column.column, role) });
  return (
    <Stack as="section" gap={12} aria-labelledby={headingId}>
      <Inline gap={12} wraps>
        {sheets.length > 0 && (
          <NativeSelect
            label="Sheet"
            name="sheet"
            size="sm"
            value={match.sheet ?? ""}
            onValue={(sheet) => onWish({ sheet })}
          >
            {sheets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </NativeSelect>
        )}
        <HeaderSelect summary={summary} onWish={onWish} />
      </Inline>
      {columns.length > 0 && (
        <>
          <p id={headingId} className="strong small">
            What do the columns hold?
          </p>
          <Tiles
            as="ul"
            min={200}
            keepsEmpty
            gap={12}
            className={classes.columns}
            tabIndex={columns.length > COLUMNS_IN_SIGHT ? 0 : undefined}
            aria-label="Columns with their first rows"
          >
            {columns.map((column) => (
              <li key={column.column} className={classes.column} data-role={roleOf(match, column.column)}>
                <Stack gap={8}>
                  <p className="strong small">{labelOf(column)}</p>
                  <NativeSelect
                    label={`${labelOf(column)} holds`}
                    isLabelHidden
                    name={`column-${column.column}`}
                    size="sm"
                    value={roleOf(match, column.column)}
                    onValue={(role) => set(column, role as Role)}
                  >
                    <option value="number">Phone number</option>
                    <option value="field">Field</option>
                    <option value="out">Leave out</option>
                  </NativeSelect>
                  <FieldName match={match} column={column.column} />
                  <ul className={`${classes.values} small`}>
                    {summary.rows.map(({ row, cells }) => (
                      <li key={row} className="cut">
                        {cells.get(column.column) ?? "\u2013"}
                      </li>
                    ))}
                  </ul>
                </Stack>
              </li>
            ))}
          </Tiles>
          {offered.length > 0 && (
            <Inline gap={8} wraps align="center">
              <Button size="xs" variant="default" onClick={() => onWish({ ...match, fields: offered })}>
                Take the other columns as fields
              </Button>
              <span className="muted small">
                A text may then say {`{{${offered[0]?.key}}}`}, and each person gets their own.
              </span>
            </Inline>
          )}
          {match.numbers.length > 1 && (
            <p className="muted small">With several columns of phone numbers, the numbers alone are taken.</p>
          )}
        </>
      )}
    </Stack>
  );
}

/** More than these scroll. */
const COLUMNS_IN_SIGHT = 6;
const HEADER_ROWS_MAX = 10;

/** Which row holds the headings; exports of banks have a title above. */
function HeaderSelect({ summary: { hasHeader, match }, onWish }: ColumnsStepProps) {
  if (!hasHeader && match.header === undefined) return null;
  const last = Math.max(HEADER_ROWS_MAX, match.header ?? 1);
  return (
    <NativeSelect
      label="Headings stand in"
      name="header"
      size="sm"
      value={String(match.header ?? 1)}
      onValue={(row) => onWish({ sheet: match.sheet, header: Number(row) })}
    >
      {Array.from({ length: last }, (_, index) => (
        <option key={index} value={String(index + 1)}>
          Row {formatCount(index + 1)}
        </option>
      ))}
    </NativeSelect>
  );
}

function FieldName({ match, column }: { match: FileMatch; column: number }) {
  const field = match.fields.find((one) => one.column === column);
  return field === undefined ? null : <code className="muted tiny">{`{{${field.key}}}`}</code>;
}

function roleOf({ numbers, fields }: FileMatch, column: number): Role {
  if (numbers.includes(column)) return "number";
  return fields.some((field) => field.column === column) ? "field" : "out";
}

/** Fields stand beside one number: with a second column of numbers there are none, and a field takes the numbers of others away. */
function assign({ columns, match }: ReadSummary, column: number, role: Role): Pick<FileMatch, "numbers" | "fields"> {
  const others = match.numbers.filter((one) => one !== column);
  const numbers = role === "number" ? [...others, column].toSorted((one, other) => one - other) : others;
  const isField = (one: ContactColumn): boolean =>
    one.column === column ? role === "field" : match.fields.some((field) => field.column === one.column);
  if (role !== "field" && numbers.length > 1) return { numbers, fields: [] };
  const kept = columns.filter(isField).slice(0, personalLimits.catalogColumnsMax);
  return { numbers: role === "field" ? numbers.slice(0, 1) : numbers, fields: nameFields(kept) };
}
