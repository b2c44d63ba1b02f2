import type { SendBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { setOwnDailyLimit } from "../features/messages/index.ts";
import { skeletonOf } from "../features/messages/whitelists/look-alikes.ts";
import { buildCarrier } from "./delivery-factories.ts";
import { buildUser, type BuiltUser, type UserFacts } from "./factories.ts";
import { topUpUser } from "./ledger-factories.ts";

/** The name that every sender of these factories may send as. */
export const FACTORY_SENDER_NAME = "Acme Ltd";

export async function buildSenderName(db: Db, facts: { userId: string; name?: string }): Promise<void> {
  const name = facts.name ?? FACTORY_SENDER_NAME;
  await db.query("insert into sender_name (user_id, name, skeleton, created_at) values ($1, $2, $3, now())", [
    facts.userId,
    name,
    skeletonOf(name),
  ]);
}

export async function buildApprovedAddress(db: Db, facts: { userId: string; address: string }): Promise<void> {
  await db.query("insert into approved_address (user_id, address, created_at) values ($1, $2, now())", [
    facts.userId,
    facts.address,
  ]);
}

/** A customer who can send: verified, with 100 units, a sender name, and a carrier for every number. */
export async function buildSender(
  db: Db,
  facts: Partial<UserFacts> & { balanceMilli?: number; hasCarrier?: boolean } = {},
): Promise<BuiltUser> {
  const { balanceMilli = 100_000, hasCarrier = true, ...userFacts } = facts;
  const user = await buildUser(db, userFacts);
  await buildSenderName(db, user);
  if (balanceMilli > 0) await topUpUser(db, user.userId, balanceMilli);
  if (hasCarrier) await buildCarrier(db);
  return user;
}

export async function buildDailyLimit(
  db: Db,
  cap: { userId: string; code?: string; recipientsMax: number },
): Promise<void> {
  await withTransaction(db, async (tx) => void (await setOwnDailyLimit(tx, { code: "234", ...cap })));
}

export async function buildDraft(
  db: Db,
  facts: Partial<SendBody> & { userId: string; draftId?: string },
): Promise<string> {
  const { userId, draftId = uuidv7(), ...fields } = facts;
  const draft = buildSendBody(fields);
  await db.query(
    `insert into draft (user_id, draft_id, sender_name, message, phone_no, code, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, now(), now())`,
    [userId, draftId, draft.senderName, draft.message, draft.phoneNo, draft.code],
  );
  return draftId;
}

/** A body that a sender of these factories may send: one page to one number, 3 units. */
export function buildSendBody(facts: Partial<SendBody> = {}): SendBody {
  return { senderName: FACTORY_SENDER_NAME, message: "Good morning", phoneNo: "2348030000001", code: "234", ...facts };
}

/** Numbers of one Nigerian network, in the order of counting. */
export function buildPhoneNos(count: number, first = 0): string {
  return Array.from({ length: count }, (_, index) => String(2_348_030_000_000 + first + index)).join(",");
}
