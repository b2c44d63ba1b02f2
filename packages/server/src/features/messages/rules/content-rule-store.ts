/** All SQL about what may be sent. */
import type { ContentRule } from "@ewebal/contract";
import type { Queryable } from "../../../db/pool.ts";

export type ContentRuleRow = ContentRule & { ruleId: string; isEnabled: boolean; createdAt: Date };

const COLUMNS = `rule_id as "ruleId", pattern, place as "where", countries, networks, action, note, is_enabled as "isEnabled", created_at as "createdAt"`;

/** The rules that hold, the oldest first. */
export async function selectContentRules(db: Queryable): Promise<ContentRuleRow[]> {
  const { rows } = await db.query<ContentRuleRow>({
    name: "content-rules",
    text: `select ${COLUMNS} from content_rule where is_enabled order by rule_id`,
  });
  return rows;
}

/** Those that are switched off, too. */
export async function selectAllContentRules(db: Queryable): Promise<ContentRuleRow[]> {
  const { rows } = await db.query<ContentRuleRow>(`select ${COLUMNS} from content_rule order by rule_id`);
  return rows;
}

/** Serializes administrators who add rules, so that each counts all of them. */
export async function countContentRules(tx: Queryable): Promise<number> {
  await tx.query("lock table content_rule in share row exclusive mode");
  const { rows } = await tx.query<{ count: number }>("select count(*)::integer as count from content_rule");
  return rows[0]?.count ?? 0;
}

export async function lockContentRule(tx: Queryable, ruleId: string): Promise<ContentRuleRow | undefined> {
  const { rows } = await tx.query<ContentRuleRow>(`select ${COLUMNS} from content_rule where rule_id = $1 for update`, [
    ruleId,
  ]);
  return rows[0];
}

export async function upsertContentRule(tx: Queryable, rule: ContentRuleRow, now: Date): Promise<void> {
  await tx.query(
    `insert into content_rule (rule_id, pattern, place, countries, networks, action, note, is_enabled, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (rule_id) do update set pattern = excluded.pattern, place = excluded.place, countries = excluded.countries,
       networks = excluded.networks, action = excluded.action, note = excluded.note, is_enabled = excluded.is_enabled,
       updated_at = excluded.updated_at`,
    [
      rule.ruleId,
      rule.pattern,
      rule.where,
      rule.countries,
      rule.networks,
      rule.action,
      rule.note,
      rule.isEnabled,
      rule.createdAt,
      now,
    ],
  );
}

export async function deleteContentRule(tx: Queryable, ruleId: string): Promise<ContentRuleRow | undefined> {
  const { rows } = await tx.query<ContentRuleRow>(`delete from content_rule where rule_id = $1 returning ${COLUMNS}`, [
    ruleId,
  ]);
  return rows[0];
}
