/** The columns that hold secrets under the installation's key. A column that is missing here keeps its old key: add it. */
import type { Queryable } from "../db/pool.ts";

type SealedRow = { place: string; id: string; owner: string; sealed: Buffer };

/** `owner` is the one that each feature seals with. Unconfirmed second factors are left out: they live for minutes, and their confirmation compares the bytes. */
const places: Readonly<Record<string, { select: string; update: string }>> = {
  carrier: {
    select: `select kept_carrier_id::text as id, kept_carrier_id::text as owner, sealed_password as sealed from kept_carrier`,
    update: `update kept_carrier set sealed_password = $3 where kept_carrier_id::text = $1 and sealed_password = $2`,
  },
  httpCarrier: {
    select: `select kept_carrier_id::text as id, kept_carrier_id::text as owner, sealed_link as sealed from kept_http_carrier`,
    update: `update kept_http_carrier set sealed_link = $3 where kept_carrier_id::text = $1 and sealed_link = $2`,
  },
  programKey: {
    select: `select key_id::text as id, key_id::text as owner, sealed_secret as sealed from api_key where sealed_secret is not null`,
    update: `update api_key set sealed_secret = $3 where key_id::text = $1 and sealed_secret = $2`,
  },
  messageText: {
    select: `select message_id::text as id, 'message ' || message_id as owner, sealed_body as sealed from message where sealed_body is not null`,
    update: `update message set sealed_body = $3 where message_id::text = $1 and sealed_body = $2`,
  },
  webhook: {
    select: `select endpoint_id::text as id, endpoint_id::text as owner, secret as sealed from webhook_endpoint`,
    update: `update webhook_endpoint set secret = $3 where endpoint_id::text = $1 and secret = $2`,
  },
  webhookBefore: {
    select: `select endpoint_id::text as id, endpoint_id::text as owner, old_secret as sealed from webhook_endpoint where old_secret is not null`,
    update: `update webhook_endpoint set old_secret = $3 where endpoint_id::text = $1 and old_secret = $2`,
  },
  keptCard: {
    select: `select user_id::text as id, 'kept-card ' || user_id as owner, sealed_authorization as sealed from auto_top_up`,
    update: `update auto_top_up set sealed_authorization = $3 where user_id::text = $1 and sealed_authorization = $2`,
  },
  secondFactor: {
    select: `select kind || ' ' || actor_id as id, 'second-factor ' || kind || ' ' || actor_id as owner, sealed_secret as sealed
      from second_factor where confirmed_at is not null`,
    update: `update second_factor set sealed_secret = $3 where kind || ' ' || actor_id = $1 and sealed_secret = $2`,
  },
};

export async function selectSealed(db: Queryable): Promise<SealedRow[]> {
  const found: SealedRow[] = [];
  for (const [place, { select }] of Object.entries(places)) {
    const { rows } = await db.query<Omit<SealedRow, "place">>(select);
    found.push(...rows.map((row) => ({ place, ...row })));
  }
  return found;
}

/** Writes nothing when the secret has changed meanwhile: it is sealed with the current key then. */
export async function updateSealed(db: Queryable, row: SealedRow, sealed: Buffer): Promise<void> {
  const { update = "" } = places[row.place] ?? {};
  await db.query(update, [row.id, row.sealed, sealed]);
}
