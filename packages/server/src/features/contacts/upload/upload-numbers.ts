import {
  existingCatalogUploadFields,
  newCatalogUploadFields,
  type ContactFileMapping,
  type Rates,
} from "@ewebal/contract";
import type { z } from "zod";
import { AppError, fieldError } from "../../../base/errors.ts";
import { fingerprintOf } from "../../../db/idempotency.ts";
import { findControlCharacter } from "../../../http/errors/compile-validator.ts";
import { listFields } from "../../../http/errors/issue-words.ts";
import { countTry, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { assertSendable, getCatalog, type ContactDeps } from "../catalogs/catalogs.ts";
import type { CatalogKey } from "../catalogs/catalog-store.ts";
import { assertNumbersTaken, takeNumbers, type Target } from "../numbers/take-numbers.ts";
import type { Addition } from "../present-made.ts";
import { readContactFile } from "./read-contact-file.ts";
import { keepWrongRows } from "./wrong-rows.ts";
import { withReceivedForm, type FormSource, type ReceivedFile } from "./receive-form.ts";

/** What the address says of wrong rows, unless the form says otherwise, and the call's `Idempotency-Key`. */
export type Upload = { onlyGood: boolean; key: string | undefined };

/**
 * Makes a catalog of a file's numbers.
 *
 * @throws AppError `RATE_LIMITED`, `VALIDATION`, as `withReceivedForm` and `takeNumbers`.
 */
export async function uploadToNewCatalog(
  deps: ContactDeps,
  userId: string,
  source: FormSource,
  upload: Upload,
): Promise<Addition> {
  await countTry(deps, deps.db, rateRules.contactFile, userId);
  return await withReceivedForm(source, async ({ file, fields }) => {
    const { catalogName: name, code, onlyGood, ...reading } = checkFields(newCatalogUploadFields, fields);
    const options = { onlyGood: isTrue(onlyGood, upload), reading, scope: "upload-to-new-tel", key: upload.key };
    return await take(deps, userId, { newCatalog: { name, code }, code }, file, options);
  });
}

/**
 * Adds a file's numbers to a catalog.
 *
 * @throws AppError `NOT_FOUND`, and as `uploadToNewCatalog`.
 */
export async function uploadToCatalog(
  deps: ContactDeps,
  at: CatalogKey,
  source: FormSource,
  upload: Upload,
): Promise<Addition> {
  const { catalogId, code } = await getCatalog(deps.db, at);
  await countTry(deps, deps.db, rateRules.contactFile, at.userId);
  return await withReceivedForm(source, async ({ file, fields }) => {
    const { onlyGood, ...reading } = checkFields(existingCatalogUploadFields, fields);
    const options = { onlyGood: isTrue(onlyGood, upload), reading, scope: "upload-to-existing-tel", key: upload.key };
    return await take(deps, at.userId, { catalogId, code }, file, options);
  });
}

function isTrue(onlyGood: string | undefined, upload: Upload): boolean {
  return onlyGood === undefined ? upload.onlyGood : onlyGood === "true";
}

type TakeOptions = {
  onlyGood: boolean;
  reading: { columns?: readonly number[] | undefined; mapping?: ContactFileMapping | undefined };
  scope: string;
  key: string | undefined;
};

async function take(
  deps: ContactDeps,
  userId: string,
  target: Target & { code: string },
  file: ReceivedFile,
  { onlyGood, reading: { columns, mapping }, scope, key }: TakeOptions,
): Promise<Addition> {
  return await deps.inTurn(file.byteLength, async () => {
    const rates = await readRatesFor(deps, target);
    const { wrongCsv, labels, ...read } = await readContactFile(file, target.code, { rates, columns, mapping });
    const wrongRows = wrongCsv === undefined ? undefined : await keepWrongRows(deps, userId, wrongCsv);
    assertNumbersTaken(read, onlyGood, { field: "csv", noun: "row" }, wrongRows);
    const fingerprint = fingerprintOf({
      ...nameTarget(target),
      file: file.sha256,
      columns: columns?.join(","),
      mapping: mapping && JSON.stringify(mapping),
      onlyGood,
    });
    return await takeNumbers(deps, userId, target, { ...read, labels, wrongRows }, { scope, key, fingerprint });
  });
}

/** Fastify checks the bodies of JSON; a form's fields are checked here, when all of them are there. */
function checkFields<Schema extends z.ZodType>(schema: Schema, fields: Record<string, string>): z.infer<Schema> {
  const checked = schema.safeParse(fields);
  const field = findControlCharacter(fields);
  if (field !== undefined) throw fieldError(field, "takes no control characters");
  if (checked.success) return checked.data;
  throw new AppError("VALIDATION", { fields: listFields(checked.error.issues) });
}

/** @throws AppError `VALIDATION` for a new catalog whose code cannot be sent to at these rates. */
async function readRatesFor(deps: ContactDeps, target: Target & { code: string }): Promise<Rates> {
  const rates = await deps.readRates();
  if ("newCatalog" in target) assertSendable(target.code, rates);
  return rates;
}

function nameTarget(target: Target): Record<string, string> {
  if (!("newCatalog" in target)) return { catalogId: target.catalogId };
  const { name, code } = target.newCatalog;
  return { name, code };
}
