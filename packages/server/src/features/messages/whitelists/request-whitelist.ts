import { limits } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { publishChange, whitelistRequested } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { findCustomer } from "../../accounts/index.ts";
import { refuseSenderNames } from "../rules/content-rules.ts";
import { findSenderNameFault, splitSenderNames } from "./sender-name.ts";
import { findReservedNameWarnings, skeletonOf } from "./look-alikes.ts";
import { readSendingAddress } from "./sending-address.ts";
import {
  countPendingRequests,
  insertRequests,
  selectAddresses,
  selectOpenRequests,
  selectSenderNames,
  type NewWhitelistRequest,
  type WhitelistRequest,
} from "./whitelist-store.ts";

/** A person reads each name. */
export const NAMES_PER_REQUEST_MAX = 20;
export const OPEN_REQUESTS_MAX = 50;

/**
 * Requests sender names (commas separate several), an address, or both. A name or address that is requested already gets no
 * second request. A mail tells management of the new ones.
 *
 * @returns the open requests for all names and the address.
 * @throws AppError `VALIDATION` for each field that is wrong, `RATE_LIMITED` when too many requests are open.
 */
export async function requestWhitelist(
  deps: Deps,
  asked: { userId: string; senderName?: string | undefined; ip?: string | undefined },
): Promise<WhitelistRequest[]> {
  const wanted = readWanted(deps, asked);
  const senderNames = wanted.flatMap(({ senderName }) => senderName ?? []);
  const addresses = wanted.flatMap(({ address }) => address ?? []);
  return await withTransaction(deps.db, async (tx) => {
    const { userId } = asked;
    const customer = await findCustomer(tx, userId);
    if (customer === undefined) throw new AppError("NOT_FOUND");
    await refuseSenderNames(tx, senderNames);
    refuseApproved({
      senderNames,
      addresses,
      approvedNames: await selectSenderNames(tx, userId),
      approvedAddresses: await selectAddresses(tx, userId),
    });
    const newIds = await insertRequests(tx, userId, wanted, deps.clock.now());
    if ((await countPendingRequests(tx, userId)) > OPEN_REQUESTS_MAX) {
      throw new AppError("RATE_LIMITED", { message: "Please wait until your open requests are decided" });
    }
    const isNew = new Set(newIds);
    const news = wanted.filter(({ requestId }) => isNew.has(requestId));
    if (news.length > 0) {
      await writeMail(deps, tx, managementMail(deps.config.managementEmail, customer, news));
      await publishChange(tx, whitelistRequested(userId));
    }
    return await selectOpenRequests(tx, { userId, senderNames, addresses });
  });
}

function readWanted(
  deps: Pick<Deps, "config">,
  asked: { senderName?: string | undefined; ip?: string | undefined },
): NewWhitelistRequest[] {
  const fields: Record<string, string> = {};
  const wanted: NewWhitelistRequest[] = [];
  if (asked.senderName !== undefined) {
    const names = splitSenderNames(asked.senderName);
    const faults = names.flatMap((name) => {
      const fault = findSenderNameFault(name, limits.sourceWhitelistCharactersMin);
      return fault === undefined ? [] : [`"${name}" ${fault}`];
    });
    if (names.length === 0) faults.push("is required");
    if (names.length > NAMES_PER_REQUEST_MAX) faults.push(`has more than ${NAMES_PER_REQUEST_MAX} names`);
    if (faults.length > 0) fields["senderName"] = faults.slice(0, NAMES_PER_REQUEST_MAX).join("; ");
    for (const senderName of names) {
      const warnings = findReservedNameWarnings(senderName, [deps.config.brand.name]);
      wanted.push({ requestId: uuidv7(), senderName, skeleton: skeletonOf(senderName), address: null, warnings });
    }
  }
  if (asked.ip !== undefined) {
    const read = readSendingAddress(asked.ip);
    if (read.kind === "wrong") fields["ip"] = read.reason;
    else
      wanted.push({
        requestId: uuidv7(),
        senderName: null,
        skeleton: null,
        address: read.address,
        warnings: read.warnings,
      });
  }
  if (Object.keys(fields).length > 0) throw new AppError("VALIDATION", { fields });
  return wanted;
}

function refuseApproved(lists: {
  senderNames: string[];
  addresses: string[];
  approvedNames: string[];
  approvedAddresses: string[];
}): void {
  const names = lists.senderNames.filter((name) => lists.approvedNames.includes(name));
  const addresses = lists.addresses.filter((address) => lists.approvedAddresses.includes(address));
  const fields = {
    ...(names.length > 0 && { senderName: `"${names.join('", "')}" is approved already` }),
    ...(addresses.length > 0 && { ip: "is approved already" }),
  };
  if (names.length > 0 || addresses.length > 0) throw new AppError("VALIDATION", { fields });
}

function managementMail(recipient: string, customer: { userName: string; email: string }, news: NewWhitelistRequest[]) {
  const rows = news.map((request): [string, string] => {
    const warning = request.warnings.length > 0 ? ` (${request.warnings.join("; ")})` : "";
    return request.senderName === null
      ? ["IP address", `${request.address}${warning}`]
      : ["Sender name", `${request.senderName}${warning}`];
  });
  return {
    recipient,
    subject: `Whitelist request from ${customer.email}`,
    blocks: [
      { kind: "facts", rows: [["Customer", `${customer.userName}, ${customer.email}`], ...rows] },
      { kind: "action", label: "Decide", path: "/admin-dashboard/action-whitelist" },
    ],
  } satisfies Parameters<typeof writeMail>[2];
}
