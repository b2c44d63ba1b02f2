import { createHmac, timingSafeEqual } from "node:crypto";

/** HMAC-SHA512 over a body's bytes as the provider signs its events, in hexadecimal. */
export function signBody(secretKey: string, body: Buffer): string {
  return createHmac("sha512", secretKey).update(body).digest("hex");
}

/** Takes the same time wherever the two differ. Over the bytes as they came: parsing and writing again changes them. */
export function isSignedBy(secretKey: string, body: Buffer, signature: unknown): boolean {
  if (typeof signature !== "string" || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, "hex"), Buffer.from(signBody(secretKey, body), "hex"));
}
