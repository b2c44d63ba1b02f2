import type { MemberRole } from "../rules/member-roles.ts";
import type { CallSchemas } from "../schemas/http.ts";

/**
 * A call's method and address, without the schemas that check it: zod weighs 23 kB (brotli), which a first visit need not
 * fetch. Only the schemas' types come along, in a property that is never set here.
 */
export type Call<S = CallSchemas[string]> = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The whole path below the host, parameters as `:name`. */
  readonly url: `/${string}`;
  readonly schema?: S;
  /** The least role in which a member of a customer's account may make the call. Absent for calls that are not made by signed-in customers. */
  readonly leastRole?: MemberRole;
  /** For a call that answers outside 2xx as well: tells such an answer from a refusal with the same status. */
  readonly isAnswer?: (status: number, answer: unknown) => boolean;
};

/** One call for each entry of a group of schemas; the compiler misses none and takes no other. */
export type Calls<S extends CallSchemas> = { readonly [name in keyof S]: Call<S[name]> };
