import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { fieldError } from "../../../../base/errors.ts";

/** Addresses that no carrier has: unspecified, link-local, multicast, reserved. Loopback and private addresses are allowed: a tunnel may end there. */
const NO_CARRIER = new BlockList();
NO_CARRIER.addSubnet("0.0.0.0", 8, "ipv4");
NO_CARRIER.addSubnet("169.254.0.0", 16, "ipv4");
NO_CARRIER.addSubnet("224.0.0.0", 4, "ipv4");
NO_CARRIER.addSubnet("240.0.0.0", 4, "ipv4");
NO_CARRIER.addAddress("::", "ipv6");
NO_CARRIER.addSubnet("fe80::", 10, "ipv6");
NO_CARRIER.addSubnet("ff00::", 8, "ipv6");

/** A host name ends in letters. A host that ends in a number is an address in some spelling: `127.1`, `0x7f.1`, `2130706433`. */
const ENDS_AS_ADDRESS = /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/i;

/** @throws AppError `VALIDATION` for an address that no carrier has. */
export function checkHost(host: string, field = "host"): void {
  const looksLikeAddress = ENDS_AS_ADDRESS.test(host) || host.includes(":");
  if (isIP(host) === 0 && looksLikeAddress) throw fieldError(field, "is no IP address");
  if (isIP(host) !== 0 && !mayBeCarrier(host)) throw fieldError(field, "is no address of a carrier");
}

/** Resolves a name at every connection, because the name may later stand for a refused address. */
export const lookupCarrier: LookupFunction = (host, options, done) => {
  lookup(host, options, (error, found, family) => {
    const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
    const refused =
      error ?? (addresses.every(mayBeCarrier) ? null : new Error("the name leads to no address of a carrier"));
    done(refused, found, family);
  });
};

function mayBeCarrier(address: string): boolean {
  return !NO_CARRIER.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
