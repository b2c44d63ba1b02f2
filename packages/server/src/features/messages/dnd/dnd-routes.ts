import { dndRoutes as contract, type DndNumberAnswer } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listDndNumbers, type DndNumber } from "../../delivery/index.ts";
import { addToDndList, removeFromDndList } from "./change-dnd-list.ts";

/** The do-not-disturb list, for administrators. */
export function dndRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewDndNumbers,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { rows, next } = await listDndNumbers(deps.db, request.query);
      return { data: rows.map(presentDndNumber), next };
    },
  });
  app.route({
    ...contract.addDndNumbers,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const who = { adminId: request.params.adminId, clientAddress: request.ip };
      const data = await addToDndList(deps, who, request.body.phoneNo);
      return await reply.code(201).send({ message: `${data.added.toLocaleString("en")} added to the list`, data });
    },
  });
  app.route({
    ...contract.removeDndNumbers,
    onRequest: requireAdmin,
    handler: async (request) => {
      const who = { adminId: request.params.adminId, clientAddress: request.ip };
      const data = await removeFromDndList(deps, who, request.body.phoneNo);
      return { message: `${data.removed.toLocaleString("en")} taken off the list`, data };
    },
  });
}

function presentDndNumber({ phoneNo, source, addedAt }: DndNumber): DndNumberAnswer {
  return { phoneNo: String(phoneNo), source, createdAt: addedAt.toISOString() };
}
