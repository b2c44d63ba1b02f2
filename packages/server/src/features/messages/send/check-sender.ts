import type { Queryable } from "../../../db/pool.ts";
import { AppError } from "../../../base/errors.ts";
import type { Customer } from "../../accounts/index.ts";
import { normalizeAddress } from "../whitelists/sending-address.ts";
import { hasSenderName, selectAddresses } from "../whitelists/whitelist-store.ts";

/** Who sends, and how the call came in. */
export type Caller = {
  userId: string;
  /** A key or the GET form is a program's; a session is the dashboard's. */
  via: "dashboard" | "program";
  clientAddress: string;
};

/**
 * Programs may call from approved addresses only. The dashboard may be used from anywhere, until the customer has an
 * approved address and has switched the restriction on for the dashboard as well.
 *
 * @throws AppError `ADDRESS_NOT_APPROVED`.
 */
export async function checkAddress(db: Queryable, caller: Caller, customer: Customer): Promise<void> {
  if (caller.via === "dashboard" && !customer.isAddressRestricted) return;
  const approved = await selectAddresses(db, caller.userId);
  if (caller.via === "dashboard" && approved.length === 0) return;
  const address = normalizeAddress(caller.clientAddress);
  if (address === undefined || !approved.includes(address)) throw new AppError("ADDRESS_NOT_APPROVED");
}

/** @throws AppError `SENDER_NOT_APPROVED` unless the name is one of the customer's, letter by letter. */
export async function checkSenderName(db: Queryable, userId: string, senderName: string): Promise<void> {
  if (!(await hasSenderName(db, userId, senderName))) throw new AppError("SENDER_NOT_APPROVED");
}

/** Whether a customer may still send as this name: asked when a scheduled message's time has come. */
export async function maySendAs(
  db: Queryable,
  { userId, senderName }: { userId: string; senderName: string },
): Promise<boolean> {
  return await hasSenderName(db, userId, senderName);
}
