/** Where a short link may lead: to a web address that is everybody's. What a host's name stands for is not looked up. */
import { personalLimits } from "@ewebal/contract";
import { BlockList, isIP } from "node:net";
import { hostOf } from "../../../base/loopback.ts";

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

/** @returns the end of a sentence that begins with the field's name; undefined when all targets may be shortened. */
export function findLinkFault(targets: readonly string[]): string | undefined {
  if (targets.length > personalLimits.linksPerTextMax) return `has more than ${personalLimits.linksPerTextMax} links`;
  for (const target of targets) {
    const fault = findTargetFault(target);
    if (fault !== undefined) return `has the link "${target.slice(0, 60)}", which ${fault}`;
  }
  return undefined;
}

function findTargetFault(target: string): string | undefined {
  if (target.length > personalLimits.linkTargetCharactersMax)
    return `has more than ${personalLimits.linkTargetCharactersMax.toLocaleString("en")} characters`;
  const url = /\s/.test(target) ? null : URL.parse(target);
  if (url === null || !/^https?:\/\//i.test(target)) return "is no address that begins with http:// or https://";
  if (url.username !== "" || url.password !== "") return "holds a user name or a password";
  return isPublicHost(hostOf(url)) ? undefined : "does not lead to the public internet";
}

/** @param host as `URL` writes it, which turns `127.1` and `2130706433` into 127.0.0.1. */
function isPublicHost(host: string): boolean {
  const family = isIP(host);
  if (family === 4) return !NOT_PUBLIC.check(host, "ipv4");
  if (family === 6) return isPublicIpv6(host);
  const name = host.replace(/\.$/, "");
  return name.includes(".") && !/(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(name);
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
