import { z } from "zod";
import {
  dataAnswer,
  idSchema,
  listAnswer,
  strictListQuery,
  messageAnswer,
  timeSchema,
  userIdParams,
  noFields,
  type CallSchemas,
} from "./http.ts";
import { messageText } from "./message-parts.ts";

import { personalLimits } from "../rules/personal/personal-limits.ts";

/** A text that a customer keeps to send again. */
export const templateSchema = z.object({
  _id: idSchema,
  name: z.string(),
  message: z.string(),
  createdAt: timeSchema,
  updatedAt: timeSchema,
});
export type TemplateAnswer = z.infer<typeof templateSchema>;

const templateShape = {
  name: z
    .string()
    .trim()
    .min(1, "is required")
    .max(
      personalLimits.templateNameCharactersMax,
      `has more than ${personalLimits.templateNameCharactersMax} characters`,
    )
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "takes no control characters"),
  message: messageText,
};
const templateTags: ["Templates"] = ["Templates"];
const oneTemplateParams = z.object({ userId: idSchema, templateId: idSchema });

export const templateSchemas = {
  templates: {
    summary: "Texts that are kept to send again, newest first",
    tags: templateTags,
    params: userIdParams,
    querystring: strictListQuery,
    response: { 200: listAnswer(templateSchema) },
  },
  addTemplate: {
    summary: "Keep a text to send again",
    tags: templateTags,
    params: userIdParams,
    body: z.strictObject(templateShape),
    response: { 201: dataAnswer(templateSchema) },
  },
  editTemplate: {
    summary: "Change a kept text or its name",
    tags: templateTags,
    params: oneTemplateParams,
    body: z
      .strictObject(templateShape)
      .partial()
      .refine((body) => Object.values(body).some((value) => value !== undefined), {
        path: ["body"],
        message: "names nothing to change",
      }),
    response: { 200: dataAnswer(templateSchema) },
  },
  deleteTemplate: {
    summary: "Delete a kept text",
    tags: templateTags,
    params: oneTemplateParams,
    body: noFields,
    response: { 200: messageAnswer },
  },
} as const satisfies CallSchemas;
