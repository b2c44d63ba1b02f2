import { crc32, deflateRawSync } from "node:zlib";

/** A zip archive with these entries; `claimedBytes` is what it says of each entry's size, when that is a lie. */
export function buildZip(entries: Record<string, string | Buffer>, claimedBytes?: number): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, contents] of Object.entries(entries)) {
    const bytes = Buffer.from(contents);
    const packed = deflateRawSync(bytes, { level: 1 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\u0003\u0004", "latin1"), common, Buffer.from(name), packed);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(20, 0);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002", "latin1"), made, common, rest, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", 0, "latin1");
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

/** A text, a number as the XML writes it and its cell's style, a formula with its stored value, one that failed, or nothing. */
export type BuiltCell =
  | string
  | { number: string; style?: number }
  | { formula: string; value: string }
  | { fault: string }
  | null;

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function buildCell(cell: BuiltCell, reference: string, share: (text: string) => number, isInline: boolean): string {
  if (cell === null) return "";
  if (typeof cell !== "string") {
    if ("number" in cell) {
      const style = cell.style === undefined ? "" : ` s="${cell.style}"`;
      return `<c r="${reference}"${style}><v>${cell.number}</v></c>`;
    }
    if ("fault" in cell) return `<c r="${reference}" t="e"><v>${escape(cell.fault)}</v></c>`;
    return `<c r="${reference}" t="str"><f>${escape(cell.formula)}</f><v>${escape(cell.value)}</v></c>`;
  }
  if (isInline) return `<c r="${reference}" t="inlineStr"><is><t>${escape(cell)}</t></is></c>`;
  return `<c r="${reference}" t="s"><v>${share(cell)}</v></c>`;
}

/** Cell style 0 shows numbers as they are; 1 and on have these formats, built-in ones by their number. */
function buildStyles(formats: readonly (number | string)[]): string {
  const own = formats.flatMap((format, index) =>
    typeof format === "string"
      ? [`<numFmt numFmtId="${OWN_FORMATS + index}" formatCode="${format.replaceAll('"', "&quot;")}"/>`]
      : [],
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === "string" ? OWN_FORMATS + index : format}"/>`,
  );
  return `<styleSheet><numFmts>${own.join("")}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`;
}

const OWN_FORMATS = 164;

/**
 * A workbook as Excel writes it, or with texts in their cells as other programs do.
 *
 * @param options.dateFormats of the cell styles from 1 on.
 */
export function buildWorkbook(
  sheets: Record<string, BuiltCell[][]>,
  { isInline = false, dateFormats = [] }: { isInline?: boolean; dateFormats?: readonly (number | string)[] } = {},
): Uint8Array<ArrayBuffer> {
  const shared: string[] = [];
  const share = (text: string): number => shared.push(text) - 1;
  const names = Object.keys(sheets);
  const pages = Object.values(sheets).map((rows) => {
    const lines = rows.map((cells, row) => {
      const built = cells.map((cell, column) =>
        buildCell(cell, `${String.fromCharCode(65 + column)}${row + 1}`, share, isInline),
      );
      return `<row r="${row + 1}">${built.join("")}</row>`;
    });
    return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${lines.join("")}</sheetData></worksheet>`;
  });
  const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return buildZip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "xl/workbook.xml": `<workbook xmlns:r="${relation}"><sheets>${names
      .map((name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names
      .map((_name, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
      .join("")}</Relationships>`,
    ...Object.fromEntries(pages.map((page, index) => [`xl/worksheets/sheet${index + 1}.xml`, page])),
    ...(dateFormats.length > 0 && { "xl/styles.xml": buildStyles(dateFormats) }),
    "xl/sharedStrings.xml": `<sst>${shared.map((text) => `<si><t>${escape(text)}</t></si>`).join("")}</sst>`,
  });
}
