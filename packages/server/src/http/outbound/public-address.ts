/** Which addresses are everybody's: for what the product calls, or links to, at somebody's wish. */
import { BlockList, isIP } from "node:net";

/** Addresses of one machine or one network: unspecified, private, shared, loopback, link-local, multicast, reserved. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::", 128],
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, "ipv6");

/** Ranges of IPv6 that hold an address of IPv4, and which of their eight groups are its two. */
const HOLDING_IPV4 = [
  { range: /^(?:0+:){5}ffff:/, at: 6 }, // mapped
  { range: /^(?:0+:){6}/, at: 6 }, // compatible
  { range: /^64:ff9b:(?:0+:){4}/, at: 6 }, // NAT64, RFC 6052
  { range: /^2002:/, at: 1 }, // 6to4, RFC 3056
];

/** @param host as `URL` writes it, which turns `127.1` and `2130706433` into 127.0.0.1. */
export function isPublicHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.replace(/\.$/, "");
  return name.includes(".") && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(name);
}

/** @param address of IPv4, or of IPv6 as `URL` writes it or the resolver answers it. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) === 6 ? isPublicIpv6(withoutDots(address)) : !NOT_PUBLIC.check(address, "ipv4");
}

/** A resolver writes `::ffff:127.0.0.1` where `URL` writes `::ffff:7f00:1`. */
function withoutDots(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return plain.includes(".") ? (URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) ?? plain) : plain;
}

function isPublicIpv6(address: string): boolean {
  if (NOT_PUBLIC.check(address, "ipv6")) return false;
  const groups = groupsOf(address);
  const written = groups.map((group) => `${group.toString(16)}:`).join("");
  for (const { range, at } of HOLDING_IPV4) {
    if (!range.test(written)) continue;
    const [high = 0, low = 0] = groups.slice(at);
    if (NOT_PUBLIC.check([high >> 8, high & 255, low >> 8, low & 255].join("."), "ipv4")) return false;
  }
  return true;
}

/** The eight groups of an address, which `URL` has written in its shortest form. */
function groupsOf(address: string): number[] {
  const [before = "", after] = address.split("::");
  const [first, last] = [before, after ?? ""].map((half) =>
    half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16)),
  );
  const gap = 8 - (first?.length ?? 0) - (last?.length ?? 0);
  return after === undefined ? (first ?? []) : [...(first ?? []), ...Array<number>(gap).fill(0), ...(last ?? [])];
}
