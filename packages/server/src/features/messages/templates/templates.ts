/** Texts that customers keep to send again. */
import { personalLimits, type ListQuery } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import {
  deleteTemplateRow,
  findTemplate,
  insertTemplate,
  lockAndCountTemplates,
  selectTemplates,
  updateTemplate,
  type Template,
  type TemplateKey,
} from "./template-store.ts";

export type { Template };

type Contents = { name: string; message: string };

/** @throws AppError `STATE_CONFLICT` when the customer has as many as may be kept. */
export async function addTemplate(deps: Deps, userId: string, contents: Contents): Promise<Template> {
  return await withTransaction(deps.db, async (tx) => {
    if ((await lockAndCountTemplates(tx, userId)) >= personalLimits.templatesMax) {
      const message = `You can keep ${personalLimits.templatesMax} templates. Please delete some first`;
      throw new AppError("STATE_CONFLICT", { message });
    }
    return await insertTemplate(tx, { userId, templateId: uuidv7(), ...contents, now: deps.clock.now() });
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function editTemplate(
  deps: Deps,
  key: TemplateKey,
  change: { [name in keyof Contents]?: string | undefined },
): Promise<Template> {
  const template = await updateTemplate(deps.db, key, { ...change, now: deps.clock.now() });
  if (template === undefined) throw new AppError("NOT_FOUND");
  return template;
}

/** @throws AppError `NOT_FOUND`. */
export async function deleteTemplate(deps: Deps, key: TemplateKey): Promise<void> {
  if (!(await deleteTemplateRow(deps.db, key))) throw new AppError("NOT_FOUND");
}

/** @throws AppError `NOT_FOUND`. */
export async function getTemplate(db: Queryable, key: TemplateKey): Promise<Template> {
  const template = await findTemplate(db, key);
  if (template === undefined) throw new AppError("NOT_FOUND");
  return template;
}

/** Newest first. @throws AppError `VALIDATION` for a cursor that is none. */
export async function listTemplates(
  db: Queryable,
  userId: string,
  query: ListQuery,
): Promise<{ rows: Template[]; next: string | null }> {
  assertIdCursor(query.after);
  const select = (limit: number) => selectTemplates(db, { userId, after: query.after, limit });
  return await readPage(query.limit, select, ({ templateId }) => templateId);
}
