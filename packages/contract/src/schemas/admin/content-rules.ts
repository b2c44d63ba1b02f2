import { z } from "zod";
import { foldSenderName, hasWord, hostOfPattern, ruleActions, rulePlaces } from "../../rules/sending/content-rules.ts";
import {
  adminIdParams,
  dataAnswer,
  dialCodeSchema,
  idSchema,
  listAnswer,
  listQuery,
  messageAnswer,
  timeSchema,
  type CallSchemas,
} from "../http.ts";
import { limits } from "../../limits.ts";

const PATTERN_CHARACTERS_MAX = 100;
/** More are read by nobody; each is compared with every text. */
export const CONTENT_RULES_MAX = 500;

const ruleShape = {
  /** Words, a host name, or a sender name; no regular expression. */
  pattern: z
    .string()
    .trim()
    .min(1, "is required")
    .max(PATTERN_CHARACTERS_MAX, `has more than ${PATTERN_CHARACTERS_MAX} characters`),
  where: z.enum(rulePlaces),
  /** Dialling codes; none means all. */
  countries: z.array(dialCodeSchema).max(250, "has more than 250 codes"),
  /** Names of networks, such as MTN; none means all. */
  networks: z.array(z.string().trim().min(1, "is empty").max(40, "is too long")).max(50, "has more than 50 networks"),
  action: z.enum(ruleActions),
  /** What the sender is told. */
  note: z.string().trim().max(limits.reasonCharactersMax, `has more than ${limits.reasonCharactersMax} characters`),
  /** False: kept, and holds for nothing. */
  isEnabled: z.boolean(),
};

/** @returns what is wrong with a pattern for its place; undefined when it can be compared. */
export function findPatternFault({ where, pattern }: { where: string; pattern: string }): string | undefined {
  if (where === "link") return hostOfPattern(pattern) === "" ? "must be a host name such as bit.ly" : undefined;
  if (where === "sender") return foldSenderName(pattern) === "" ? "must have a letter or a digit" : undefined;
  return hasWord(pattern) ? undefined : "must have a letter or a digit";
}

export const addContentRuleBody = z
  .strictObject({
    ...ruleShape,
    countries: ruleShape.countries.default([]),
    networks: ruleShape.networks.default([]),
    note: ruleShape.note.default(""),
    isEnabled: ruleShape.isEnabled.default(true),
  })
  .superRefine((rule, context) => {
    const fault = findPatternFault(rule);
    if (fault !== undefined) context.addIssue({ code: "custom", path: ["pattern"], message: fault });
  });
export type AddContentRuleBody = z.infer<typeof addContentRuleBody>;

/** What is left out stays as it is. */
export const editContentRuleBody = z
  .strictObject(ruleShape)
  .partial()
  .refine((body) => Object.keys(body).length > 0, { path: ["pattern"], message: "names nothing to change" });
export type EditContentRuleBody = z.infer<typeof editContentRuleBody>;

export const contentRuleSchema = z.object({
  _id: idSchema,
  pattern: z.string(),
  where: z.enum(rulePlaces),
  countries: z.array(z.string()),
  networks: z.array(z.string()),
  action: z.enum(ruleActions),
  note: z.string(),
  isEnabled: z.boolean(),
  createdAt: timeSchema,
});
export type ContentRuleAnswer = z.infer<typeof contentRuleSchema>;

/** A message that an administrator is to look at before it is sent. */
export const reviewSchema = z.object({
  /** The message's. */
  _id: idSchema,
  userID: idSchema,
  userName: z.string(),
  senderName: z.string(),
  message: z.string(),
  recipients: z.number(),
  /** Units that are held for it. */
  charge: z.number(),
  /** Why. */
  note: z.string(),
  createdAt: timeSchema,
});
export type ReviewAnswer = z.infer<typeof reviewSchema>;

const tags: ["Content rules"] = ["Content rules"];
const ruleParams = adminIdParams.extend({ ruleId: idSchema });

export const contentRuleSchemas = {
  viewContentRules: {
    summary: "Words, links and sender names that are refused, looked at first, or warned of (administrators)",
    tags,
    response: { 200: listAnswer(contentRuleSchema) },
  },
  addContentRule: {
    summary: "Add a rule; it holds at once (administrators)",
    tags,
    params: adminIdParams,
    body: addContentRuleBody,
    response: { 201: dataAnswer(contentRuleSchema) },
  },
  editContentRule: {
    summary: "Change a rule; it holds at once (administrators)",
    tags,
    params: ruleParams,
    body: editContentRuleBody,
    response: { 200: dataAnswer(contentRuleSchema) },
  },
  removeContentRule: {
    summary: "Remove a rule (administrators)",
    tags,
    params: ruleParams,
    response: { 200: messageAnswer },
  },
  viewReviews: {
    summary: "Messages that wait for an administrator before they are sent, newest first (administrators)",
    tags,
    querystring: listQuery,
    response: { 200: listAnswer(reviewSchema) },
  },
} as const satisfies CallSchemas;
