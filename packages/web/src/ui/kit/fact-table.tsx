import type { ReactNode } from "react";
import classes from "./fact-table.module.css";

type FactTableProps = {
  caption: string;
  heads: readonly string[];
  rows: readonly (readonly ReactNode[])[];
};

/** A small table in a text; narrow enough for a phone because its last column wraps. */
export function FactTable({ caption, heads, rows }: FactTableProps) {
  return (
    <table className={classes.table}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, rowIndex) => (
          <tr key={rowIndex}>
            {cells.map((cell, cellIndex) => (
              <td key={cellIndex}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
