import { withTransaction, type Tx } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError, fieldError } from "../../errors.ts";
import { publishChange } from "../../events/index.ts";
import { writeMail } from "../../mail/index.ts";
import { type Customer, findCustomerByEmail } from "../accounts/index.ts";
import type { RecordAudit } from "./audit.ts";
import { findSenderNameFault, skeletonOf, splitSenderNames } from "./sender-name.ts";
import { approveOpenNames, insertSenderNames } from "./whitelist-store.ts";

/**
 * An administrator gives a customer sender names that nobody asked for; requests that did are closed with it. A mail
 * tells the customer of those that are new.
 *
 * @param gift senderName: commas separate several.
 * @returns the names that the customer did not have before.
 * @throws AppError `VALIDATION` for a name that cannot be sent as, `EMAIL_UNKNOWN`.
 */
export async function giveSenderNames(
  deps: Deps & { recordAudit: RecordAudit },
  gift: { adminId: string; email: string; senderName: string; clientAddress: string },
): Promise<string[]> {
  const names = readSenderNames("senderName", gift.senderName);
  if (names.length === 0) throw fieldError("senderName", "is required");
  return await withTransaction(deps.db, async (tx) => {
    const customer = await findCustomerByEmail(tx, gift.email);
    if (customer === undefined) throw new AppError("EMAIL_UNKNOWN");
    const { userId } = customer;
    const newNames = await addSenderNames(deps, tx, { customer, names, adminId: gift.adminId });
    if (newNames.length === 0) return newNames;
    await deps.recordAudit(tx, {
      adminId: gift.adminId,
      action: "whitelist-user-senderID",
      subjectId: userId,
      after: { senderNames: newNames },
      clientAddress: gift.clientAddress,
    });
    await publishChange(tx, { userId, topics: ["whitelists", "user"] }, { admin: true, topics: ["admin"] });
    return newNames;
  });
}

/**
 * @returns the names between the commas, each once.
 * @throws AppError `VALIDATION` at that field for names that cannot be sent as.
 */
export function readSenderNames(field: string, text: string): string[] {
  const names = splitSenderNames(text);
  const faults = names.flatMap((name) => {
    const fault = findSenderNameFault(name);
    return fault === undefined ? [] : [`"${name}" ${fault}`];
  });
  if (faults.length > 0) throw fieldError(field, faults.join("; "));
  return names;
}

/** Adds names, closes the requests for them and mails which are new. @returns those that the customer did not have. */
export async function addSenderNames(
  deps: Deps,
  tx: Tx,
  gift: { customer: Pick<Customer, "userId" | "userName" | "email">; names: string[]; adminId: string },
): Promise<string[]> {
  const { userId, userName, email } = gift.customer;
  const now = deps.clock.now();
  const rows = gift.names.map((name) => ({ name, skeleton: skeletonOf(name) }));
  const newNames = await insertSenderNames(tx, userId, rows, now);
  await approveOpenNames(tx, { userId, names: gift.names, adminId: gift.adminId, now });
  if (newNames.length === 0) return newNames;
  await writeMail(deps, tx, {
    recipient: email,
    subject: `Approved: ${newNames.join(", ")}`,
    greetingName: userName,
    blocks: [
      { kind: "text", text: `You can send as ${newNames.join(", ")} from now on.` },
      { kind: "action", label: "Send a message", path: "/user-dashboard/ewebal/send-sms" },
    ],
  });
  return newNames;
}
