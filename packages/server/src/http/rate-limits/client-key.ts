import { isIPv6 } from "node:net";

/** Groups of 16 bits: what one customer of a network usually has, and what one of its businesses may have. */
const PREFIX_GROUPS = { narrow: 4, wide: 3 } as const;

/** What an address counts as: whoever has one IPv6 address usually has the other 2^64 of its network as well. */
export function clientKey(address: string): string {
  return prefixOf(address, PREFIX_GROUPS.narrow);
}

/** The same for who has many such networks: a /48 of IPv6 has 65,536 of them. An IPv4 address stays itself. */
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
