import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";
import classes from "./chart-panel.module.css";
import { Panel } from "../layout/panel.tsx";

type ChartPanelProps<Row> = {
  title: string;
  /** One sentence that describes the picture to people who cannot see it. Leave it out when the chart is text. */
  summary?: string;
  /** undefined while they are on the way: the chart then holds its place. */
  rows: readonly Row[] | undefined;
  columns: readonly { title: string; cell: (row: Row) => ReactNode; isNumeric?: boolean }[];
  rowKey: (row: Row) => string;
  /** Said instead of an empty chart. */
  empty: string;
  /** The chart, with a height of its own. */
  children: ReactNode;
};

/** A chart and the same as a table, under "Show data": a picture alone is not for everybody. */
export function ChartPanel<Row>({ title, summary, rows, columns, rowKey, empty, children }: ChartPanelProps<Row>) {
  const [isTable, setTable] = useState(false);
  const tableId = useId();
  const toggle = (
    <Button
      variant="subtle"
      size="compact-sm"
      className={`rigid ${rows === undefined ? classes.toCome : ""}`}
      aria-expanded={isTable}
      aria-controls={tableId}
      aria-label={`${isTable ? "Hide" : "Show"} data: ${title}`}
      onClick={() => setTable(!isTable)}
    >
      {isTable ? "Hide data" : "Show data"}
    </Button>
  );
  return (
    <Panel title={title} aside={rows?.length === 0 ? undefined : toggle}>
      {rows?.length === 0 ? (
        <p className={classes.empty}>{empty}</p>
      ) : summary === undefined ? (
        children
      ) : (
        <div role="img" aria-label={`${title}. ${summary}`}>
          {children}
        </div>
      )}
      <div id={tableId} className={classes.data} hidden={!isTable}>
        {isTable && (
          <table className={classes.table}>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.title} scope="col" data-numeric={column.isNumeric}>
                    {column.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows?.map((row) => (
                <tr key={rowKey(row)}>
                  {columns.map((column) => (
                    <td key={column.title} data-numeric={column.isNumeric}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Panel>
  );
}
