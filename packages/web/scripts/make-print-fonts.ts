/**
 * Makes the fonts of what the server prints (receipts as PDF): two static cuts of the pages' own font. PDF knows no variable
 * fonts, and the fonts that every PDF reader has lack the naira sign and the dotted letters of Yoruba and Igbo.
 *
 *     node packages/web/scripts/make-print-fonts.ts
 */
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const sourceFolder = new URL("../src/ui/font/", import.meta.url);
const targetFolder = new URL("../../server/fonts/", import.meta.url);

/** Letters of all the languages, digits and signs; the arrows and keys of pages are not printed. */
const characters = Array.from({ length: 0x2_190 }, (_, codePoint) => String.fromCodePoint(codePoint))
  .slice(0x20)
  .join("");

const source = await readFile(new URL("inter-ewebal.woff2", sourceFolder));
for (const [name, weight] of [
  ["regular", 400],
  ["bold", 700],
] as const) {
  const target = new URL(`inter-ewebal-${name}.ttf`, targetFolder);
  const font = await subsetFont(source, characters, { targetFormat: "truetype", variationAxes: { wght: weight } });
  await writeFile(target, font);
  process.stdout.write(`${fileURLToPath(target)}: ${font.length} bytes\n`);
}
await copyFile(new URL("OFL.txt", sourceFolder), new URL("OFL.txt", targetFolder));
