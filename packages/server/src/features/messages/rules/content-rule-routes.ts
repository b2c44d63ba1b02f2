import {
  contentRuleRoutes as contract,
  MILLI_PER_UNIT,
  type ContentRuleAnswer,
  type ReviewAnswer,
} from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listReviews, type Review } from "../../delivery/index.ts";
import {
  addContentRule,
  editContentRule,
  listContentRules,
  removeContentRule,
  type ContentRuleRow,
} from "./content-rules.ts";

/** What may be sent, and what waits for a look before it is. Deciding is in `held/held-routes.ts`. */
export function contentRuleRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewContentRules,
    onRequest: requireAdmin,
    handler: async () => ({ data: (await listContentRules(deps.db)).map(presentRule), next: null }),
  });
  app.route({
    ...contract.addContentRule,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId }, body, ip }, reply) => {
      const rule = await addContentRule(deps, body, { adminId, clientAddress: ip });
      return await reply.code(201).send({ message: "The rule is added", data: presentRule(rule) });
    },
  });
  app.route({
    ...contract.editContentRule,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId, ruleId }, body, ip }) => {
      const rule = await editContentRule(deps, { ruleId, body }, { adminId, clientAddress: ip });
      return { message: "The rule is changed", data: presentRule(rule) };
    },
  });
  app.route({
    ...contract.removeContentRule,
    onRequest: requireAdmin,
    handler: async ({ params: { adminId, ruleId }, ip }) => {
      await removeContentRule(deps, ruleId, { adminId, clientAddress: ip });
      return { message: "The rule is removed" };
    },
  });
  app.route({
    ...contract.viewReviews,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listReviews(deps.db, query);
      return { data: rows.map(presentReview), next };
    },
  });
}

function presentRule({ ruleId, createdAt, countries, networks, ...rule }: ContentRuleRow): ContentRuleAnswer {
  return {
    ...rule,
    _id: ruleId,
    countries: [...countries],
    networks: [...networks],
    createdAt: createdAt.toISOString(),
  };
}

function presentReview(review: Review): ReviewAnswer {
  return {
    _id: review.messageId,
    userID: review.userId,
    userName: review.userName,
    senderName: review.senderName,
    message: review.body,
    recipients: review.recipientCount,
    charge: (review.units.chargedMilli + review.units.reservedMilli) / MILLI_PER_UNIT,
    note: review.isTest ? `${review.note} (from a test key: it reaches nobody)` : review.note,
    createdAt: review.createdAt.toISOString(),
  };
}
