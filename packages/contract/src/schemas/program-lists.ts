/** What programs keep and read beside messages: the same entities and fields as on the dashboard, unknown ones refused. */
import { z } from "zod";
import {
  dataAnswer,
  idempotencyHeaders,
  idSchema,
  listAnswer,
  messageAnswer,
  strictListQuery,
  noFields,
  noQuery,
  type CallSchemas,
} from "./http.ts";
import { billingSchemas, statementRowSchema } from "./billing.ts";
import {
  addedSchema,
  catalogCodeSchema,
  catalogNameSchema,
  catalogSchema,
  contactSchema,
  contactSchemas,
  namesChange,
  NAMES_CHANGE,
  columnsSchema,
  strictContactsBody,
} from "./contacts.ts";
import { inboundSchema, inboxQuery, inboxSchemas } from "./inbox.ts";
import { optOutsAdded, optOutsBody, optOutSchema, optOutsQuery, optOutsRemoved } from "./opt-outs.ts";
import { rateRowSchema } from "./brand.ts";
import { templateSchema, templateSchemas } from "./templates.ts";

const catalogTags: ["API v1: Catalogs"] = ["API v1: Catalogs"];
const oneCatalogParams = z.strictObject({ catalogId: idSchema });

const catalogSchemasOfPrograms = {
  listCatalogs: {
    summary: "Catalogs, newest first, each with its count and its first 100 contacts",
    tags: catalogTags,
    querystring: z.strictObject({ ...contactSchemas.populateCatalogs.querystring.shape }),
    response: { 200: listAnswer(catalogSchema) },
  },
  createCatalog: {
    summary: "Create an empty catalog, with the columns that are kept of each contact",
    tags: catalogTags,
    querystring: noQuery,
    headers: idempotencyHeaders,
    body: z.strictObject({
      catalogName: catalogNameSchema,
      code: catalogCodeSchema,
      columns: columnsSchema.optional(),
    }),
    response: { 201: dataAnswer(z.object({ _id: idSchema })) },
  },
  viewCatalog: {
    summary: "One catalog with its count, its ETag and its first 100 contacts",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    response: { 200: dataAnswer(catalogSchema) },
  },
  editCatalog: {
    summary: "Rename a catalog, or give it other columns: a column whose key is missing goes with its values",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    body: z
      .strictObject({ catalogName: catalogNameSchema.optional(), columns: columnsSchema.optional() })
      .refine(namesChange, NAMES_CHANGE),
    response: { 200: messageAnswer },
  },
  deleteCatalog: {
    summary: "Delete a catalog and its contacts",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
  listContacts: {
    summary:
      "The contacts of a catalog with their fields, in their order or by a column, all or those that a search finds",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: z.strictObject({ ...contactSchemas.contacts.querystring.shape }),
    response: { 200: contactSchemas.contacts.response[200] },
  },
  addContacts: {
    summary: "Add numbers, or contacts with their fields, to a catalog; a contact that is there gets the new fields",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    headers: idempotencyHeaders,
    body: strictContactsBody,
    response: { 201: dataAnswer(addedSchema) },
  },
  editContact: {
    summary: "Change fields of one contact; those that are not named stay",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    body: contactSchemas.editContact.body,
    response: { 200: dataAnswer(contactSchema) },
  },
  deleteContact: {
    summary: "Take a number out of a catalog",
    tags: catalogTags,
    params: oneCatalogParams,
    querystring: noQuery,
    body: z.strictObject({ phoneNo: contactSchemas.editContact.body.shape.phoneNo }),
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

const optOutTags: ["API v1: Opt-outs"] = ["API v1: Opt-outs"];

const optOutSchemasOfPrograms = {
  listOptOuts: {
    summary: "Numbers that opted out, newest first; with format=csv all that the search leaves, as a file",
    tags: optOutTags,
    querystring: optOutsQuery,
    response: { 200: listAnswer(optOutSchema) },
  },
  addOptOuts: {
    summary: "Put numbers onto the list of opt-outs",
    tags: optOutTags,
    querystring: noQuery,
    body: optOutsBody,
    response: { 201: optOutsAdded },
  },
  removeOptOuts: {
    summary: "Take numbers off the list of opt-outs",
    tags: optOutTags,
    querystring: noQuery,
    body: optOutsBody,
    response: { 200: optOutsRemoved },
  },
} as const satisfies CallSchemas;

const templateTags: ["API v1: Templates"] = ["API v1: Templates"];
const oneTemplateParams = z.strictObject({ templateId: idSchema });

const templateSchemasOfPrograms = {
  listTemplates: {
    summary: "Texts that are kept to send again, newest first",
    tags: templateTags,
    querystring: strictListQuery,
    response: { 200: listAnswer(templateSchema) },
  },
  addTemplate: {
    summary: "Keep a text to send again",
    tags: templateTags,
    querystring: noQuery,
    body: templateSchemas.addTemplate.body,
    response: { 201: dataAnswer(templateSchema) },
  },
  viewTemplate: {
    summary: "One kept text",
    tags: templateTags,
    params: oneTemplateParams,
    querystring: noQuery,
    response: { 200: dataAnswer(templateSchema) },
  },
  editTemplate: {
    summary: "Change a kept text or its name",
    tags: templateTags,
    params: oneTemplateParams,
    querystring: noQuery,
    body: templateSchemas.editTemplate.body,
    response: { 200: dataAnswer(templateSchema) },
  },
  deleteTemplate: {
    summary: "Delete a kept text",
    tags: templateTags,
    params: oneTemplateParams,
    querystring: noQuery,
    body: noFields,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;

const inboxTags: ["API v1: Inbox"] = ["API v1: Inbox"];

const inboxSchemasOfPrograms = {
  listInbox: {
    summary: "Messages from phones to the account's numbers, newest first; with from those of one person",
    tags: inboxTags,
    querystring: inboxQuery,
    response: { 200: listAnswer(inboundSchema) },
  },
  replyToInbox: {
    summary: "Answer a message from a phone, from the number that it was sent to. 503 with dnd: true as any send",
    tags: inboxTags,
    params: z.strictObject({ inboxId: idSchema }),
    querystring: noQuery,
    headers: idempotencyHeaders,
    body: inboxSchemas.reply.body,
    response: inboxSchemas.reply.response,
  },
} as const satisfies CallSchemas;

const accountTags: ["API v1: Account"] = ["API v1: Account"];

/** A name that the account may send as. */
export const senderSchema = z.object({ senderName: z.string(), state: z.literal("approved") });
export type SenderAnswer = z.infer<typeof senderSchema>;

const wholeListQuery = z.strictObject({
  ...strictListQuery.shape,
  limit: strictListQuery.shape.limit.unwrap().optional(),
});

const accountSchemasOfPrograms = {
  balance: {
    summary: "The units that can be spent",
    tags: accountTags,
    querystring: noQuery,
    response: { 200: dataAnswer(z.object({ units: z.number() })) },
  },
  statement: {
    summary: "The movements of the units with their causes, newest first; with format=csv all of these, oldest first",
    tags: accountTags,
    querystring: z.strictObject({ ...billingSchemas.statement.querystring.shape }),
    response: { 200: listAnswer(statementRowSchema) },
  },
  listSenders: {
    summary: "The sender names that the account may send as; all of them, or with limit page by page",
    tags: accountTags,
    querystring: wholeListQuery,
    response: { 200: listAnswer(senderSchema) },
  },
  listRates: {
    summary: "What a page costs, by country; all of them, or with limit page by page, with code one code's",
    tags: accountTags,
    querystring: wholeListQuery.extend({
      code: z
        .string()
        .regex(/^[0-9]{1,15}$/, "is not a dialling code")
        .optional(),
    }),
    response: { 200: listAnswer(rateRowSchema) },
  },
} as const satisfies CallSchemas;

export const programListSchemas = {
  ...catalogSchemasOfPrograms,
  ...templateSchemasOfPrograms,
  ...optOutSchemasOfPrograms,
  ...inboxSchemasOfPrograms,
  ...accountSchemasOfPrograms,
} as const satisfies CallSchemas;
