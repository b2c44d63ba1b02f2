/** 128 random bits as 32 characters. `crypto.randomUUID` is only there on encrypted pages and localhost. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
