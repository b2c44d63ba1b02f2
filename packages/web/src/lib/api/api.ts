/**
 * The one way to the server: `call(accountCalls.viewOneUser, input)` with a call of the contract. Bodies, queries and answers
 * have the contract's types; a refusal is thrown as `ApiError`, a lost network as `NetworkError`.
 */
import type { ErrorBody, ErrorCode } from "@ewebal/contract";
import type { Call } from "@ewebal/contract/calls";
import { isPersonThere } from "../session/activity.ts";

type SchemaOf<T> = T extends Call<infer S> ? S : never;
type ResponsesOf<T> = SchemaOf<T> extends { response: infer R } ? R : never;
type InputOf<T> = T extends { _zod: { input: infer I } } ? I : never;
type OutputOf<T> = T extends { _zod: { output: infer O } } ? O : never;

type Part<T, From extends string, To extends string> =
  SchemaOf<T> extends Record<From, infer P> ? { [key in To]: InputOf<P> } : { [key in To]?: never };
type OptionalPart<T, From extends string, To extends string> =
  SchemaOf<T> extends Record<From, infer P> ? { [key in To]?: InputOf<P> } : { [key in To]?: never };

/** A call whose body may be left out takes one that may be, too. */
type BodyPart<T> =
  SchemaOf<T> extends Record<"body", infer P>
    ? undefined extends InputOf<P>
      ? OptionalPart<T, "body", "body">
      : Part<T, "body", "body">
    : { body?: never };

/** What a call takes: exactly the parts that its contract has. */
export type CallInput<T> = Part<T, "params", "params"> &
  BodyPart<T> &
  OptionalPart<T, "querystring", "query"> &
  OptionalPart<T, "headers", "headers"> & { signal?: AbortSignal };

/** Any answer that the contract lists for the call, an "503 sent, DND found" among them. */
export type Answer<T> = OutputOf<ResponsesOf<T>[keyof ResponsesOf<T>]>;

type NeedsInput<T> = SchemaOf<T> extends { params: unknown } | { body: unknown } ? true : false;
type InputArguments<T> = NeedsInput<T> extends true ? [input: CallInput<T>] : [input?: CallInput<T>];

/** The server answered, and the answer is a refusal. `fields` names each wrong field. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  /** The whole answer, for a refusal that says more than all refusals do. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.body = body;
    this.status = status;
    this.code = body.code;
    this.fields = body.fields ?? {};
    this.requestId = body.requestId;
  }
}

/** There was no answer at all. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

const CODE_HEADER = "x-second-factor";

/** Asks the person for a code and repeats the refused call with it. @throws the refusal, when the person gives none. */
export type CodeAsker = <T>(refusal: ApiError, repeat: (code: string) => Promise<T>) => Promise<T>;

let askForCode: CodeAsker | undefined;

/** Sets who asks for a second factor that a call needs; without one the refusal is the page's to show. */
export function setCodeAsker(asker: CodeAsker | undefined): void {
  askForCode = asker;
}

type LooseInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
};

/**
 * Calls the server.
 *
 * @throws ApiError for every answer that the contract does not list for this call. A missing second factor is asked for first.
 * @throws NetworkError when no answer came.
 */
export async function call<const T extends Call>(route: T, ...[input]: InputArguments<T>): Promise<Answer<T>> {
  const { params, query, body, headers, signal } = (input ?? {}) as LooseInput;
  const response = await send(route.method, fillAddress(route.url, params, query), { body, headers, signal });
  const answer = await readJson(response);
  if (response.ok || route.isAnswer?.(response.status, answer) === true) return answer as Answer<T>;
  const refusal = new ApiError(response.status, toErrorBody(response.status, answer));
  if (refusal.code !== "CODE_REQUIRED" || askForCode === undefined || headers?.[CODE_HEADER] !== undefined)
    throw refusal;
  return await askForCode(refusal, async (code) => {
    const again = { ...input, headers: { ...headers, [CODE_HEADER]: code } };
    return await call(route, ...([again] as unknown as InputArguments<T>));
  });
}

/** Like `call`, for an answer that is a file of text. @throws ApiError, NetworkError as `call` does. */
export async function callText<const T extends Call>(route: T, ...[input]: InputArguments<T>): Promise<string> {
  const { params, query, signal } = (input ?? {}) as LooseInput;
  const response = await send(route.method, fillAddress(route.url, params, query), { signal });
  if (!response.ok) throw new ApiError(response.status, toErrorBody(response.status, await readJson(response)));
  try {
    return await response.text();
  } catch (error) {
    throw new NetworkError("The answer broke off", { cause: error });
  }
}

/** Puts parameters and query into a contract's address; values are escaped. */
export function fillAddress(
  url: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = url.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== "string" || value === "") throw new Error(`The address ${url} needs ${name}`);
    return encodeURIComponent(value);
  });
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? path : `${path}?${search}`;
}

async function send(
  method: Call["method"],
  address: string,
  parts: Omit<LooseInput, "params" | "query">,
): Promise<Response> {
  const headers = new Headers({ accept: "application/json" });
  for (const [name, value] of Object.entries(parts.headers ?? {})) if (value !== undefined) headers.set(name, value);
  if (method === "GET" && !isPersonThere()) headers.set("x-background", "1");
  const isForm = parts.body instanceof FormData; // The browser writes the boundary of a form itself.
  if (parts.body !== undefined && !isForm) headers.set("content-type", "application/json");
  try {
    return await fetch(address, {
      method,
      headers,
      body: isForm ? (parts.body as FormData) : JSON.stringify(parts.body),
      signal: parts.signal ?? null,
    });
  } catch (error) {
    if (parts.signal?.aborted === true) throw error;
    throw new NetworkError("No answer from the server", { cause: error });
  }
}

/** @returns undefined when the body is no JSON, as from a proxy that answers in place of the server. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new NetworkError("The answer broke off", { cause: error });
  }
}

/** The refusal in an answer; a proxy that answers in place of the server says nothing of use. */
export function toErrorBody(status: number, answer: unknown): ErrorBody {
  if (typeof answer === "object" && answer !== null && "message" in answer && typeof answer.message === "string") {
    return { code: "INTERNAL", ...answer, message: answer.message };
  }
  return {
    code: status === 503 || status === 502 || status === 504 ? "UNAVAILABLE" : "INTERNAL",
    message: "The service is not available at the moment",
  };
}
