import { z } from "zod";
import { limits } from "../limits.ts";
import { DIAL_CODE_FORM } from "../rules/money/rates.ts";

/**
 * What a call takes and answers, and how the reference describes it. The shape is what Fastify takes as a route's `schema`;
 * method and address stand in `calls/`.
 */
export type CallSchema = {
  readonly summary: string;
  readonly tags: readonly [string];
  readonly params?: z.ZodType;
  readonly querystring?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: Readonly<Record<number, z.ZodType>>;
};

/** A group of calls by name. */
export type CallSchemas = Readonly<Record<string, CallSchema>>;

/** Ids are UUIDv7: unguessable enough, never sequential, and in order of time for the database. */
export const idSchema = z.uuid();

/** Of at most `CODE_DIGITS_MAX` digits. */
export const dialCodeSchema = z.string().regex(DIAL_CODE_FORM, "is not a dialling code");

export const messageAnswer = z.object({ message: z.string() });

/** What numbers were read as something else than what was written: `RepairCounts`. */
export const repairCountsSchema = z.object({
  leadingZero: z.number().optional(),
  decimals: z.number().optional(),
  apostrophe: z.number().optional(),
  trunkZero: z.number().optional(),
  internationalPrefix: z.number().optional(),
  blanks: z.number().optional(),
  digits: z.number().optional(),
});

/** `{ message, data }`: the answer of every call that is not a list. */
export function dataAnswer<T extends z.ZodType>(data: T) {
  return z.object({ message: z.string(), data });
}

/** `{ data: [...], next }`: newest first; `next` is the cursor for `?after=`, null at the end. */
export function listAnswer<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), next: z.string().nullable() });
}

/** Query of every list. Numbers arrive as text in an address, so this one place reads them. */
export const listQuery = z.object({
  limit: z
    .string()
    .regex(/^[0-9]{1,3}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(1).max(limits.listRowsMax))
    .default(limits.listRowsDefault),
  after: z.string().max(200).optional(),
});
/** The same where unknown fields are refused. */
export const strictListQuery = z.strictObject({ ...listQuery.shape });

/** For calls that need to be told nothing. Without a body Fastify hands over null. */
export const noFields = z.strictObject({}).nullish();
/** Of a call that reads one thing: a parameter after the question mark is a mistake, and is told. */
export const noQuery = z.strictObject({});

/** What a list's rows are read with: how many, and the cursor behind which they start. */
export type ListQuery = z.infer<typeof listQuery>;

export const userIdParams = z.object({ userId: idSchema });
export const adminIdParams = z.object({ adminId: idSchema });

/** 1 to 200 visible ASCII characters. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .max(limits.idempotencyKeyCharactersMax)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters")
    .optional(),
});

/** A whole number of times as ISO 8601 text in UTC, as every `createdAt` is sent. */
export const timeSchema = z.iso.datetime();
