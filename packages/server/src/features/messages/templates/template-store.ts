/** All SQL about texts that customers keep. */
import type { Queryable } from "../../../db/pool.ts";

export type TemplateKey = { userId: string; templateId: string };
export type Template = TemplateKey & { name: string; message: string; createdAt: Date; updatedAt: Date };

const COLUMNS = `user_id as "userId", template_id as "templateId", name, message, created_at as "createdAt", updated_at as "updatedAt"`;

export async function insertTemplate(
  tx: Queryable,
  template: TemplateKey & { name: string; message: string; now: Date },
): Promise<Template> {
  const { rows } = await tx.query<Template>(
    `insert into message_template (user_id, template_id, name, message, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5) returning ${COLUMNS}`,
    [template.userId, template.templateId, template.name, template.message, template.now],
  );
  return rows[0] as Template;
}

/** Serializes what changes the number of a customer's templates. @returns that number. */
export async function lockAndCountTemplates(tx: Queryable, userId: string): Promise<number> {
  await tx.query("select from app_user where user_id = $1 for no key update", [userId]);
  const { rows } = await tx.query<{ count: number }>(
    "select count(*)::integer as count from message_template where user_id = $1",
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** @returns undefined when there is no such template. */
export async function updateTemplate(
  tx: Queryable,
  key: TemplateKey,
  change: { name?: string | undefined; message?: string | undefined; now: Date },
): Promise<Template | undefined> {
  const { rows } = await tx.query<Template>(
    `update message_template set name = coalesce($3, name), message = coalesce($4, message), updated_at = $5
     where user_id = $1 and template_id = $2 returning ${COLUMNS}`,
    [key.userId, key.templateId, change.name ?? null, change.message ?? null, change.now],
  );
  return rows[0];
}

/** @returns whether there was such a template. */
export async function deleteTemplateRow(tx: Queryable, key: TemplateKey): Promise<boolean> {
  const { rowCount } = await tx.query("delete from message_template where user_id = $1 and template_id = $2", [
    key.userId,
    key.templateId,
  ]);
  return rowCount === 1;
}

export async function findTemplate(db: Queryable, key: TemplateKey): Promise<Template | undefined> {
  const { rows } = await db.query<Template>(
    `select ${COLUMNS} from message_template where user_id = $1 and template_id = $2`,
    [key.userId, key.templateId],
  );
  return rows[0];
}

/** Newest first. */
export async function selectTemplates(
  db: Queryable,
  page: { userId: string; after: string | undefined; limit: number },
): Promise<Template[]> {
  const { rows } = await db.query<Template>(
    `select ${COLUMNS} from message_template
     where user_id = $1 and ($2::uuid is null or template_id < $2) order by template_id desc limit $3`,
    [page.userId, page.after ?? null, page.limit],
  );
  return rows;
}
