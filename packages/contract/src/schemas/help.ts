import { z } from "zod";
import { emailSchema, personNameSchema } from "./accounts.ts";
import { idempotencyHeaders, messageAnswer, type CallSchemas } from "./http.ts";
import { limits } from "../limits.ts";

/** What a visitor writes on the contact page. Subject and name become parts of a mail's head, so they are one line each. */
export const helpRequestSchema = z.object({
  userName: personNameSchema,
  email: emailSchema,
  subject: z
    .string()
    .trim()
    .min(1, "is required")
    .max(limits.subjectCharactersMax, `takes at most ${limits.subjectCharactersMax} characters`)
    .regex(/^\P{Cc}*$/u, "takes one line"),
  message: z
    .string()
    .trim()
    .min(1, "is required")
    .max(limits.helpMessageCharactersMax, `takes at most ${limits.helpMessageCharactersMax} characters`)
    // PostgreSQL stores no NUL.
    .regex(/^[^\0]*$/, "takes no control characters"),
});
export type HelpRequest = z.infer<typeof helpRequestSchema>;

export const helpSchemas = {
  needHelp: {
    summary: "Write to the company; a mail with the writer's reply address goes to its management",
    tags: ["Site"],
    headers: idempotencyHeaders,
    body: helpRequestSchema,
    response: { 201: messageAnswer },
  },
} as const satisfies CallSchemas;
