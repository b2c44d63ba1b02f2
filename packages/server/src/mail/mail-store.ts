import type { Queryable } from "../db/pool.ts";

export type StoredMail = {
  mailId: string;
  recipient: string;
  replyTo: string | undefined;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

export async function insertMail(db: Queryable, mail: StoredMail): Promise<void> {
  await db.query(
    `insert into mail (mail_id, recipient, reply_to, subject, text_body, html_body, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [mail.mailId, mail.recipient, mail.replyTo ?? null, mail.subject, mail.text, mail.html, mail.createdAt],
  );
}

type MailRow = Omit<StoredMail, "replyTo"> & { replyTo: string | null };

/** Counts an attempt. @returns undefined when there is nothing left to send. */
export async function beginAttempt(db: Queryable, mailId: string): Promise<StoredMail | undefined> {
  const { rows } = await db.query<MailRow>(
    `update mail set attempts = attempts + 1
     where mail_id = $1 and sent_at is null and given_up_at is null
     returning mail_id as "mailId", recipient, reply_to as "replyTo", subject, text_body as text, html_body as html, created_at as "createdAt"`,
    [mailId],
  );
  const [row] = rows;
  return row && { ...row, replyTo: row.replyTo ?? undefined };
}

/** Deletes the bodies, whose links may still be valid. */
export async function markSent(db: Queryable, mailId: string, now: Date): Promise<void> {
  await db.query(
    `update mail set sent_at = $2, text_body = null, html_body = null where mail_id = $1 and sent_at is null and given_up_at is null`,
    [mailId, now],
  );
}

export async function markGivenUp(db: Queryable, mailId: string, now: Date): Promise<void> {
  await db.query(
    `update mail set given_up_at = $2, text_body = null, html_body = null where mail_id = $1 and sent_at is null and given_up_at is null`,
    [mailId, now],
  );
}

/** @returns how many mails were deleted. Unsent mails stay. */
export async function deleteMailsBefore(db: Queryable, before: Date): Promise<number> {
  const { rowCount } = await db.query(
    `delete from mail where created_at < $1 and coalesce(sent_at, given_up_at) is not null`,
    [before],
  );
  return rowCount ?? 0;
}

/** Walks the partial index of mails that are neither sent nor given up. */
export async function countWaitingMails(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from mail where sent_at is null and given_up_at is null`,
  );
  return rows[0]?.count ?? 0;
}

/** When the mail that has waited longest was written; undefined when none waits. */
export async function findOldestWaitingMail(db: Queryable): Promise<Date | undefined> {
  const { rows } = await db.query<{ since: Date | null }>(
    "select min(created_at) as since from mail where sent_at is null and given_up_at is null",
  );
  return rows[0]?.since ?? undefined;
}
