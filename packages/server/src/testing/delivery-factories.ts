import { v7 as uuidv7 } from "uuid";
import type { Db } from "../db/pool.ts";
import { withTransaction } from "../db/transaction.ts";
import { queueMessage, type QueueMessageInput } from "../features/delivery/index.ts";
import { holdUnits, topUpUnits } from "../ledger/index.ts";
import { buildUser, type BuiltUser } from "./factories.ts";

export type BuiltMessage = {
  userId: string;
  messageId: string;
  phoneNos: number[];
  priceMilli: number;
  /** Thousandths of a unit that were held for it. */
  heldMilli: number;
};

export type MessageFacts = Partial<Omit<QueueMessageInput, "phoneNos" | "holdId" | "dndPhoneNos">> & {
  recipientCount?: number;
  phoneNos?: number[];
  dndPhoneNos?: number[];
};

/** Test numbers: 234803 and seven digits, from `first` on. */
export function testPhoneNos(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, index) => 2_348_030_000_000 + first + index);
}

/** A customer with units to spend. */
export async function buildFundedUser(db: Db, facts: { unitsMilli?: number } = {}): Promise<BuiltUser> {
  const user = await buildUser(db);
  const amountMilli = facts.unitsMilli ?? 1_000_000_000;
  await withTransaction(db, (tx) =>
    topUpUnits(tx, { userId: user.userId, source: "manual", reference: uuidv7(), amountMilli }),
  );
  return user;
}

/** A message as the send operation leaves it: units held, batches in the queue (or scheduled when `sendAt` is given). */
export async function buildMessage(db: Db, facts: MessageFacts = {}): Promise<BuiltMessage> {
  const userId = facts.userId ?? (await buildFundedUser(db)).userId;
  const messageId = facts.messageId ?? uuidv7();
  const phoneNos = facts.phoneNos ?? testPhoneNos(facts.recipientCount ?? 3);
  const dndPhoneNos = new Set(facts.dndPhoneNos);
  const priceMilli = facts.priceMilli ?? 3_000;
  const heldMilli = priceMilli * phoneNos.filter((phoneNo) => !dndPhoneNos.has(phoneNo)).length;
  await withTransaction(db, async (tx) => {
    if (heldMilli > 0) await holdUnits(tx, { userId, holdId: messageId, amountMilli: heldMilli });
    await queueMessage(tx, {
      userName: "Test",
      senderName: "Ewebal",
      body: "Good morning",
      code: "234",
      pageCount: 1,
      createdAt: new Date(),
      ...facts,
      userId,
      messageId,
      phoneNos,
      dndPhoneNos,
      priceMilli,
      holdId: heldMilli > 0 ? messageId : undefined,
    });
  });
  return { userId, messageId, phoneNos, priceMilli, heldMilli };
}

export type CarrierFacts = {
  name: string;
  prefixes: string[];
  weight: number;
  priority: number;
  bindCount: number;
  isEnabled: boolean;
};

/** A carrier as the configuration's sync leaves it; nobody is bound to it. */
export async function buildCarrier(
  db: Db,
  facts: Partial<CarrierFacts> = {},
): Promise<{ carrierId: number; name: string }> {
  const name = facts.name ?? `carrier-${uuidv7()}`;
  const { rows } = await db.query<{ carrierId: number }>(
    `insert into carrier (name, prefixes, weight, priority, bind_count, is_enabled) values ($1, $2, $3, $4, $5, $6)
     returning carrier_id as "carrierId"`,
    [name, facts.prefixes ?? [], facts.weight ?? 1, facts.priority ?? 0, facts.bindCount ?? 1, facts.isEnabled ?? true],
  );
  return { carrierId: rows[0]?.carrierId ?? 0, name };
}
