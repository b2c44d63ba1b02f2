/**
 * What an uploaded receipt may be. Its name and its bytes must say the same, and an image is drawn anew, so that nothing
 * but its pixels is kept: no place where it was taken, no second file hidden behind the first.
 */
import { Gate } from "../http/bounds/gate.ts";

export type UploadKind = "pdf" | "jpg" | "png";

export type UploadOutcome =
  | { kind: "file"; extension: UploadKind; contentType: string; bytes: Uint8Array }
  | { kind: "wrong"; reason: string };

/** A camera of 40 megapixels; decoded, that many pixels take 160 MB. */
export const IMAGE_PIXELS_MAX = 40_000_000;
/** Enough to read the smallest print of a bank slip; bounds what is stored, whatever came in. */
const IMAGE_SIDE_PIXELS_MAX = 3_000;
const JPEG_QUALITY = 85;
/** 40 megapixels take about two seconds. */
const DRAW_SECONDS_MAX = 10;
/** Signatures stand at the beginning; a PDF's whole text need not be searched for others. */
const SIGNATURE_BYTES = 4_100;
const IMAGES_WAITING_MAX = 20;

const contentTypes: Record<UploadKind, string> = { pdf: "application/pdf", jpg: "image/jpeg", png: "image/png" };
const kindOfExtension: Readonly<Record<string, UploadKind>> = { pdf: "pdf", jpg: "jpg", jpeg: "jpg", png: "png" };

/** One at a time: several large ones together would take the memory of everything else in this process. */
const drawing = new Gate({ placesMax: 1, waitingMax: IMAGES_WAITING_MAX });

/**
 * @param upload the file's name as the browser tells it, of which only the ending counts, and all its bytes.
 * @returns what to store: images drawn anew, PDFs as they are; or why not, as the end of a sentence about the file.
 * @throws AppError `UNAVAILABLE` when too many images wait.
 */
export async function readUpload(upload: { fileName: string; bytes: Uint8Array }): Promise<UploadOutcome> {
  const { bytes } = upload;
  const kind = kindOfExtension[/\.([a-z]{3,4})$/i.exec(upload.fileName)?.[1]?.toLowerCase() ?? ""];
  if (kind === undefined) return wrong("must be a .pdf, .jpg or .png file");
  if (bytes.length === 0) return wrong("is empty");
  if ((await findContentType(bytes)) !== contentTypes[kind])
    return wrong(`is not a .${kind} file, although its name says so`);
  if (kind === "pdf") return { kind: "file", extension: kind, contentType: contentTypes[kind], bytes };
  return await drawing.run(async () => await drawAnew(kind, bytes));
}

/** Loaded with the first upload: most processes never see one. */
async function findContentType(bytes: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)))?.mime;
}

async function drawAnew(kind: "jpg" | "png", bytes: Uint8Array): Promise<UploadOutcome> {
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: "error", sequentialRead: true })
      .timeout({ seconds: DRAW_SECONDS_MAX })
      // The camera's word on which way is up goes with the rest of what it wrote, so it is followed first.
      .autoOrient()
      .resize({ width: IMAGE_SIDE_PIXELS_MAX, height: IMAGE_SIDE_PIXELS_MAX, fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb");
    const drawn = kind === "png" ? image.png() : image.jpeg({ quality: JPEG_QUALITY });
    return { kind: "file", extension: kind, contentType: contentTypes[kind], bytes: await drawn.toBuffer() };
  } catch {
    // Whatever it stumbles over lies in the file: it touches nothing else.
    return wrong(`cannot be shown as an image of up to ${IMAGE_PIXELS_MAX / 1_000_000} megapixels`);
  }
}

function wrong(reason: string): UploadOutcome {
  return { kind: "wrong", reason };
}
