import { BlockList, isIP } from "node:net";
import { fieldError } from "../../../errors.ts";

/** Nobody's address, everybody's, or that of a machine's own services: no carrier is there. Loopback and private ones may be tunnels. */
const NO_CARRIER = new BlockList();
NO_CARRIER.addSubnet("0.0.0.0", 8, "ipv4");
NO_CARRIER.addSubnet("169.254.0.0", 16, "ipv4");
NO_CARRIER.addSubnet("224.0.0.0", 4, "ipv4");
NO_CARRIER.addSubnet("240.0.0.0", 4, "ipv4");
NO_CARRIER.addAddress("::", "ipv6");
NO_CARRIER.addSubnet("fe80::", 10, "ipv6");
NO_CARRIER.addSubnet("ff00::", 8, "ipv6");

/** @throws AppError `VALIDATION` for an address at which there is no carrier. */
export function checkHost(host: string): void {
  const version = isIP(host);
  const looksLikeAddress = /^[0-9.]+$/.test(host) || host.includes(":");
  if (version === 0 && looksLikeAddress) throw fieldError("host", "is no IP address");
  if (version !== 0 && NO_CARRIER.check(host, version === 4 ? "ipv4" : "ipv6")) throw fieldError("host", "is no address of a carrier");
}
