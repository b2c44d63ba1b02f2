import { escapeHtml } from "../escape-html.ts";

/** Cells are Markdown of which only the marks of code are known. */
export type ReferenceTable = { title: string; heads: readonly string[]; rows: readonly (readonly string[])[] };

export function drawTable({ title, heads, rows }: ReferenceTable): string {
  const headCells = heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join("");
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${drawCell(cell)}</td>`).join("")}</tr>`).join("");
  return `<h4>${escapeHtml(title)}</h4>
<div class="scroll" tabindex="0"><table><thead><tr>${headCells}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function drawCell(cell: string): string {
  return escapeHtml(cell).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
