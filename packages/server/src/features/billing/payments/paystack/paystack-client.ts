/** Calls Paystack's published API. Never call it inside a transaction: an answer may take long. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../../../base/errors.ts";
import { initializedSchema, type ProviderTransaction, refusedSchema, verifiedSchema } from "./paystack-answers.ts";

const TIMEOUT_MS = 10_000;
/** An answer about one transaction is a few kilobytes. */
const ANSWER_BYTES_MAX = 512 * 1024;
/** A question changes nothing, so after a lost answer it is asked once more at once. */
const READ_TRIES_MAX = 2;

export type Transport = (address: string, init: RequestInit) => Promise<Response>;

export type PaystackSettings = {
  secretKey: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /** The network's, or the sandbox's. */
  transport: Transport;
  /** Whose host a checkout address must have; the base address unless the provider's pages are elsewhere. */
  checkoutUrl?: string;
  timeoutMs?: number;
};

export type Beginning = { email: string; totalKobo: number; reference: string; callbackUrl: string };

export type BeginOutcome =
  | { kind: "begun"; authorizationUrl: string }
  /** The provider refused this payment: it does not exist there. */
  | { kind: "refused"; reason: string };

export type FindOutcome = { kind: "found"; transaction: ProviderTransaction } | { kind: "unknown" };

/** The provider could not be reached, or its answer cannot be read: what happened there is unknown. */
export class ProviderUnclearError extends AppError {
  constructor(detail: string, cause?: unknown) {
    super("UNAVAILABLE", {
      message: "The card provider does not answer. Please try again in a moment",
      cause: cause ?? new Error(detail),
    });
  }
}

/**
 * Registers a stored payment with the provider. Call it once for each reference: the provider refuses a second call as a
 * duplicate, without the address of the checkout page.
 *
 * @throws ProviderUnclearError when the provider may or may not know the payment now.
 */
export async function beginTransaction(settings: PaystackSettings, beginning: Beginning): Promise<BeginOutcome> {
  const { status, json } = await ask(settings, "POST", "/transaction/initialize", {
    email: beginning.email,
    amount: beginning.totalKobo,
    currency: "NGN",
    reference: beginning.reference,
    callback_url: beginning.callbackUrl,
  });
  if (isRefusal(status)) return { kind: "refused", reason: reasonOf(status, json) };
  const answer = initializedSchema.safeParse(json);
  if (status >= 300 || !answer.success)
    throw new ProviderUnclearError(`The provider answered ${status} to a beginning`);
  const { reference, authorization_url: authorizationUrl } = answer.data.data;
  if (reference !== beginning.reference) throw new ProviderUnclearError("The provider answered with another reference");
  if (!isCheckoutAddress(authorizationUrl, settings.checkoutUrl ?? settings.baseUrl)) {
    throw new ProviderUnclearError("The provider's checkout page is on another host");
  }
  return { kind: "begun", authorizationUrl };
}

/**
 * Asks what became of a payment.
 *
 * @throws ProviderUnclearError; the question may be asked again at any time.
 */
export async function findTransaction(settings: PaystackSettings, reference: string): Promise<FindOutcome> {
  const { status, json } = await askAgain(settings, `/transaction/verify/${encodeURIComponent(reference)}`);
  // The reference says 404; the service itself answers 400.
  if (status === 404 || status === 400) return { kind: "unknown" };
  const answer = verifiedSchema.safeParse(json);
  if (status !== 200 || !answer.success)
    throw new ProviderUnclearError(`The provider answered ${status} to a question: ${reasonOf(status, json)}`);
  return { kind: "found", transaction: answer.data.data };
}

export type Charge = { email: string; totalKobo: number; reference: string; authorizationCode: string };

export type ChargeOutcome =
  | { kind: "answered"; transaction: ProviderTransaction }
  | { kind: "refused"; reason: string };

/**
 * Charges a kept card for a stored payment. Call it once for each reference; what came of an answer that was lost, `findTransaction` tells.
 *
 * @returns `refused` when the provider did not take it: a card that it does not know any more, or a reference that was used.
 * @throws ProviderUnclearError when the card may or may not be charged now.
 */
export async function chargeAuthorization(settings: PaystackSettings, charge: Charge): Promise<ChargeOutcome> {
  const { status, json } = await ask(settings, "POST", "/transaction/charge_authorization", {
    email: charge.email,
    amount: charge.totalKobo,
    currency: "NGN",
    reference: charge.reference,
    authorization_code: charge.authorizationCode,
  });
  if (isRefusal(status)) return { kind: "refused", reason: reasonOf(status, json) };
  const answer = verifiedSchema.safeParse(json);
  if (status >= 300 || !answer.success) throw new ProviderUnclearError(`The provider answered ${status} to a charge`);
  return { kind: "answered", transaction: answer.data.data };
}

/** Too many calls and a slow request say nothing about what was asked. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429 && status !== 408;
}

type RawAnswer = { status: number; json: unknown };

/** For questions: asked once more after a lost answer. */
export async function askAgain(settings: PaystackSettings, path: string): Promise<RawAnswer> {
  for (let tries = 1; ; tries += 1) {
    try {
      const answer = await ask(settings, "GET", path);
      if (answer.status < 500 || tries >= READ_TRIES_MAX) return answer;
    } catch (error) {
      if (tries >= READ_TRIES_MAX) throw error;
    }
  }
}

export async function ask(
  settings: PaystackSettings,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<RawAnswer> {
  try {
    const response = await settings.transport(`${settings.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${settings.secretKey}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(settings.timeoutMs ?? TIMEOUT_MS),
      // The key must not be sent to another host.
      redirect: "error",
    });
    return { status: response.status, json: parseJson(await readBounded(response)) };
  } catch (error) {
    throw error instanceof ProviderUnclearError
      ? error
      : new ProviderUnclearError("The provider was not reached", error);
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new ProviderUnclearError("The provider's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** @returns undefined for what is no JSON: the page of a proxy, or of a server that fails. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function reasonOf(status: number, json: unknown): string {
  const { message, code } = refusedSchema.safeParse(json).data ?? {};
  return `${status} ${code ?? ""} ${message ?? ""}`.trim().slice(0, 200);
}

/** Where the provider's own checkout pages are, wherever its calls are answered. */
const PAYSTACK_DOMAINS = ["paystack.com", "paystack.co"];

/**
 * Customers are redirected there, so a tampered answer must not choose the host.
 *
 * @param address what the provider answered.
 * @param providerUrl the provider's address in the settings.
 */
export function isCheckoutAddress(address: string, providerUrl: string): boolean {
  const url = URL.parse(address);
  const provider = new URL(providerUrl);
  if (url === null || url.username !== "" || url.password !== "") return false;
  if (url.protocol === provider.protocol && url.hostname === provider.hostname) return true;
  const isPaystack = PAYSTACK_DOMAINS.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  return isPaystack && url.protocol === "https:" && url.port === "";
}

/** HMAC-SHA512 over a body's bytes as the provider signs its events, in hexadecimal. */
export function signBody(secretKey: string, body: Buffer): string {
  return createHmac("sha512", secretKey).update(body).digest("hex");
}

/** Compares in constant time, over the bytes as they came: parsing and serializing would change them. */
export function isSignedBy(secretKey: string, body: Buffer, signature: unknown): boolean {
  if (typeof signature !== "string" || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(signBody(secretKey, body), "hex"));
}
