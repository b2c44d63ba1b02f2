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
  strictListQuery,
  messageAnswer,
  repairCountsSchema,
  timeSchema,
  userIdParams,
  type CallSchemas,
} from "./http.ts";
import { limits } from "../limits.ts";
import { personalLimits } from "../rules/personal/personal-limits.ts";
import { cleanFieldValue, FIELD_KEY_FORM, isFieldTooLong, nameColumns } from "../rules/personal/columns.ts";
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

const lineText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "is required")
    .max(max, `has more than ${max} characters`)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "takes no control characters");

/** The name by which a column stands in texts: `{{key}}`. */
export const fieldKeySchema = z
  .string()
  .regex(FIELD_KEY_FORM, "takes a letter of a to z first, then a to z, 0 to 9 and _, 30 characters at most");

/** Unknown fields are refused, also in the documents' calls that ignore them beside it: columns are of our making. */
const columnSchema = z.strictObject({
  key: fieldKeySchema.optional(),
  label: lineText(personalLimits.columnLabelCharactersMax),
});
/** What a catalog keeps of each contact beside its number. A column without a key gets one of its label. */
export const columnsSchema = z
  .array(columnSchema)
  .max(personalLimits.catalogColumnsMax, `has more than ${personalLimits.catalogColumnsMax} columns`)
  .superRefine((columns, context) => {
    const seen = new Set<string>();
    for (const [index, { key }] of columns.entries()) {
      if (key === undefined) continue;
      if (seen.has(key)) context.addIssue({ code: "custom", path: [index, "key"], message: "is there twice" });
      seen.add(key);
    }
  })
  .transform(nameColumns);

/** One value of a contact; blanks around it do not count. */
export const fieldValueSchema = z
  .string()
  // Before the finer check, which walks through it.
  .max(10 * personalLimits.fieldCharactersMax, `has more than ${personalLimits.fieldCharactersMax} characters`)
  .transform(cleanFieldValue)
  .refine((value) => !isFieldTooLong(value), `has more than ${personalLimits.fieldCharactersMax} characters`);
export const fieldsSchema = z.record(z.string().max(100), fieldValueSchema);

export const catalogSchema = z.object({
  _id: idSchema,
  userID: idSchema,
  catalogName: z.string(),
  code: z.string(),
  /** What is kept of each contact beside its number; empty for a plain list. */
  columns: z.array(z.object({ key: z.string(), label: z.string() })),
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
  /** Every key of the catalog, empty text where nothing is known; absent in a catalog without columns. */
  fields: z.record(z.string(), z.string()).optional(),
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
  /** Where rows of a file were left out: the address of a file of them, for 24 hours. */
  wrongRows: z.string().optional(),
});
export type AddedAnswer = z.infer<typeof addedSchema>;

/** Why a cell cannot be taken: a number's reasons, and a field of more than 160 characters. */
export const wrongContactReasons = [...wrongNumberReasons, "field-too-long"] as const;
export type WrongContactReason = (typeof wrongContactReasons)[number];

/** A cell of a file, or one of the pasted numbers, that cannot be added. */
export const wrongContactSchema = z.object({
  /** The file's row as a spreadsheet counts, from 1, header and empty rows included; of pasted numbers the place, from 1. */
  row: z.number(),
  /** The file's column, from 1; absent for pasted numbers. */
  column: z.number().optional(),
  /** As it was written, at most 40 characters. */
  value: z.string(),
  reason: z.enum(wrongContactReasons),
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
  /** Of a file: the address of a file of its wrong rows with their reasons, for 24 hours. */
  wrongRows: z.string().optional(),
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
/** Contacts with what is known of each, in place of `phoneNo`. */
const contactsShape = {
  phoneNo: numbersText.optional(),
  contacts: z
    .array(
      z.strictObject({
        phoneNo: z.string().min(1, "is required").max(1_000, "is too long"),
        fields: fieldsSchema.optional(),
      }),
    )
    .min(1, "is required")
    .max(
      personalLimits.contactsPerCallMax,
      `has more than ${personalLimits.contactsPerCallMax.toLocaleString("en")} contacts`,
    )
    .optional(),
  onlyGood: numbersBody.shape.onlyGood,
};
const contactsOf = (body: z.ZodObject<typeof contactsShape>) =>
  body
    .refine(({ phoneNo, contacts }) => phoneNo !== undefined || contacts !== undefined, {
      path: ["phoneNo"],
      message: "is required",
      when: ({ value }) => typeof value === "object" && value !== null,
    })
    .refine(({ phoneNo, contacts }) => phoneNo === undefined || contacts === undefined, {
      path: ["contacts"],
      message: "cannot be sent together with phoneNo",
    });
export const contactsBody = contactsOf(z.object(contactsShape));
/** The same where unknown fields are refused. */
export const strictContactsBody = contactsOf(z.strictObject(contactsShape));
export const newCatalogNumbersBody = numbersBody.extend({ catalogName: catalogNameSchema, code: catalogCodeSchema });

const fileColumnSchema = z.union(
  [z.int().min(1).max(16_384), z.string().min(1).max(500)],
  "takes a column number or a heading",
);
/** JSON in a text part: which column holds the numbers, and which are fields, by key. */
export const mappingSchema = z.strictObject({
  phoneNo: fileColumnSchema,
  fields: z.record(fieldKeySchema, fileColumnSchema).optional(),
  sheet: z.string().max(100).optional(),
  /** The row of the headings, from 1. */
  header: z.int().min(1).max(1_000).optional(),
});
export type ContactFileMapping = z.infer<typeof mappingSchema>;

/** The form fields beside the file `csv` of an upload to a catalog that exists. */
export const existingCatalogUploadFields = z.object({
  onlyGood: onlyGoodText.optional(),
  /** Which columns of the file hold numbers, from 1: "2" or "2,3". Absent: the file itself tells, see `ContactFileReader`. */
  columns: z
    .string()
    .regex(/^[1-9][0-9]{0,2}(?:,[1-9][0-9]{0,2}){0,99}$/, "takes column numbers such as 2 or 2,3")
    .transform((text) => text.split(",").map(Number))
    .optional(),
  mapping: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "is not JSON" });
        return z.NEVER;
      }
    })
    .pipe(mappingSchema)
    .optional(),
});
export const newCatalogUploadFields = existingCatalogUploadFields.extend({
  catalogName: catalogNameSchema,
  code: catalogCodeSchema,
});

