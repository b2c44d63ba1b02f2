/** What the address of a visitor counts as: one place of a limit, or none when many visitors share it. */
import { isIP, isIPv6 } from "node:net";

/** Groups of 16 bits in the prefix that a network gives to one customer (narrow) or to one business (wide). */
const PREFIX_GROUPS = { narrow: 4, wide: 3 } as const;

/** The address that limits count by. A visitor with one IPv6 address usually has the other 2^64 of its network as well. */
export function clientKey(address: string): string {
  return prefixOf(address, PREFIX_GROUPS.narrow);
}

/** Like `clientKey`, but for visitors who have many networks: a /48 of IPv6 has 65,536 of them. An IPv4 address counts for itself. */
export function wideClientKey(address: string): string {
  return prefixOf(address, PREFIX_GROUPS.wide);
}

function prefixOf(address: string, groupCount: number): string {
  const plain = (/^::ffff:(\d.*)$/i.exec(address)?.[1] ?? address).split("%", 1)[0] ?? "";
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = plain.toLowerCase().split("::");
  const headGroups = head === "" ? [] : head.split(":");
  const tailGroups = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - headGroups.length - tailGroups.length) }, () => "0");
  const groups = plain.includes("::") ? [...headGroups, ...zeros, ...tailGroups] : headGroups;
  return groups
    .slice(0, groupCount)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/**
 * Addresses of proxies that `TRUST_PROXY` does not name. All visitors behind one have its address, and a limit by that address
 * would let one stranger shut everybody out; so such an address counts for no limit.
 */
const sharedKeys = new Set<string>();

/** Called when requests show that many visitors have this address; holds for this process. */
export function noteSharedAddress(address: string): void {
  sharedKeys.add(clientKey(address));
}

export function isSharedAddress(address: string): boolean {
  return sharedKeys.has(clientKey(address));
}

/** For tests, which share a process. */
export function forgetSharedAddresses(): void {
  sharedKeys.clear();
}

const IPV4_IN_IPV6 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Normalizes an address: the shortest IPv6 form, and IPv4 for an IPv4 address that a socket shows as IPv6.
 *
 * @returns undefined for anything but a single address: networks, host names, ports, octal parts.
 */
export function normalizeAddress(text: string): string | undefined {
  const address = text.trim();
  const version = isIP(address);
  if (version === 4) return address;
  // A zone (fe80::1%eth0) names a network card of one machine.
  if (version !== 6 || address.includes("%")) return undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = IPV4_IN_IPV6.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff]).join(".");
}
