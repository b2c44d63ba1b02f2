import { BlockList } from "node:net";
import { normalizeAddress } from "../../../http/rate-limits/client-address.ts";

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