const tags: ["Contacts"] = ["Contacts"];
const oneCatalogParams = z.object({ userId: idSchema, catalogId: idSchema });
const UPLOAD_FORM =
  "multipart/form-data: the file (CSV, XLSX or vCard, told by its content, up to 20 MB and 1,000,000 numbers) as csv";

type CatalogChange = { catalogName?: unknown; columns?: unknown };
export const namesChange = ({ catalogName, columns }: CatalogChange): boolean =>
  catalogName !== undefined || columns !== undefined;
export const NAMES_CHANGE = { path: ["catalogName"], message: "is required" };

export const contactSchemas = {
  createCatalog: {
    summary: "Create an empty catalog",
    tags,
    params: userIdParams,
    headers: idempotencyHeaders,
    body: z.object({ catalogName: catalogNameSchema, code: catalogCodeSchema, columns: columnsSchema.optional() }),
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
    summary:
      "The contacts of one catalog with their fields, in their order or by a column, all or those that contain some digits or text; carries the ETag",
    tags,
    params: oneCatalogParams,
    // A cursor is an index, so that any place of the list can be read at once: after=4999 begins with the contact of index 5,000.
    querystring: strictListQuery.extend({
      /** Digits anywhere in the number; 080... finds 23480... too. Of a catalog with columns also any text of a field. */
      search: z.string().max(limits.searchCharactersMax).optional(),
      /** A column's key, or `phoneNo`; empty values stand last. A cursor is then a place in that order. */
      sort: z.string().max(30).optional(),
      order: z.enum(["asc", "desc"]).default("asc"),
    }),
    response: { 200: listAnswer(contactSchema).extend({ etag: z.string() }) },
  },
  editCatalog: {
    summary: "Rename a catalog, or give it other columns: a column whose key is missing goes with its values",
    tags,
    params: oneCatalogParams,
    body: z
      .object({ catalogName: catalogNameSchema.optional(), columns: columnsSchema.optional() })
      .refine(namesChange, NAMES_CHANGE),
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
    summary: "Add numbers, or contacts with their fields, to a catalog; a contact that is there gets the new fields",
    tags,
    params: oneCatalogParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    body: contactsBody,
    response: { 201: dataAnswer(addedSchema.extend({ message: z.string() })) },
  },
  editContact: {
    summary: "Change fields of one contact; those that are not named stay",
    tags,
    params: oneCatalogParams,
    body: z.strictObject({ phoneNo: z.string().min(1, "is required").max(40), fields: fieldsSchema }),
    response: { 200: dataAnswer(contactSchema) },
  },
  uploadToNewTel: {
    summary: `Create a catalog of a file. ${UPLOAD_FORM}; catalogName, code; optionally onlyGood, mapping (JSON: phoneNo, fields, sheet, header)`,
    tags,
    params: userIdParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    response: { 201: dataAnswer(addedSchema) },
  },
  uploadToExistingTel: {
    summary: `Add the numbers of a file to a catalog. ${UPLOAD_FORM}; optionally onlyGood, mapping (JSON: phoneNo, fields, sheet, header)`,
    tags,
    params: oneCatalogParams,
    querystring: onlyGoodQuery,
    headers: idempotencyHeaders,
    response: { 201: dataAnswer(addedSchema) },
  },
  wrongRows: {
    summary:
      "The wrong rows of an uploaded file with their reasons, as a file that can be corrected and uploaded again",
    tags,
    params: z.object({ userId: idSchema, wrongRowsId: idSchema }),
    response: { 200: z.unknown().describe("text/csv") },
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
