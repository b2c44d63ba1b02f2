import type { Db } from "../../../db/pool.ts";
import { buildCarrier } from "../../../testing/delivery-factories.ts";
import { storeInbound } from "../inbound/store-inbound.ts";

/** Messages from phones as a carrier's bind brings them, stored one after the other. */
export async function buildInbound(
  db: Db,
  messages: readonly { from: string; to: string; text: string }[],
): Promise<void> {
  const { rows } = await db.query<{ carrierId: number }>(`select carrier_id as "carrierId" from carrier limit 1`);
  const carrierId = rows[0]?.carrierId ?? (await buildCarrier(db)).carrierId;
  for (const { from, to, text } of messages) {
    const octets = Buffer.from(text, "utf16le").swap16();
    const nothing = (): void => undefined;
    await storeInbound(db, [
      {
        carrierId,
        text: { from, to, dataCoding: 8, octets, place: undefined, acknowledge: nothing, refuse: nothing },
      },
    ]);
  }
}
