/** A carrier over HTTP, as `CARRIERS` and administrators name it. What its parts mean when a message is sent is in `rules/carriers`. */
import { z } from "zod";
import { messageClasses } from "../../rules/sending/message-class.ts";

/** Providers whose interface is known: `rules/carriers/http-presets.ts`. */
export const httpPresetNames = ["termii", "africastalking", "infobip"] as const;
export type HttpPresetName = (typeof httpPresetNames)[number];

const textUpTo = (charactersMax: number) => z.string().max(charactersMax, `has more than ${charactersMax} characters`);
const scalar = z.union([z.string().max(200), z.number(), z.boolean()]);
const oneOrMore = z.union([scalar, z.array(scalar).min(1).max(50)]);
const status = z.int().min(100).max(599);
const path = textUpTo(200).min(1, "is empty");

export const httpMethods = ["POST", "PUT", "GET"] as const;

/** `refused`: the carrier does not have the message and will not take it. The other two: it does not have it now, for certain. */
export const httpErrorMeanings = ["refused", "throttled", "retry"] as const;

/** The product's words for what a report says: final are all but `sent`. */
export const httpReportStates = ["sent", "delivered", "failed", "dnd"] as const;

export const httpSignatureAlgorithms = ["sha1", "sha256", "sha512"] as const;

const errorMatch = z.union([
  /** The answer's status. */
  status,
  /** Occurs in the answer, whatever the case; three digits are a status, `5xx` any of its kind. */
  textUpTo(200).min(1, "is empty"),
  /** All that is given holds. */
  z.strictObject({ status: status.optional(), path: path.optional(), equals: oneOrMore.optional() }),
]);

export const httpLinkShape = {
  preset: z.enum(httpPresetNames, "is termii, africastalking or infobip").optional(),
  /** With a preset its own one when absent; with no path of its own it gets the preset's. */
  url: textUpTo(2_000).optional(),
  method: z.enum(httpMethods, "must be POST, PUT or GET").optional(),
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "is no name of a header"),
      z
        .string()
        .regex(/^[\x20-\x7e]*$/, "takes ASCII characters of one line")
        .max(2_000),
    )
    .refine((headers) => Object.keys(headers).length <= 50, "are more than 50")
    .optional(),
  /** Texts that templates name by `{{name}}`: keys, passwords, and whatever else belongs to the account. Never shown again. */
  secrets: z
    .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, "is no name of a secret"), textUpTo(2_000))
    .refine((secrets) => Object.keys(secrets).length <= 20, "are more than 20")
    .optional(),
  /** A template. An object is written as the JSON that it is. */
  body: z
    .union([textUpTo(10_000), z.record(z.string(), z.unknown()).transform((body) => JSON.stringify(body))])
    .optional(),
  success: z
    .strictObject({
      /** Any of 2xx when absent. */
      status: z.union([status, z.array(status).min(1).max(20)]).optional(),
      path: path.optional(),
      /** Of what stands at `path`; anything when absent. */
      equals: oneOrMore.optional(),
    })
    .optional(),
  /** Where the carrier's id of the message stands; our `{{id}}` is the id when absent. */
  idPath: path.optional(),
  /** The first that matches decides. */
  errors: z
    .array(z.strictObject({ match: errorMatch, meaning: z.enum(httpErrorMeanings) }))
    .max(50)
    .optional(),
  report: z
    .strictObject({
      /** The secret part of the address that the carrier reports to. */
      path: z
        .string()
        .regex(/^[A-Za-z0-9_-]{6,128}$/, "takes 6 to 128 letters, digits, dashes and underscores")
        .optional(),
      /** How the carrier signs its reports: an HMAC over the body as it came, in a header. A report without a right one is refused. */
      signature: z
        .strictObject({
          header: z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "is no name of a header"),
          algorithm: z.enum(httpSignatureAlgorithms, "is sha1, sha256 or sha512"),
          encoding: z.enum(["hex", "base64"], "is hex or base64").optional(),
          /** The name in `secrets` of the key. */
          secret: textUpTo(40),
        })
        .optional(),
      idPath: path.optional(),
      /** Of several the first whose value `states` names. */
      statePath: z.union([path, z.array(path).min(1).max(5)]).optional(),
      /** The carrier's word and ours, or ours and the carrier's words, whatever the case. What it does not name says nothing final. */
      states: z.record(textUpTo(200), z.union([textUpTo(200), z.array(textUpTo(200)).min(1).max(50)])).optional(),
      /** Number and sender: by them a report settles a message whose answer was lost. */
      toPath: path.optional(),
      fromPath: path.optional(),
      /** Why it failed, in the carrier's words. */
      errorPath: path.optional(),
      /** Messages from phones that come to the same address: where number, our number and text stand. `when` tells them from reports that have these, too. */
      inbound: z
        .strictObject({
          fromPath: path,
          toPath: path,
          textPath: path,
          when: z.strictObject({ path, equals: textUpTo(200) }).optional(),
        })
        .optional(),
    })
    .optional(),
  /** A request that has no whole answer by then is given up. */
  timeoutMs: z
    .int("must be a whole number")
    .min(500, "must be 500 to 120,000")
    .max(120_000, "must be 500 to 120,000")
    .optional(),
};

const httpLinkSchema = z.strictObject(httpLinkShape);
/** How the carrier is spoken to, as it was typed. */
export type HttpLinkFields = z.infer<typeof httpLinkSchema>;

/** What it gets, and how fast; the same as for other carriers. */
export const httpRouteShape = {
  /** Requests under way at one time. */
  window: z.int("must be a whole number").min(1, "must be 1 to 1,000").max(1_000, "must be 1 to 1,000").default(10),
  messagesPerSecond: z.number().min(0.1, "must be 0.1 to 100,000").max(100_000, "must be 0.1 to 100,000").default(100),
  prefixes: z
    .array(z.string().regex(/^[0-9]{1,15}$/, "takes digits only"))
    .max(200, "has more than 200 prefixes")
    .default([]),
  weight: z.number().min(0, "must be 0 to 1,000").max(1_000, "must be 0 to 1,000").default(1),
  priority: z.int("must be a whole number").min(0, "must be 0 to 100").max(100, "must be 0 to 100").default(0),
  classes: z
    .array(z.enum(messageClasses))
    .min(1, "names no class")
    .max(messageClasses.length)
    .default([...messageClasses]),
  reachesDnd: z.boolean().default(false),
};

export const httpCarrierFieldsSchema = z.strictObject({ kind: z.literal("http"), ...httpLinkShape, ...httpRouteShape });
export type HttpCarrierFields = z.infer<typeof httpCarrierFieldsSchema>;
/** What a link is made of, apart from its place in the routes. */
export type HttpRouteFields = Omit<HttpCarrierFields, keyof HttpLinkFields | "kind">;

export const addHttpCarrierBody = httpCarrierFieldsSchema.extend({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/, "takes letters, digits, spaces, dots, dashes and underscores")
    .max(40, "has more than 40 characters"),
});
export type AddHttpCarrierBody = z.infer<typeof addHttpCarrierBody>;

/** One real message, to a number of the administrator's. */
export const testHttpCarrierBody = z.strictObject({
  kind: z.literal("http"),
  ...httpLinkShape,
  /** Whose stored secrets stand for those that are left out. */
  carrierId: z.uuid().optional(),
  to: z.string().regex(/^[0-9]{7,15}$/, "takes the number's digits, with the country code"),
  from: textUpTo(18).min(1, "is required"),
  text: textUpTo(160).min(1, "is required"),
});
export type TestHttpCarrierBody = z.infer<typeof testHttpCarrierBody>;
