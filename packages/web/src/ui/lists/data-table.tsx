import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Inline, Stack } from "../layout/boxes.tsx";
import classes from "./data-table.module.css";

export type Column<Row> = {
  /** The column's name; on a narrow screen it precedes the value. */
  title: string;
  cell: (row: Row, rowIndex: number) => ReactNode;
  /** Aligns figures to the right. */
  isNumeric?: boolean;
  /** Words of many lines: on a card they stand below the column's name, from the left. */
  isText?: boolean;
  /** The first line of a card on a narrow screen, without its name. */
  isHeading?: boolean;
  /** Buttons and links: the column's name is for screen readers alone. */
  isActions?: boolean;
  /** CSS width of the column. */
  width?: string;
};

type DataTableProps<Row> = {
  /** What is listed, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
};

/** A table of the wide screen; under 768 px each row is a card. Render it inside `ListStates`. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMediaQuery("(min-width: 768px)", false, { getInitialValueInEffect: false });
  return isWide ? <WideTable {...props} /> : <Cards {...props} />;
}

function WideTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumeric, isActions, width }) => (
              <th key={title} scope="col" data-numeric={isNumeric} style={width === undefined ? undefined : { width }}>
                {isActions === true ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, isNumeric, isHeading, isActions }) => (
                <td key={title} data-numeric={isNumeric} data-heading={isHeading} data-actions={isActions}>
                  {cell(row, rowIndex)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const heading = columns.filter(({ isHeading }) => isHeading === true);
  const actions = columns.filter(({ isActions }) => isActions === true);
  const others = columns.filter(({ isHeading, isActions }) => isHeading !== true && isActions !== true);
  return (
    <ul className={classes.cards} aria-label={caption}>
      {rows.map((row, rowIndex) => (
        <li key={rowKey(row)} className={classes.card}>
          {heading.map(({ title, cell }) => (
            <div key={title} className="strong anywhere">
              {cell(row, rowIndex)}
            </div>
          ))}
          <Stack as="dl" gap={4} className="small">
            {others.map(({ title, cell, isNumeric, isText }) => (
              <Inline
                key={title}
                gap={0}
                across={16}
                justify="between"
                className={classes.pair}
                data-text={isText || undefined}
              >
                <dt>{title}</dt>
                <dd className={isNumeric === true ? "numeric" : undefined}>{cell(row, rowIndex)}</dd>
              </Inline>
            ))}
          </Stack>
          {actions.map(({ title, cell }) => (
            <Inline key={title} gap={8} wraps justify="end">
              {cell(row, rowIndex)}
            </Inline>
          ))}
        </li>
      ))}
    </ul>
  );
}
