/** Signatures of posts, by Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks, part "Signature scheme". */
import { createHmac } from "node:crypto";

/** What a secret begins with; the key in base64 follows. */
export const SECRET_PREFIX = "whsec_";

/**
 * Signs one try.
 *
 * @param secrets `whsec_...`; with two of them either verifies.
 * @returns the headers of one try.
 */
export function signPost(
  { eventId, body, sentAt }: { eventId: string; body: string; sentAt: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(sentAt.getTime() / 1_000);
  const signed = `${eventId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
