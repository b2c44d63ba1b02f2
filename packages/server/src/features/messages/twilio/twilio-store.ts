/** All SQL about messages that came by Twilio's API. */
import type { Queryable } from "../../../db/pool.ts";

export type TwilioMessage = {
  userId: string;
  messageId: string;
  /** Their order: a scheduled message's own id is of the time that it is for. */
  acceptedId: string;
  keyId: string;
  accountSid: string;
  mode: "live" | "test";
  phoneNo: number;
  senderName: string;
  statusCallback: string | null;
  createdAt: Date;
};

const COLUMNS = `user_id as "userId", message_id as "messageId", accepted_id as "acceptedId", key_id as "keyId", account_sid as "accountSid", mode, phone_no as "phoneNo",
  sender_name as "senderName", status_callback as "statusCallback", created_at as "createdAt"`;

export async function insertTwilioMessage(tx: Queryable, row: TwilioMessage): Promise<void> {
  await tx.query(
    `insert into twilio_message (user_id, message_id, accepted_id, key_id, account_sid, mode, phone_no, sender_name,
       status_callback, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      row.userId,
      row.messageId,
      row.acceptedId,
      row.keyId,
      row.accountSid,
      row.mode,
      row.phoneNo,
      row.senderName,
      row.statusCallback,
      row.createdAt,
    ],
  );
}

type Owner = Pick<TwilioMessage, "userId" | "mode">;

export async function findTwilioMessage(
  db: Queryable,
  { userId, mode, messageId }: Owner & { messageId: string },
): Promise<TwilioMessage | undefined> {
  const { rows } = await db.query<TwilioMessage>(
    `select ${COLUMNS} from twilio_message where user_id = $1 and message_id = $2 and mode = $3`,
    [userId, messageId, mode],
  );
  return rows[0];
}

export type TwilioFilter = Owner & {
  phoneNo?: number | undefined;
  senderName?: string | undefined;
  /** Accepted at this moment or later, and before that one. */
  from?: Date | undefined;
  until?: Date | undefined;
};

/** Newest first: those behind a message of the list, or behind so many. */
export async function selectTwilioMessages(
  db: Queryable,
  filter: TwilioFilter,
  page: { afterId: string | undefined; offset: number; limit: number },
): Promise<TwilioMessage[]> {
  const { rows } = await db.query<TwilioMessage>(
    `select ${COLUMNS} from twilio_message
     where user_id = $1 and mode = $2 and ($3::bigint is null or phone_no = $3) and ($4::text is null or sender_name = $4)
       and ($5::timestamptz is null or created_at >= $5) and ($6::timestamptz is null or created_at < $6)
       and ($7::uuid is null or accepted_id < (select accepted_id from twilio_message where user_id = $1 and message_id = $7))
     order by accepted_id desc offset $8 limit $9`,
    [
      filter.userId,
      filter.mode,
      filter.phoneNo ?? null,
      filter.senderName ?? null,
      filter.from ?? null,
      filter.until ?? null,
      page.afterId ?? null,
      page.offset,
      page.limit,
    ],
  );
  return rows;
}

export async function deleteTwilioMessage(
  tx: Queryable,
  key: Pick<TwilioMessage, "userId" | "messageId">,
): Promise<void> {
  await tx.query("delete from twilio_message where user_id = $1 and message_id = $2", [key.userId, key.messageId]);
}

/** The same whatever the mode, for telling its client. */
export async function findSender(
  db: Queryable,
  key: Pick<TwilioMessage, "userId" | "messageId">,
): Promise<TwilioMessage | undefined> {
  const { rows } = await db.query<TwilioMessage>(
    `select ${COLUMNS} from twilio_message where user_id = $1 and message_id = $2`,
    [key.userId, key.messageId],
  );
  return rows[0];
}
