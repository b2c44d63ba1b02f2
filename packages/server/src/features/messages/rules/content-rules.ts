/** What may be sent, as administrators keep it. The rules are read in each send's own transaction, so a change holds at once. */
import {
  CONTENT_RULES_MAX,
  findPatternFault,
  meansSender,
  type AddContentRuleBody,
  type ContentRule,
  type EditContentRuleBody,
} from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import type { Deps } from "../../../base/deps.ts";
import { AppError, fieldError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { contentRulesChanged, publishChange } from "../../../events/index.ts";
import {
  countContentRules,
  deleteContentRule,
  lockContentRule,
  selectAllContentRules,
  selectContentRules,
  upsertContentRule,
  type ContentRuleRow,
} from "./content-rule-store.ts";

export type { ContentRuleRow };

/** All rules, those that are switched off too, the oldest first. */
export async function listContentRules(db: Queryable): Promise<ContentRuleRow[]> {
  return await selectAllContentRules(db);
}

type Act = { adminId: string; clientAddress: string };

/** @throws AppError `VALIDATION` for one rule too many. */
export async function addContentRule(deps: Deps, body: AddContentRuleBody, act: Act): Promise<ContentRuleRow> {
  return await withTransaction(deps.db, async (tx) => {
    if ((await countContentRules(tx)) >= CONTENT_RULES_MAX)
      throw fieldError("pattern", `would be one more than ${CONTENT_RULES_MAX} rules`);
    const now = deps.clock.now();
    const rule = { ...body, ruleId: uuidv7(), createdAt: now };
    await upsertContentRule(tx, rule, now);
    await deps.recordAudit(tx, { ...act, action: "add-content-rule", subjectId: rule.ruleId, after: auditOf(rule) });
    await publishChange(tx, contentRulesChanged());
    return rule;
  });
}

/** @throws AppError `NOT_FOUND`; `VALIDATION` for a pattern that the place does not take. */
export async function editContentRule(
  deps: Deps,
  { ruleId, body }: { ruleId: string; body: EditContentRuleBody },
  act: Act,
): Promise<ContentRuleRow> {
  return await withTransaction(deps.db, async (tx) => {
    const before = await lockContentRule(tx, ruleId);
    if (before === undefined) throw new AppError("NOT_FOUND");
    const rule = { ...before, ...withoutUndefined(body) };
    const fault = findPatternFault(rule);
    if (fault !== undefined) throw fieldError("pattern", fault);
    await upsertContentRule(tx, rule, deps.clock.now());
    const states = { before: auditOf(before), after: auditOf(rule) };
    await deps.recordAudit(tx, { ...act, ...states, action: "edit-content-rule", subjectId: ruleId });
    await publishChange(tx, contentRulesChanged());
    return rule;
  });
}

/** @throws AppError `NOT_FOUND`. */
export async function removeContentRule(deps: Deps, ruleId: string, act: Act): Promise<void> {
  await withTransaction(deps.db, async (tx) => {
    const before = await deleteContentRule(tx, ruleId);
    if (before === undefined) throw new AppError("NOT_FOUND");
    const entry = { ...act, action: "remove-content-rule", subjectId: ruleId, before: auditOf(before) };
    await deps.recordAudit(tx, entry);
    await publishChange(tx, contentRulesChanged());
  });
}

/**
 * Sender names that nobody may have, on every way in which a name is given. Rules for some countries or networks are looked at when something
 * is sent there.
 *
 * @throws AppError `NOT_SENDABLE` with the rule's note.
 */
export async function refuseSenderNames(db: Queryable, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const rules = (await selectContentRules(db)).filter(
    ({ where, action, countries, networks }) =>
      where === "sender" && action === "refuse" && countries.length === 0 && networks.length === 0,
  );
  const broken = rules.find((rule) => names.some((name) => meansSender(rule, name)));
  if (broken !== undefined) throw refusedBy(broken);
}

/** Whether a rule is for the country of a send. */
export function isForCode({ countries }: Pick<ContentRule, "countries">, code: string): boolean {
  return countries.length === 0 || countries.includes(code);
}

/** @returns the refusal of a send that breaks a rule. */
export function refusedBy({ note }: Pick<ContentRule, "note">): AppError {
  return new AppError("NOT_SENDABLE", note === "" ? {} : { message: note });
}

function withoutUndefined(body: EditContentRuleBody): Partial<ContentRuleRow> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function auditOf(rule: ContentRuleRow): Record<string, unknown> {
  const { pattern, where, countries, networks, action, note, isEnabled } = rule;
  return { pattern, where, countries: countries.join(", "), networks: networks.join(", "), action, note, isEnabled };
}
