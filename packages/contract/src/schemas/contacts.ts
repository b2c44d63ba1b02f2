/**
 * Catalogs and their contacts. A contact's `index` is its place in the list, from 0, in the order in which contacts were
 * added; the list's ETag (also `etag`) names one state of the list, so that an index can be told to mean what was seen.
 */
import { z } from "zod";
import {
  dataAnswer,
  dialCodeSchema,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  repairCountsSchema,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import { wrongNumberReasons } from "../rules/numbers/number-check.ts";
import { isPriceable, isSendable } from "../rules/money/rates.ts";

/** Stored trimmed. Two catalogs may have the same name. */
export const catalogNameSchema = z
  .string()
  .trim()
  .min(1, "Fill in this field!!!")
  .max(limits.catalogNameCharactersMax, `has more than ${limits.catalogNameCharactersMax} characters`)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "takes no control characters");

/** Said of a code that no rate, or not yet any, lets be sent to. */
export const NOT_SENDABLE_CODE = "is not the code of a country that can be sent to";

/**
 * The dialling code of a country that can be sent to; all contacts of a catalog belong to it. Also a longer one that
 * administrators may have priced apart; the server knows whether they have.
 */
export const catalogCodeSchema = dialCodeSchema.refine(
  (code) => isSendable(code) || isPriceable(code),
  NOT_SENDABLE_CODE,
);

export const catalogSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  catalogName: z.string(),
  code: z.string(),
  /** The first ones, each with a leading plus: at most 100 in a list, see `findOneCatalog` for one catalog. */
  contacts: z.array(z.string()),
  /** How many contacts there are in all, up to 1,000,000. */
  count: z.number(),
  /** For `If-Match`; changes with every change of the catalog. */
  etag: z.string(),
  createdAt: timeSchema,
});
export type CatalogAnswer = z.infer<typeof catalogSchema>;

export const contactSchema = z.object({
  /** Place in the whole list, from 0, also in the answer to a search. */
  index: z.number(),
  /** With a leading plus. */
  phoneNo: z.string(),
});
export type ContactAnswer = z.infer<typeof contactSchema>;

/** What became of the numbers: `added` + `existing` + `wrong` is what was received. */
export const addedSchema = z.object({
  /** The catalog's id. */
  _id: idSchema,
  added: z.number(),
  /** In the catalog before, or repeated in what was received. */
  existing: z.number(),
  /** Left out, because `onlyGood` was asked for. */
  wrong: z.number(),
  repaired: repairCountsSchema.optional(),
});
export type AddedAnswer = z.infer<typeof addedSchema>;

/** A cell of a file, or one of the pasted numbers, that cannot be added. */
export const wrongContactSchema = z.object({
  /** The file's row as a spreadsheet counts, from 1, header and empty rows included; of pasted numbers the place, from 1. */
  row: z.number(),
  /** The file's column, from 1; absent for pasted numbers. */
  column: z.number().optional(),
  /** As it was written, at most 40 characters. */
  value: z.string(),
  reason: z.enum(wrongNumberReasons),
  /** The reason in words that follow the value: "is too short". */
  text: z.string(),
});
export type WrongContact = z.infer<typeof wrongContactSchema>;

/**
 * What a 400 says beside message, code and fields when numbers are wrong and `onlyGood` was not asked for. Nothing was
 * added, and no catalog was made.
 */
export const wrongContactsSchema = z.object({
  /** The first 100. */
  rows: z.array(wrongContactSchema),
  /** How many there are in all. */
  wrong: z.number(),
  /** How many distinct ones would have been right. */
  good: z.number(),
});
export type WrongContacts = z.infer<typeof wrongContactsSchema>;

const onlyGoodText = z.enum(["true", "false"], "is true or false");

/** `?onlyGood=true` adds the good numbers and leaves the wrong ones out; the field of the same name does so too. */
export const onlyGoodQuery = z.object({ onlyGood: onlyGoodText.optional() });

const numbersText = z.string().min(1, "is required").max(limits.sendBodyBytesMax);
const numbersBody = z.object({
  /** Digits and commas, or whatever was pasted: it is read as the numbers of a send are. */
  phoneNo: numbersText,
  onlyGood: z.union([z.boolean(), onlyGoodText.transform((text) => text === "true")], "is true or false").optional(),
});

export const existingCatalogNumbersBody = numbersBody;
export const newCatalogNumbersBody = numbersBody.extend({ catalogName: catalogNameSchema, code: catalogCodeSchema });

/** The form fields beside the file `csv` of an upload to a catalog that exists. */
export const existingCatalogUploadFields = z.object({
  onlyGood: onlyGoodText.optional(),
  /** Which columns of the file hold numbers, from 1: "2" or "2,3". Absent: the file itself tells, see `ContactFileReader`. */
  columns: z
    .string()
    .regex(/^[1-9][0-9]{0,2}(?:,[1-9][0-9]{0,2}){0,99}$/, "takes column numbers such as 2 or 2,3")
    .transform((text) => text.split(",").map(Number))
    .optional(),
});
export const newCatalogUploadFields = existingCatalogUploadFields.extend({
  catalogName: catalogNameSchema,
  code: catalogCodeSchema,
});

