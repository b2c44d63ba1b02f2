/** Accounts that a customer makes for others: the list, making, capping, and moving units. */
import { MILLI_PER_UNIT, subAccountRoutes as contract, type SubAccountAnswer, unitsForJson } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer, requireFreshSecondFactor } from "../../../http/session/session.ts";
import { actorOf } from "../members/member-routes.ts";
import {
  capSubAccount,
  type ListedSubAccount,
  listSubAccounts,
  makeSubAccount,
  moveUnits,
  presentMove,
} from "./sub-accounts.ts";

export function subAccountRoutes(app: App, deps: Deps): void {
  const onRequest = [requireCustomer, requireFreshSecondFactor];
  app.route({
    ...contract.subAccounts,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => {
      const { rows, next } = await listSubAccounts(deps, params.userId, query);
      return { data: rows.map(presentSubAccount), next };
    },
  });

  app.route({
    ...contract.makeSubAccount,
    onRequest,
    handler: async (request, reply) => {
      const { capUnitsPerDay = null, ...facts } = request.body;
      const { userId: parentId } = request.params;
      const made = await makeSubAccount(deps, { ...facts, capUnitsPerDay, parentId, by: actorOf(request) });
      const message = `The account is made. ${made.email} chooses a password by a mailed link`;
      return await reply.code(201).send({ message, data: presentSubAccount(made) });
    },
  });

  app.route({
    ...contract.editSubAccount,
    onRequest,
    handler: async (request) => {
      const { userId: parentId, subId } = request.params;
      const act = { parentId, subId, by: actorOf(request) };
      const changed = await capSubAccount(deps, act, request.body.capUnitsPerDay);
      return { message: "The account is changed", data: presentSubAccount(changed) };
    },
  });

  app.route({
    ...contract.moveUnits,
    onRequest,
    handler: async (request) => {
      const { userId: parentId, subId } = request.params;
      const idempotencyKey = request.headers["idempotency-key"];
      return presentMove(
        await moveUnits(deps, { parentId, subId, units: request.body.units, idempotencyKey, by: actorOf(request) }),
      );
    },
  });
}

function presentSubAccount(sub: ListedSubAccount): SubAccountAnswer {
  return {
    _id: sub.userId,
    userName: sub.userName,
    fullName: sub.fullName,
    email: sub.email,
    phoneNo: sub.phoneNo,
    units: unitsForJson(sub.freeMilli),
    capUnitsPerDay: sub.capMilliPerDay === null ? null : sub.capMilliPerDay / MILLI_PER_UNIT,
    usedToday: unitsForJson(sub.usedMilli),
    blocked: sub.isBlocked,
    createdAt: sub.createdAt.toISOString(),
  };
}
