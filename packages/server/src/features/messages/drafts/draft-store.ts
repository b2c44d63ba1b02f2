/** All SQL about drafts. */
import type { DraftBody } from "@ewebal/contract";
import { selectOwnedSummaries, type OwnedSummary } from "../../../db/owned-summary.ts";
import type { Queryable } from "../../../db/pool.ts";

type Key = { userId: string; draftId: string };

type DraftFacts = Key & { userName: string; createdAt: Date; updatedAt: Date };
export type Draft = DraftBody & DraftFacts;

export async function insertDraft(tx: Queryable, key: Key, draft: DraftBody, now: Date): Promise<void> {
  await tx.query(
    `insert into draft (user_id, draft_id, sender_name, message, phone_no, code, created_at, updated_at, recipients, has_opt_out_link,
       class, dnd, valid_until)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12)`,
    [...columnsOf(key, draft), now, ...furtherColumnsOf(draft)],
  );
}

function columnsOf(key: Key, draft: DraftBody): string[] {
  return [key.userId, key.draftId, draft.senderName, draft.message, draft.phoneNo, draft.code];
}

function furtherColumnsOf({ recipients, optOutLink, class: messageClass, dnd, validUntil }: DraftBody): unknown[] {
  const list = recipients === undefined ? null : JSON.stringify(recipients);
  return [list, optOutLink === true, messageClass ?? null, dnd ?? null, validUntil ?? null];
}

/** @returns whether there is such a draft. */
export async function updateDraft(tx: Queryable, key: Key, draft: DraftBody, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update draft set sender_name = $3, message = $4, phone_no = $5, code = $6, updated_at = $7, recipients = $8, has_opt_out_link = $9,
       class = $10, dnd = $11, valid_until = $12
     where user_id = $1 and draft_id = $2`,
    [...columnsOf(key, draft), now, ...furtherColumnsOf(draft)],
  );
  return rowCount === 1;
}

/** @returns what was deleted; undefined when there is no such draft. A second caller waits until the first one's transaction ends. */
export async function deleteDraftRow(tx: Queryable, key: Key): Promise<DraftBody | undefined> {
  const { rows } = await tx.query<StoredDraft>(
    `delete from draft where user_id = $1 and draft_id = $2
     returning sender_name as "senderName", message, phone_no as "phoneNo", code, ${FURTHER_COLUMNS}`,
    [key.userId, key.draftId],
  );
  return rows[0] && readStored(rows[0]);
}

const FURTHER_COLUMNS = `recipients::json, has_opt_out_link as "optOutLink", class, dnd, valid_until as "validUntil"`;

/** As the columns are: null for what the draft does not say. */
type StoredDraft = { [name in keyof DraftBody]: DraftBody[name] | null } & { validUntil: Date | null };

function readStored<Row extends StoredDraft>({ recipients, class: messageClass, dnd, validUntil, ...row }: Row) {
  return {
    ...row,
    ...(recipients && { recipients }),
    ...(messageClass && { class: messageClass }),
    ...(dnd && { dnd }),
    ...(validUntil && { validUntil: validUntil.toISOString() }),
  } as unknown as DraftBody & Omit<Row, keyof StoredDraft>;
}

/** @returns undefined when there is no such draft. */
export async function findDraftLength(db: Queryable, key: Key): Promise<number | undefined> {
  const { rows } = await db.query<{ characters: number }>(
    "select octet_length(phone_no) + coalesce(octet_length(recipients), 0) as characters from draft where user_id = $1 and draft_id = $2",
    [key.userId, key.draftId],
  );
  return rows[0]?.characters;
}

/** Serializes what changes the number of a customer's drafts. @returns that number. */
export async function lockAndCountDrafts(tx: Queryable, userId: string): Promise<number> {
  await tx.query("select from app_user where user_id = $1 for no key update", [userId]);
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from draft where user_id = $1",
    [userId],
  );
  return rows[0]?.count ?? 0;
}

export type DraftStep = {
  /** Undefined: everybody's. */
  userId: string | undefined;
  after: string | undefined;
  limit: number;
  /** Parts of the text and the sender name, in lower case, and of the numbers. */
  search: { text: string; digits: string | undefined } | undefined;
};

/** Numbers of a draft are searched up to this length: it may hold 14 MB of them. */
const SEARCHED_NUMBERS_BYTES_MAX = 1024 * 1024;

/** The ids of the next drafts, newest first, with the length of their numbers, and whether they are what is searched for. */
export async function selectDraftLengths(
  db: Queryable,
  step: DraftStep,
): Promise<{ draftId: string; characters: number; isFound: boolean }[]> {
  const whose = step.userId === undefined ? "$1::uuid is null" : "user_id = $1";
  const { rows } = await db.query<{ draftId: string; characters: number; isFound: boolean }>(
    `select draft_id as "draftId", octet_length(phone_no) as characters,
       $4::text is null or strpos(lower(message), $4) > 0 or strpos(lower(sender_name), $4) > 0
         or ($5::text is not null and octet_length(phone_no) <= ${SEARCHED_NUMBERS_BYTES_MAX} and strpos(translate(phone_no, ' +()-', ''), $5) > 0) as "isFound"
     from draft where ${whose} and ($2::uuid is null or draft_id < $2) order by draft_id desc limit $3`,
    [
      step.userId ?? null,
      step.after ?? null,
      step.limit,
      step.search?.text.toLowerCase() ?? null,
      step.search?.digits ?? null,
    ],
  );
  return rows;
}

const DRAFT_COLUMNS = `d.user_id as "userId", d.draft_id as "draftId", u.user_name as "userName", d.sender_name as "senderName", d.message,
  d.phone_no as "phoneNo", d.code, ${FURTHER_COLUMNS}, d.created_at as "createdAt", d.updated_at as "updatedAt"`;

/** Newest first. */
export async function selectDrafts(db: Queryable, draftIds: string[]): Promise<Draft[]> {
  const { rows } = await db.query<StoredDraft & DraftFacts>(
    `select ${DRAFT_COLUMNS} from draft d join app_user u using (user_id) where d.draft_id = any ($1::uuid[]) order by d.draft_id desc`,
    [draftIds],
  );
  return rows.map(readStored);
}

export async function findDraft(db: Queryable, key: Key): Promise<Draft | undefined> {
  const { rows } = await db.query<StoredDraft & DraftFacts>(
    `select ${DRAFT_COLUMNS} from draft d join app_user u using (user_id) where d.user_id = $1 and d.draft_id = $2`,
    [key.userId, key.draftId],
  );
  return rows[0] && readStored(rows[0]);
}

/** The newest ids of customers' drafts, and how many there are. */
export async function selectDraftSummaries(
  db: Queryable,
  userIds: readonly string[],
  idsMax: number,
): Promise<OwnedSummary[]> {
  return await selectOwnedSummaries(db, { table: "draft", idColumn: "draft_id" }, userIds, idsMax);
}

/** Whose draft it is, by the index over everybody's. */
export async function findDraftOwner(db: Queryable, draftId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ userId: string }>(
    `select user_id as "userId" from draft where draft_id = $1 limit 1`,
    [draftId],
  );
  return rows[0]?.userId;
}
