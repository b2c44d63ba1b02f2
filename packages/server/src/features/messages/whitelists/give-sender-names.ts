import { withTransaction, type Tx } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import { publishChange, senderNamesGiven } from "../../../events/index.ts";
import { writeMail } from "../../../mail/index.ts";
import { recordEvents } from "../../../outbox/index.ts";
import { type Customer, findCustomerByEmail } from "../../accounts/index.ts";
import { askApproval, lapseApprovals } from "../../approvals/index.ts";
import { refuseSenderNames } from "../rules/content-rules.ts";
import { findSenderNameFault, splitSenderNames } from "./sender-name.ts";
import { findReservedNameWarnings, skeletonOf } from "./look-alikes.ts";
import { approveOpenNames, deleteSenderNames, insertSenderNames, selectSenderNames } from "./whitelist-store.ts";

type Receiver = Pick<Customer, "userId" | "userName" | "email">;
/** Names that the customer did not have before, and those that wait for a second administrator. */
export type Gift = { newNames: string[]; waiting: { names: string[]; approvalId: string } | undefined };

/**
 * An administrator gives a customer sender names without a request; open requests for them are closed. A mail tells the
 * customer of the new names. A name that reads like a reserved one waits for a second administrator.
 *
 * @param gift senderName: commas separate several.
 * @throws AppError `VALIDATION` for a name that cannot be sent as, `EMAIL_UNKNOWN`.
 */
export async function giveSenderNames(
  deps: Deps,
  gift: { adminId: string; email: string; senderName: string; clientAddress: string },
): Promise<Gift> {
  const { adminId, clientAddress } = gift;
  const names = readSenderNames("senderName", gift.senderName);
  if (names.length === 0) throw fieldError("senderName", "is required");
  return await withTransaction(deps.db, async (tx) => {
    const customer = await findCustomerByEmail(tx, gift.email);
    if (customer === undefined) throw new AppError("EMAIL_UNKNOWN");
    const given = await giveOrAsk(deps, tx, {
      customer,
      names,
      call: "whitelist-user-senderID",
      adminId,
      clientAddress,
    });
    await recordGift(deps, tx, { customer, newNames: given.newNames, adminId, clientAddress });
    return given;
  });
}

/** Gives the names that one administrator may give, and asks a second one for the rest, or gives the rest when both agree. */
async function giveOrAsk(
  deps: Deps,
  tx: Tx,
  gift: { customer: Receiver; names: string[]; call: string; adminId: string; clientAddress: string },
): Promise<Gift> {
  const { customer, call, adminId, clientAddress } = gift;
  const { userId, email } = customer;
  const owned = new Set(await selectSenderNames(tx, userId));
  await refuseSenderNames(
    tx,
    gift.names.filter((name) => !owned.has(name)),
  );
  const reserved = gift.names.filter((name) => !owned.has(name) && findWarnings(deps, name).length > 0).toSorted();
  const free = gift.names.filter((name) => !reserved.includes(name));
  if (reserved.length === 0)
    return { newNames: await addSenderNames(deps, tx, { customer, names: free, adminId }), waiting: undefined };
  const outcome = await askApproval(deps, tx, {
    kind: "sender",
    subjectKey: `${userId}:${reserved.join(",")}`,
    subject: { id: userId, email },
    what: describeGift(deps, customer, reserved),
    details: { names: reserved },
    call,
    adminId,
    clientAddress,
  });
  const names = outcome.kind === "agreed" ? gift.names : free;
  const newNames = names.length === 0 ? [] : await addSenderNames(deps, tx, { customer, names, adminId });
  return {
    newNames,
    waiting: outcome.kind === "waiting" ? { names: reserved, approvalId: outcome.approvalId } : undefined,
  };
}

/** Describes the gift for the second administrator. */
export function describeGift(
  deps: Pick<Deps, "config">,
  { userName, email }: Pick<Receiver, "userName" | "email">,
  names: string[],
): string {
  const reasons = names.flatMap((name) => findWarnings(deps, name).map((warning) => `"${name}": ${warning}.`));
  return `Let ${userName}, ${email}, send as ${names.join(", ")}. ${reasons.join(" ")}`;
}

/** Why two administrators should look at a name; empty when one is enough. */
export function findWarnings({ config }: Pick<Deps, "config">, name: string): string[] {
  return findReservedNameWarnings(name, [config.brand.name]);
}

/** Writes the audit entry of new names and publishes the change. */
export async function recordGift(
  deps: Deps,
  tx: Tx,
  gift: { customer: Receiver; newNames: string[]; askedBy?: string; adminId: string; clientAddress: string },
): Promise<void> {
  const { customer, newNames, askedBy, adminId, clientAddress } = gift;
  if (newNames.length === 0) return;
  const { userId } = customer;
  const after = { senderNames: newNames, ...(askedBy !== undefined && { askedBy }) };
  await deps.recordAudit(tx, { adminId, action: "whitelist-user-senderID", subjectId: userId, after, clientAddress });
  await publishChange(tx, senderNamesGiven(userId));
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

/** Adds names, closes the requests for them and mails the new ones. @returns the names that the customer did not have. */
export async function addSenderNames(
  deps: Deps,
  tx: Tx,
  gift: { customer: Receiver; names: string[]; adminId: string },
): Promise<string[]> {
  const { userId, userName, email } = gift.customer;
  const now = deps.clock.now();
  const rows = gift.names.map((name) => ({ name, skeleton: skeletonOf(name) }));
  const newNames = await insertSenderNames(tx, userId, rows, now);
  const closed = await approveOpenNames(tx, { userId, names: gift.names, adminId: gift.adminId, now });
  if (closed.length > 0) await lapseApprovals(deps, tx, "sender", closed);
  if (newNames.length === 0) return newNames;
  const given = newNames.map((senderName) => ({ senderName, decision: "approved" as const }));
  await recordEvents(tx, { userId, type: "sender.decided", data: given });
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

/**
 * Replaces the sender names of a customer: gives the new ones, with a mail, and takes the others away. A new name that reads
 * like a reserved one waits for a second administrator. Messages that are on their way keep the name they were accepted with.
 *
 * @param tx holds the customer's row, so that two replacements follow each other.
 * @param wish names: as `readSenderNames` gives them.
 * @returns the names before and after, in the order in which they came, and what waits.
 */
export async function replaceSenderNames(
  deps: Deps,
  tx: Tx,
  wish: {
    customer: Pick<Customer, "userId" | "userName" | "email">;
    names: string[];
    call: string;
    adminId: string;
    clientAddress: string;
  },
): Promise<{ before: string[]; after: string[]; waiting: Gift["waiting"] }> {
  const { userId } = wish.customer;
  const before = await selectSenderNames(tx, userId);
  await deleteSenderNames(
    tx,
    userId,
    before.filter((name) => !wish.names.includes(name)),
  );
  const { waiting } = await giveOrAsk(deps, tx, wish);
  return { before, after: await selectSenderNames(tx, userId), waiting };
}
