import { messageRoutes } from "@ewebal/contract";
import type { Db } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";

export type Headers = Record<string, string>;
export type Refusal = { code: string; message: string; fields?: Record<string, string>; dnd?: boolean };

export const { 200: sentSchema, 503: dndSchema } = messageRoutes.sendTest.schema.response;

export async function send(app: App, user: { userId: string }, headers: Headers, payload: unknown) {
  return await app.inject({
    method: "POST",
    url: `/api/${user.userId}/send-bulk-sms`,
    headers,
    payload: payload as object,
  });
}

/** Nothing of a refused send may stay: no message, no batch, no hold, no answer to its key. */
export async function countTraces(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select (select count(*) from message) + (select count(*) from message_batch) + (select count(*) from hold)
       + (select count(*) from idempotent_answer) as count`,
  );
  return rows[0]?.count ?? -1;
}
