/**
 * Makes the icons that a phone shows for the installed pages, `public/icons/*.png`, from the mark of `public/favicon.svg`.
 *
 *     node packages/web/scripts/make-icons.ts
 */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The server's: the pages need no image library by themselves. */
const sharp = createRequire(new URL("../../server/package.json", import.meta.url))(
  "sharp",
) as (typeof import("sharp"))["default"];
const folder = fileURLToPath(new URL("../public/icons/", import.meta.url));
const BRAND = "#14377a";

const favicon = await readFile(new URL("../public/favicon.svg", import.meta.url), "utf8");
const outline = /<path d="(M9 4h14[^"]+)"/.exec(favicon)?.[1] ?? "";
const waves = [...favicon.matchAll(/<path d="(M9 1[^"]+)"/g)].map(([, path]) => `<path d="${path}"/>`).join("");

/**
 * The mark, white on the brand's colour. @param scale of the mark: a mask leaves no more than a circle of 80 %. @param radius of the corners, of 32.
 */
function draw(scale: number, radius: number): string {
  const lines = `<g fill="none" stroke="${BRAND}" stroke-width="2.4" stroke-linecap="round">${waves}</g>`;
  const mark = `<g transform="translate(16 16) scale(${scale}) translate(-16 -16.6)"><path fill="#fff" d="${outline}"/>${lines}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="${radius}" fill="${BRAND}"/>${mark}</svg>`;
}

await mkdir(folder, { recursive: true });
for (const { name, size, scale, radius } of [
  { name: "icon-192", size: 192, scale: 0.68, radius: 7 },
  { name: "icon-512", size: 512, scale: 0.68, radius: 7 },
  { name: "icon-maskable-512", size: 512, scale: 0.56, radius: 0 },
  { name: "apple-touch-icon", size: 180, scale: 0.66, radius: 0 },
])
  await sharp(Buffer.from(draw(scale, radius)), { density: (72 * size) / 32 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(`${folder}${name}.png`);
