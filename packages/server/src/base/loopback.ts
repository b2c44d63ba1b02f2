/** Recognises addresses of this machine: such traffic needs no encryption and comes from nobody else. */
import { isIP } from "node:net";

/** @param host a name or an address, without brackets and port. */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^::ffff:/, "");
  return plain === "localhost" || plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Whether an address leads to the machine on which it is opened. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopback(hostOf(URL.parse(url)));
}

/** @returns the name or address without brackets; the empty text where there is none. */
export function hostOf(url: URL | null): string {
  return (url?.hostname ?? "").replace(/^\[(.*)\]$/, "$1");
}
