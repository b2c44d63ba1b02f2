import { BlockList, isIP } from "node:net";

/** No single caller reaches us from these over the internet: an approval would mean nothing, or too much. */
const UNUSABLE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  UNUSABLE.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["::", 128],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  UNUSABLE.addSubnet(network, bits, "ipv6");
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

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

export type AddressRead = { kind: "address"; address: string; warnings: string[] } | { kind: "wrong"; reason: string };

/** Reads an address that a customer wants approved. Loopback may be approved, for programs beside this server; it is flagged. */
export function readSendingAddress(text: string): AddressRead {
  const address = normalizeAddress(text);
  if (address === undefined) return { kind: "wrong", reason: "is not an IP address" };
  const family = address.includes(":") ? "ipv6" : "ipv4";
  if (UNUSABLE.check(address, family)) return { kind: "wrong", reason: "is not a public IP address" };
  const warnings = LOOPBACK.check(address, family)
    ? ["Is this server itself: approves everybody behind a proxy on it"]
    : [];
  return { kind: "address", address, warnings };
}
