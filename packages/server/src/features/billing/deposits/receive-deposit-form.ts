import { limits } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { DepositForm } from "./submit-deposit.ts";

const FILE_FIELD = "image";
const FIELD_BYTES_MAX = 1_000;
const FIELDS_MAX = 20;

/**
 * Takes a deposit's form in. The receipt stays in memory: it is small, and is drawn from there.
 *
 * @throws AppError `MEDIA_TYPE_REFUSED` for no form; `BODY_TOO_LARGE` for a receipt of more than 5 MB; `VALIDATION` for a form
 *   that cannot be read, or says something twice.
 */
export async function receiveDepositForm(request: FastifyRequest): Promise<DepositForm> {
  if (!request.isMultipart())
    throw new AppError("MEDIA_TYPE_REFUSED", { message: "Please send a form (multipart/form-data)" });
  const parts = request.parts({
    limits: {
      fileSize: limits.receiptBytesMax,
      files: 2,
      fields: FIELDS_MAX,
      fieldSize: FIELD_BYTES_MAX,
      parts: FIELDS_MAX + 2,
    },
  });
  const fields: Record<string, string> = {};
  let receipt: DepositForm["receipt"];
  try {
    for await (const part of parts) {
      const name = part.fieldname;
      if (Object.hasOwn(fields, name) || (name === FILE_FIELD && receipt !== undefined))
        throw fieldError(name, "is there twice");
      if (part.type === "file") {
        if (name !== FILE_FIELD) throw fieldError(name, "takes no file");
        const bytes = await part.toBuffer();
        // A browser sends a file without a name and content where none was chosen.
        if (part.filename !== "" || bytes.length > 0) receipt = { fileName: part.filename, bytes };
      } else {
        if (typeof part.value !== "string" || part.valueTruncated) throw fieldError(name, "is not a short text");
        fields[name] = part.value;
      }
    }
  } catch (error) {
    // The parser's own complaints about a broken form carry no code; everything else knows what it is.
    if (error instanceof Error && !("code" in error))
      throw new AppError("VALIDATION", { fields: { body: "is not a whole form" }, cause: error });
    throw error;
  }
  return { fields, receipt };
}
