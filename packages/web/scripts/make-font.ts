/**
 * Makes `src/ui/font/inter-ewebal.woff2`: one variable subset of Inter for the whole product.
 *
 *     node packages/web/scripts/make-font.ts path/to/InterVariable.woff2
 *
 * The source is `variable/InterVariable.woff2` of the npm package `inter-ui` 4.1.1 (SIL Open Font License 1.1). The ready
 * made subsets of other packages split Latin over three files, and the naira sign and the dotted letters of Yoruba and
 * Igbo would each fetch another one.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const target = new URL("../src/ui/font/inter-ewebal.woff2", import.meta.url);

/** Every character from the first to the last code point. */
function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset)).join("");
}

const characters = [
  range(0x20, 0x7e),
  range(0xa0, 0xff),
  // Hausa, Fulfulde, Kanuri, Yoruba, Igbo, Efik, Edo, and the French of the neighbours.
  "ƁɓƊɗƘƙƳƴŊŋƝɲƎǝƏəƐɛƆɔẸẹỌọṢṣỊịỤụṄṅǸǹḾḿŃńĀāĒēĪīŌōŪūǍǎĚěǏǐǑǒǓǔŒœŸŠšŽž",
  "\u0300\u0301\u0302\u0303\u0304\u0308\u030c\u0323\u0329\u0331",
  "₦€–—‘’‚“”„…•·†‹›™−×≤≥≠≈←→↑↓✓⌘",
].join("");

const source = process.argv[2];
if (source === undefined) throw new Error("Give the path of InterVariable.woff2");

const subset = await subsetFont(await readFile(source), characters, {
  targetFormat: "woff2",
  // Weights 400 to 700 are all that the pages use; the optical size axis stays at text size.
  variationAxes: { wght: { min: 400, max: 700, default: 400 }, opsz: 14 },
});
await writeFile(target, subset);
process.stdout.write(`${fileURLToPath(target)}: ${subset.length} bytes, ${new Set(characters).size} characters\n`);
