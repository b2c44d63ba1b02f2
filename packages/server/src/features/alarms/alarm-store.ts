/** All SQL of alarms. */
import type { AlarmKind } from "@ewebal/contract";
import { ADVISORY_LOCK } from "../../db/advisory.ts";
import type { Queryable } from "../../db/pool.ts";

export type AlarmRow = {
  alarmId: string;
  kind: AlarmKind;
  subject: string;
  detail: string;
  openedAt: Date;
  closedAt: Date | null;
  toldAt: Date | null;
  silencedUntil: Date | null;
};

const COLUMNS = `alarm_id as "alarmId", kind, subject, detail, opened_at as "openedAt", closed_at as "closedAt", told_at as "toldAt",
  silenced_until as "silencedUntil"`;

/** Until the end of the transaction, whoever else decides about alarms waits. */
export async function lockAlarms(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK.alarms]);
}

/** Those that opened last first. */
export async function selectAlarms(
  db: Queryable,
  { limit, after, state }: { limit: number; after: string | undefined; state: "open" | "closed" | undefined },
): Promise<AlarmRow[]> {
  const { rows } = await db.query<AlarmRow>(
    `select ${COLUMNS} from alarm
     where ($2::uuid is null or alarm_id < $2) and ($3::boolean is null or (closed_at is null) = $3)
     order by alarm_id desc limit $1`,
    [limit, after ?? null, state === undefined ? null : state === "open"],
  );
  return rows;
}

export async function findAlarm(db: Queryable, alarmId: string): Promise<AlarmRow | undefined> {
  const { rows } = await db.query<AlarmRow>(`select ${COLUMNS} from alarm where alarm_id = $1`, [alarmId]);
  return rows[0];
}

export async function selectOpenAlarms(db: Queryable): Promise<AlarmRow[]> {
  const { rows } = await db.query<AlarmRow>(
    `select ${COLUMNS} from alarm where closed_at is null order by kind, subject`,
  );
  return rows;
}

/** How many are open and not silenced. */
export async function countOpenAlarms(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*) from alarm where closed_at is null and (silenced_until is null or silenced_until <= now())",
  );
  return rows[0]?.count ?? 0;
}

/** The newest of a kind and subject, open or closed. */
export async function findLastAlarm(
  db: Queryable,
  { kind, subject }: Pick<AlarmRow, "kind" | "subject">,
): Promise<AlarmRow | undefined> {
  const { rows } = await db.query<AlarmRow>(
    `select ${COLUMNS} from alarm where kind = $1 and subject = $2 order by alarm_id desc limit 1`,
    [kind, subject],
  );
  return rows[0];
}

export async function insertAlarm(tx: Queryable, alarm: Omit<AlarmRow, "toldAt">): Promise<void> {
  await tx.query(
    `insert into alarm (alarm_id, kind, subject, detail, opened_at, closed_at, silenced_until) values ($1, $2, $3, $4, $5, $6, $7)`,
    [alarm.alarmId, alarm.kind, alarm.subject, alarm.detail, alarm.openedAt, alarm.closedAt, alarm.silencedUntil],
  );
}

/** What is wrong now, of an alarm that is open or opens again. */
export async function setOpen(tx: Queryable, alarmId: string, detail: string): Promise<void> {
  await tx.query("update alarm set detail = $2, closed_at = null where alarm_id = $1", [alarmId, detail]);
}

export async function setClosed(tx: Queryable, alarmId: string, now: Date): Promise<void> {
  await tx.query("update alarm set closed_at = greatest($2, opened_at) where alarm_id = $1 and closed_at is null", [
    alarmId,
    now,
  ]);
}

export async function setTold(tx: Queryable, alarmId: string, now: Date): Promise<void> {
  await tx.query("update alarm set told_at = $2 where alarm_id = $1", [alarmId, now]);
}

/** @returns undefined when there is no such alarm. */
export async function setSilenced(tx: Queryable, alarmId: string, until: Date): Promise<AlarmRow | undefined> {
  const { rows } = await tx.query<AlarmRow>(
    `update alarm set silenced_until = $2 where alarm_id = $1 returning ${COLUMNS}`,
    [alarmId, until],
  );
  return rows[0];
}

export async function deleteAlarmsBefore(tx: Queryable, before: Date): Promise<void> {
  await tx.query("delete from alarm where closed_at < $1", [before]);
}
