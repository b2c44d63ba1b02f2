/** What a key may do, and from where. Its address is looked at first, then its scope, then the body of the call. */
import { BlockList } from "node:net";
import type { ProgramKeyScope } from "@ewebal/contract";
import { AppError } from "../../../base/errors.ts";
import { normalizeAddress } from "../../../http/rate-limits/client-address.ts";
import type { ProgramKey } from "./api-key-store.ts";

/** The bits of `::ffff:0:0/96`, under which IPv6 writes IPv4. */
const MAPPED_BITS = 96;

/**
 * Whether a key may be used from an address. A key without addresses works from anywhere.
 *
 * @param clientAddress as a socket shows it: an IPv4 address may come as IPv6.
 */
export function isAddressAllowed({ addresses }: Pick<ProgramKey, "addresses">, clientAddress: string): boolean {
  if (addresses.length === 0) return true;
  // The zone of a link-local address names a network card of this machine.
  const address = normalizeAddress(clientAddress.split("%", 1)[0] ?? "");
  if (address === undefined) return false;
  const list = new BlockList();
  for (const place of addresses) addPlace(list, place);
  return list.check(address, familyOf(address));
}

function addPlace(list: BlockList, place: string): void {
  const [network = "", bits] = place.split("/");
  const plain = normalizeAddress(network);
  if (plain === undefined) return;
  const family = familyOf(plain);
  if (bits === undefined) return list.addAddress(plain, family);
  const isMapped = family === "ipv4" && network.includes(":");
  if (!isMapped) list.addSubnet(plain, Number(bits), family);
  else if (Number(bits) >= MAPPED_BITS) list.addSubnet(plain, Number(bits) - MAPPED_BITS, family);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}

/** @param scope `any`: every key may make the call. @throws AppError `SCOPE_MISSING`, which names the scope. */
export function requireScope({ scopes }: Pick<ProgramKey, "scopes">, scope: ProgramKeyScope | "any"): void {
  if (scope === "any" || scopes.includes(scope)) return;
  throw new AppError("SCOPE_MISSING", { message: `This key lacks the scope ${scope}` });
}
