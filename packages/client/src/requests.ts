/** One call over HTTP: its time limit, its repeats, and what its answer means. */
import { ConnectionError, EwebalError } from "./errors.ts";

export type ClientOptions = {
  /** `ewb_live_...` or `ewb_test_...`. */
  key: string;
  /** Where the service is: `https://sms.example.com`. */
  baseUrl: string;
  /** How often a call is repeated after a failure that may pass; 0 switches repeats off. */
  retriesMax?: number;
  /** How long one try may take. */
  timeoutMs?: number;
  /** Waits that the server asks for and that are longer end the call with its refusal. */
  waitMaxMs?: number;
  /** In place of the platform's. */
  fetch?: typeof fetch;
};

/** What each call may be told beside its own fields. */
export type CallOptions = {
  /** Made by the client when absent. Give the id of your own order to be safe across restarts, too. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

type Request = {
  method: "DELETE" | "GET" | "PATCH" | "POST";
  path: string;
  query?: object | undefined;
  body?: unknown;
  /**
   * `keyed`: doing it twice is prevented by its idempotency key. `repeatable`: doing it twice is doing it once. `once`: repeated only when
   * the server says that it did nothing.
   */
  repeat: "keyed" | "once" | "repeatable";
};

const DEFAULTS = { retriesMax: 3, timeoutMs: 30_000, waitMaxMs: 60_000 };
/** Doubled for each repeat, with full jitter: many clients that fail together must not come back together. */
const BACK_OFF_MS = 500;
const BACK_OFF_MAX_MS = 20_000;
/** The server did nothing, and says so. */
const REFUSED_FOR_NOW = new Set([408, 425, 429, 503]);
/** It is not known what was done. */
const UNCERTAIN = new Set([500, 502, 504]);

type Answer = { status: number; body: Record<string, unknown>; retryAfterMs: number | undefined };

export class Requests {
  readonly #options: ClientOptions & typeof DEFAULTS;
  readonly #base: string;

  constructor(options: ClientOptions) {
    if (options.key === "") throw new TypeError("An API key is needed");
    this.#options = { ...DEFAULTS, ...options };
    this.#base = new URL("/api/v1/", options.baseUrl).href;
  }

  /** @throws EwebalError, ConnectionError. */
  async call<Result>(request: Request, call: CallOptions = {}): Promise<Result> {
    const idempotencyKey = request.repeat === "keyed" ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    for (let repeats = 0; ; repeats += 1) {
      const outcome = await this.#try(request, call.signal, idempotencyKey);
      if (!(outcome instanceof ConnectionError) && isSuccess(outcome)) return outcome.body as Result;
      const waitMs = repeats < this.#options.retriesMax ? this.#waitBefore(repeats, request, outcome) : undefined;
      if (waitMs === undefined) throw outcome instanceof ConnectionError ? outcome : toError(outcome);
      await sleep(waitMs, call.signal);
    }
  }

  /** @returns undefined when the call must not be repeated. */
  #waitBefore(repeats: number, { repeat }: Request, outcome: Answer | ConnectionError): number | undefined {
    const backOffMs = Math.random() * Math.min(BACK_OFF_MAX_MS, BACK_OFF_MS * 2 ** repeats);
    if (outcome instanceof ConnectionError) return repeat === "once" ? undefined : backOffMs;
    const { status, body, retryAfterMs } = outcome;
    // Two calls at once with one key: the first is still at work.
    const isBehindFirst = status === 409 && repeat === "keyed" && retryAfterMs !== undefined;
    const mayPass = REFUSED_FOR_NOW.has(status) || isBehindFirst || (UNCERTAIN.has(status) && repeat !== "once");
    if (!mayPass || body["code"] === "CARDS_OFF") return undefined;
    if (retryAfterMs === undefined) return backOffMs;
    return retryAfterMs > this.#options.waitMaxMs ? undefined : retryAfterMs + Math.random() * BACK_OFF_MS;
  }

  async #try(
    request: Request,
    signal: AbortSignal | undefined,
    key: string | undefined,
  ): Promise<Answer | ConnectionError> {
    const { method, path, query = {}, body } = request;
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query) as [string, string | number | undefined][])
      if (value !== undefined) url.searchParams.set(name, String(value));
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await (this.#options.fetch ?? fetch)(url, {
        method,
        headers: {
          authorization: `Bearer ${this.#options.key}`,
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== undefined && { "idempotency-key": key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        redirect: "error",
      });
      return {
        status: response.status,
        body: readJson(await response.text()),
        retryAfterMs: readRetryAfter(response.headers.get("retry-after")),
      };
    } catch (cause) {
      // Whoever ended the call is told by their own reason.
      signal?.throwIfAborted();
      const why = timeout.aborted ? `No answer within ${this.#options.timeoutMs} ms` : "The service was not reached";
      return new ConnectionError(why, { cause, idempotencyKey: key });
    }
  }
}

/** 503 with `dnd: true` is a send that left out do-not-disturb numbers. */
function isSuccess({ status, body }: Answer): boolean {
  return (status >= 200 && status < 300) || (status === 503 && body["dnd"] === true);
}

function toError({ status, body, retryAfterMs }: Answer): EwebalError {
  const { message, code, fields, requestId } = body as Record<string, never>;
  return new EwebalError({
    status,
    code: code ?? "INTERNAL",
    message: message ?? `The service answered ${status}`,
    fields: fields ?? {},
    requestId,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
    body,
  });
}

/** What a proxy answers may be no JSON; then its status speaks. */
function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^[0-9]+$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}

async function sleep(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, waitMs);
    function done(): void {
      signal?.removeEventListener("abort", stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
