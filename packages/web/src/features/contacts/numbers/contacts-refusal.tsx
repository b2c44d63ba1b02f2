import { Button } from "@mantine/core";
import type { WrongContacts } from "@ewebal/contract";
import { formatCounted } from "../../../lib/texts/format.ts";
import { ApiError } from "../../../lib/api/api.ts";
import { type CatalogueScreen, explainRefusal } from "../../../lib/texts/catalogue-texts.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import classes from "./contacts-refusal.module.css";

const fieldNames: Readonly<Record<string, string>> = {
  catalogName: "Catalog name",
  code: "Country",
  phoneNo: "Phone numbers",
  csv: "The file",
  columns: "Columns",
};

/** A refusal near the button that caused it: the catalogue's words, the server's reason behind them, and what it names. */
export function ContactsRefusal({ screen, error }: { screen: CatalogueScreen; error: unknown }) {
  if (error === undefined || error === null) return null;
  const { tone, title, text } = explainRefusal(screen, error);
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const { rows = [], wrong = 0, wrongRows } = findWrongRows(error) ?? {};
  return (
    <Callout
      tone={tone}
      title={title}
      isAnnounced
      action={
        wrongRows !== undefined && (
          <Button size="xs" variant="default" component="a" href={wrongRows} download>
            Download the {formatCounted(wrong, "wrong row")}
          </Button>
        )
      }
    >
      {text !== undefined && <p>{text}</p>}
      {fields.length + rows.length > 0 && (
        <ul className={classes.faults}>
          {fields.map(([name, fault]) => (
            <li key={name}>
              {fieldNames[name] ?? name} {fault}
            </li>
          ))}
          {rows.slice(0, ROWS_SHOWN_MAX).map(({ row, column, value, text: reason }) => (
            <li key={`${row} ${column ?? 0} ${value}`}>
              {column === undefined ? `Number ${row}` : `Line ${row}`}: {value} {reason}
            </li>
          ))}
        </ul>
      )}
    </Callout>
  );
}

/** The page lists them all beside the file; here they show what the server means. */
const ROWS_SHOWN_MAX = 5;

/** @returns the rows that a refusal names; undefined when it is about something else. */
function findWrongRows(error: unknown): WrongContacts | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { rows, wrong, good, wrongRows } = error.body as Partial<WrongContacts>;
  return Array.isArray(rows) && typeof wrong === "number" && typeof good === "number"
    ? { rows, wrong, good, ...(typeof wrongRows === "string" && { wrongRows }) }
    : undefined;
}
