// What an opponent uploads: wrong names, wrong bytes, two files in one, bombs, and what a camera writes without being asked.
import { readFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { IMAGE_PIXELS_MAX, readUpload, type UploadOutcome } from "./read-upload.ts";

const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#14377a" } })
  .png()
  .toBuffer();
const jpeg = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#14377a" } })
  .jpeg()
  .toBuffer();
const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
const script = "<script>alert(1)</script>";

function contentOf(outcome: UploadOutcome): Buffer {
  if (outcome.kind === "wrong") throw new Error(`refused: ${outcome.reason}`);
  return Buffer.from(outcome.bytes);
}

/** A PNG that says it has these sides, and holds one row's worth of nothing. */
function pngBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(1_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("refused", () => {
  test.for([
    ["receipt.exe", png],
    ["receipt", png],
    ["", png],
    ["receipt.png.html", png],
    ["receipt.png ", png],
    ["receipt.svg", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)],
    ["receipt.gif", Buffer.from("GIF89a")],
    ["receipt.webp", png],
  ] as const)("the name %j", async ([fileName, bytes]) => {
    expect(await readUpload({ fileName, bytes })).toEqual({
      kind: "wrong",
      reason: "must be a .pdf, .jpg or .png file",
    });
  });

  test.for([
    ["receipt.png", jpeg],
    ["receipt.jpg", png],
    ["receipt.pdf", png],
    ["receipt.png", pdf],
    ["receipt.png", Buffer.from(script)],
    ["receipt.pdf", Buffer.from(script)],
    ["receipt.jpg", Buffer.from("MZ\u0090\u0000")],
    ["receipt.pdf", Buffer.concat([Buffer.from(script), pdf])],
    ["receipt.png", Buffer.from([0])],
    ["receipt.png", Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)],
    ["receipt.jpeg", Buffer.from("GIF89a\u0001\u0000\u0001\u0000")],
  ] as const)("bytes that are not what %s says", async ([fileName, bytes]) => {
    expect(await readUpload({ fileName, bytes })).toMatchObject({
      kind: "wrong",
      reason: expect.stringContaining("although its name says so") as string,
    });
  });

  test("an empty file", async () => {
    expect(await readUpload({ fileName: "receipt.pdf", bytes: Buffer.alloc(0) })).toEqual({
      kind: "wrong",
      reason: "is empty",
    });
  });

  test("an image that ends in the middle, or holds nothing but its beginning", async () => {
    const large = await sharp({
      create: {
        width: 800,
        height: 800,
        channels: 3,
        background: "white",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    for (const [fileName, bytes] of [
      ["a.png", png.subarray(0, 40)],
      ["b.jpg", jpeg.subarray(0, 30)],
      ["c.jpg", large.subarray(0, large.length / 2)],
    ] as const) {
      expect(await readUpload({ fileName, bytes }), fileName).toMatchObject({ kind: "wrong" });
    }
  });

  test("a bomb of 2,500,000,000 pixels, before its pixels take any memory", async () => {
    const before = process.memoryUsage().rss;
    expect(await readUpload({ fileName: "bomb.png", bytes: pngBomb(50_000, 50_000) })).toMatchObject({ kind: "wrong" });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });

  test("one row of pixels more than 40 megapixels", async () => {
    const sides = { width: 8_000, height: IMAGE_PIXELS_MAX / 8_000 };
    const image = (height: number) =>
      sharp({ create: { ...sides, height, channels: 3, background: "white" } })
        .png({ compressionLevel: 1 })
        .toBuffer();
    expect(await readUpload({ fileName: "a.png", bytes: await image(sides.height + 1) })).toMatchObject({
      kind: "wrong",
    });
    expect(await readUpload({ fileName: "a.png", bytes: await image(sides.height) })).toMatchObject({ kind: "file" });
  });
});

describe("taken", () => {
  test.for([
    ["receipt.png", png, "png", "image/png"],
    ["RECEIPT.JPG", jpeg, "jpg", "image/jpeg"],
    ["../../etc/receipt.jpeg", jpeg, "jpg", "image/jpeg"],
    ["receipt.pdf", pdf, "pdf", "application/pdf"],
  ] as const)("%s", async ([fileName, bytes, extension, contentType]) => {
    expect(await readUpload({ fileName, bytes })).toMatchObject({ kind: "file", extension, contentType });
  });

  test("a PDF stays as it is, to the byte", async () => {
    expect(contentOf(await readUpload({ fileName: "receipt.pdf", bytes: pdf })).equals(pdf)).toBe(true);
  });

  test("what a camera wrote about place, time and owner is gone, and the picture stands as it was held", async () => {
    const photo = await sharp(jpeg)
      .withExif({
        IFD0: { Copyright: "the owner", Artist: "the owner" },
        IFD3: { GPSLatitude: "6/1 27/1 0/1", GPSLatitudeRef: "N" },
      })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const drawn = contentOf(await readUpload({ fileName: "photo.jpg", bytes: photo }));
    const { exif, xmp, iptc, orientation, width, height } = await sharp(drawn).metadata();
    expect({ exif, xmp, iptc, orientation, width, height }).toEqual({
      width: 40,
      height: 60,
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      orientation: undefined,
    });
    expect(drawn.includes("the owner")).toBe(false);
  });

  test.for(["png", "jpg"] as const)("a second file hidden behind or inside a .%s is gone", async (extension) => {
    const image = extension === "png" ? png : jpeg;
    const zip = Buffer.from("PK\u0003\u0004hidden archive");
    const drawn = contentOf(
      await readUpload({ fileName: `a.${extension}`, bytes: Buffer.concat([image, Buffer.from(script), zip, pdf]) }),
    );
    expect(drawn.includes("script") || drawn.includes("PK\u0003\u0004") || drawn.includes("%PDF")).toBe(false);
  });

  test("a text in a PNG is gone", async () => {
    const withText = await sharp(png)
      .withExif({ IFD0: { ImageDescription: script } })
      .png()
      .toBuffer();
    expect(contentOf(await readUpload({ fileName: "a.png", bytes: withText })).includes("alert(1)")).toBe(false);
  });

  test("a print shop's colours and 16 bits become what every screen shows, small print stays readable, and size is bounded", async () => {
    const cmyk = await sharp({ create: { width: 200, height: 100, channels: 3, background: "#0f7b5f" } })
      .toColourspace("cmyk")
      .jpeg()
      .toBuffer();
    const drawn = await sharp(contentOf(await readUpload({ fileName: "a.jpg", bytes: cmyk }))).metadata();
    expect(drawn.space).toBe("srgb");
    const wide = await sharp({ create: { width: 6_000, height: 1_000, channels: 3, background: "white" } })
      .png()
      .toBuffer();
    const { width, height } = await sharp(contentOf(await readUpload({ fileName: "a.png", bytes: wide }))).metadata();
    expect([width, height]).toEqual([3_000, 500]);
  });

  test("twenty at once are drawn one after the other", async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => readUpload({ fileName: "a.png", bytes: png })));
    expect(outcomes.every(({ kind }) => kind === "file")).toBe(true);
  });
});

test("this file itself is no receipt", async () => {
  const bytes = await readFile(new URL(import.meta.url));
  expect(await readUpload({ fileName: "a.pdf", bytes })).toMatchObject({ kind: "wrong" });
});