const tags: ["Contacts"] = ["Contacts"];
const oneCatalogParams = z.object({ userId: idSchema, catalogId: idSchema });
const UPLOAD_FORM = "multipart/form-data: the file (.csv, up to 20 MB and 1,000,000 numbers) as csv";

export const contactSchemas = {
  createCatalog: {
    summary: "Create an empty catalog",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: z.object({ catalogName: catalogNameSchema, code: catalogCodeSchema }),
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  populateCatalogs: {
    summary: "Catalogs, newest first, each with its count and its first 100 contacts",
    tags,
    params: userIdParams,
    querystring: listQuery.extend({
      /** A part of the name, in capitals or not. */
      search: z
        .string()
        .trim()
        .max(limits.catalogNameCharactersMax)
        .regex(/^\P{Cc}*$/u, "takes no control characters")
        .optional(),
    }),
    response: { 200: listAnswer(catalogSchema) },
  },
  findOneCatalog: {
    summary:
      "One catalog with its ETag and its first 10,000 contacts; name it by catalogId, or by its own id in the path's place",
    tags,
    params: userIdParams,
    querystring: z.object({
      catalogId: idSchema.optional(),
      /** How many contacts to carry at most, from 0. */
      contacts: z
        .string()
        .regex(/^[0-9]{1,5}$/, "must be a whole number")
        .transform(Number)
        .pipe(z.number().max(limits.catalogContactsCarriedMax))
        .default(limits.catalogContactsCarriedMax),
    }),
    response: { 200: dataAnswer(catalogSchema) },
  },
  contacts: {
    summary: "The contacts of one catalog in their order, all or those that contain some digits; carries the ETag",
    tags,
    params: oneCatalogParams,
    // A cursor is an index, so that any place of the list can be read at once: after=4999 begins with the contact of index 5,000.
    querystring: listQuery.extend({
      /** Digits anywhere in the number; 080... finds 23480... too. */
      search: z
        .string()
        .regex(/^[0-9]{0,15}$/, "takes digits only, at most 15")
        .optional(),
    }),
    response: { 200: listAnswer(contactSchema).extend({ etag: z.string() }) },
  },
  editCatalog: {
    summary: "Rename a catalog",
    tags,
    params: oneCatalogParams,
    body: z.object({ catalogName: catalogNameSchema }),
    response: { 200: messageAnswer },
  },
  deleteCatalog: {
    summary: "Delete a catalog and its contacts",
    tags,
    params: oneCatalogParams,
    response: { 200: messageAnswer },
  },
  insertToNewTel: {
    summary: "Create a catalog of these numbers",
    tags,
    params: userIdParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    body: newCatalogNumbersBody,
    response: { 201: dataAnswer(addedSchema) },
  },
  insertToExistingTel: {
    summary: "Add these numbers to a catalog",
    tags,
    params: oneCatalogParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    body: existingCatalogNumbersBody,
    response: { 201: dataAnswer(addedSchema) },
  },
  addContacts: {
    summary: "Add one number or a few to a catalog",
    tags,
    params: oneCatalogParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    body: existingCatalogNumbersBody,
    response: { 201: dataAnswer(addedSchema.extend({ message: z.string() })) },
  },
  uploadToNewTel: {
    summary: `Create a catalog of a file. ${UPLOAD_FORM}; catalogName, code; optionally onlyGood, columns`,
    tags,
    params: userIdParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    response: { 201: dataAnswer(addedSchema) },
  },
  uploadToExistingTel: {
    summary: `Add the numbers of a file to a catalog. ${UPLOAD_FORM}; optionally onlyGood, columns`,
    tags,
    params: oneCatalogParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    response: { 201: dataAnswer(addedSchema) },
  },
  deleteContact: {
    summary:
      "Remove one contact. If-Match (the list's ETag) or phoneNo says what was seen there; otherwise 409 LIST_CHANGED",
    tags,
    params: z.object({
      catalogId: idSchema,
      index: z
        .string()
        .regex(/^[0-9]{1,7}$/, "must be a place in the list, from 0")
        .transform(Number),
    }),
    querystring: z.object({ phoneNo: z.string().min(1).max(40).optional() }),
    headers: z.object({ "if-match": z.string().max(200).optional() }),
    response: { 200: messageAnswer },
  },
  exportContacts: {
    summary: "All contacts of a catalog as a CSV file that can be uploaded again",
    tags,
    params: oneCatalogParams,
    response: { 200: z.unknown().describe("text/csv") },
  },
  contactsTemplate: {
    summary: "A CSV file of sample numbers in three columns, to begin from",
    tags,
    response: { 200: z.unknown().describe("text/csv") },
  },
} as const satisfies CallSchemas;
