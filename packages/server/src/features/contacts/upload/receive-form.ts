/**
 * Receives an uploaded form. The file goes to the disk first: the uploader's network may be slow, and the form may name the
 * catalog's code after the file. Until both are there the form costs neither memory nor a connection to the database.
 */
import { createHash, randomUUID } from "node:crypto";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyMultipartBaseOptions, Multipart, MultipartFile } from "@fastify/multipart";
import { limits } from "@ewebal/contract";
import { AppError, fieldError } from "../../../base/errors.ts";

export type ReceivedFile = { fileName: string; byteLength: number; sha256: string; handle: FileHandle };
export type ReceivedForm = { file: ReceivedFile; fields: Record<string, string> };

/** A request that may carry a form. */
export type FormSource = {
  isMultipart: () => boolean;
  parts: (options: Omit<FastifyMultipartBaseOptions, "throwFileSizeLimit">) => AsyncIterable<Multipart>;
};

const FILE_FIELD = "csv";
/** A mapping names 20 columns by their headings. */
const FIELD_BYTES_MAX = 20_000;
const FIELDS_MAX = 20;

/**
 * @param use what is done with the form; the file is gone afterwards.
 * @throws AppError `MEDIA_TYPE_REFUSED` for no form, `BODY_TOO_LARGE`, `VALIDATION` for a form that cannot be read or has no file.
 */
export async function withReceivedForm<Result>(
  source: FormSource,
  use: (form: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  if (!source.isMultipart())
    throw new AppError("MEDIA_TYPE_REFUSED", { message: "Please send the file in a form (multipart/form-data)" });
  const handle = await openNameless();
  try {
    return await use(await receive(source, handle));
  } finally {
    await handle.close();
  }
}

/** Opens a file without a name: whatever happens to this process, nothing is left behind. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `ewebal-upload-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
}

async function receive(source: FormSource, handle: FileHandle): Promise<ReceivedForm> {
  const fields: Record<string, string> = {};
  let file: ReceivedFile | undefined;
  const parts = source.parts({
    limits: {
      fileSize: limits.contactFileBytesMax,
      files: 2,
      fields: FIELDS_MAX,
      fieldSize: FIELD_BYTES_MAX,
      parts: FIELDS_MAX + 2,
    },
  });
  try {
    for await (const part of parts) {
      if (part.type === "file") {
        if (part.fieldname !== FILE_FIELD) throw fieldError(part.fieldname, "takes no file");
        if (file !== undefined) throw fieldError(FILE_FIELD, "takes one file");
        file = await keep(part, handle);
      } else {
        if (typeof part.value !== "string" || part.valueTruncated)
          throw fieldError(part.fieldname, "is not a short text");
        if (Object.hasOwn(fields, part.fieldname)) throw fieldError(part.fieldname, "is there twice");
        fields[part.fieldname] = part.value;
      }
    }
  } catch (error) {
    // The parser's own complaints about a broken form carry no code; everything else knows what it is.
    if (error instanceof Error && !("code" in error))
      throw new AppError("VALIDATION", { fields: { body: "is not a whole form" }, cause: error });
    throw error;
  }
  if (file === undefined) throw fieldError(FILE_FIELD, "is required");
  return { file, fields };
}

async function keep(part: MultipartFile, handle: FileHandle): Promise<ReceivedFile> {
  const hash = createHash("sha256");
  let byteLength = 0;
  for await (const chunk of part.file as AsyncIterable<Buffer>) {
    hash.update(chunk);
    // Whole, or not at all: a single write to a disk that is almost full may leave the end out and say nothing.
    await handle.writeFile(chunk);
    byteLength += chunk.length;
  }
  if (part.file.truncated) throw new AppError("BODY_TOO_LARGE");
  return { fileName: part.filename, byteLength, sha256: hash.digest("hex"), handle };
}
