import { inboundRoutes as contract, type InboundAnswer } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { listInboundMessages } from "./store-inbound.ts";

/** What phones sent, for administrators: no number has an owner yet, so all of it is nobody's. */
export function inboundRoutes(app: App, { db }: Pick<Deps, "db">): void {
  app.route({
    ...contract.viewUnassignedInbound,
    onRequest: requireAdmin,
    handler: async ({ query }) => {
      const { rows, next } = await listInboundMessages(db, query);
      return { data: rows.map(presentInbound), next };
    },
  });
}

type InboundMessage = Awaited<ReturnType<typeof listInboundMessages>>["rows"][number];

function presentInbound(message: InboundMessage): InboundAnswer {
  const { inboundId: _id, fromAddress: from, toAddress: to, body: text } = message;
  return { _id, from, to, text, createdAt: message.receivedAt.toISOString() };
}
