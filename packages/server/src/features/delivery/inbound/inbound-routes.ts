import { inboundRoutes as contract, type InboundAnswer } from "@ewebal/contract";
import { assertIdCursor, readPage } from "../../../db/cursor-page.ts";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { selectInboundMessages, type InboundRow } from "./inbound-store.ts";

/** What phones sent, for administrators: no number has an owner yet, so all of it is nobody's. */
export function inboundRoutes(app: App, { db }: Pick<Deps, "db">): void {
  app.route({
    ...contract.viewUnassignedInbound,
    onRequest: requireAdmin,
    handler: async ({ query: { limit, after } }) => {
      assertIdCursor(after);
      const page = await readPage(
        limit,
        (rowsMax) => selectInboundMessages(db, { limit: rowsMax, beforeId: after }),
        (row) => row.inbound_id,
      );
      return { data: page.rows.map(presentInbound), next: page.next };
    },
  });
}

function presentInbound(row: InboundRow): InboundAnswer {
  const { inbound_id: _id, from_address: from, to_address: to, body: text } = row;
  return { _id, from, to, text, createdAt: row.received_at.toISOString() };
}
