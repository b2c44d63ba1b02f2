/** Webhooks by the Standard Webhooks specification: is it from the service, and what does it say? */
import { WebhookSignatureError } from "./errors.ts";
import type { WebhookEvent } from "./types.ts";

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookToVerify = {
  /** The body as it came, before any parsing. */
  body: string | Uint8Array;
  /** With `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
  headers: HeaderBag;
  /** `whsec_...` of the endpoint; two while it is rotated. */
  secret: string | readonly string[];
  /** How old or new the time of the try may be. */
  toleranceSeconds?: number;
  now?: Date;
};

const TOLERANCE_SECONDS = 300;

/**
 * @returns the event. Its `id` is the same at every try: what was seen before has been done.
 * @throws WebhookSignatureError.
 */
export async function verifyWebhook(webhook: WebhookToVerify): Promise<WebhookEvent & { id: string }> {
  const { headers, secret, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = webhook;
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature").split(" ");
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookSignatureError("webhook-timestamp is no time");
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookSignatureError("The webhook is too old, or this clock is wrong");
  const body = typeof webhook.body === "string" ? webhook.body : new TextDecoder().decode(webhook.body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of typeof secret === "string" ? [secret] : secret)
    if (await isSigned(signed, signatures, one)) return { ...(JSON.parse(body) as WebhookEvent), id };
  throw new WebhookSignatureError("No signature is of this secret");
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string,
): Promise<boolean> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (bytes === undefined) throw new WebhookSignatureError("The secret is not whsec_ and base64");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  for (const signature of signatures) {
    const [version, value = ""] = signature.split(",");
    const given = version === "v1" ? fromBase64(value) : undefined;
    // The platform compares in constant time.
    if (given !== undefined && (await crypto.subtle.verify("HMAC", key, given, signed))) return true;
  }
  return false;
}

function readHeader(headers: HeaderBag, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (typeof value !== "string" || value === "") throw new WebhookSignatureError(`The header ${name} is missing`);
  return value;
}

function findHeader(headers: Exclude<HeaderBag, Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.[0];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return undefined;
  }
}
