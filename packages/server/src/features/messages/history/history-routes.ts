import { Readable } from "node:stream";
import { limits, messageRoutes as contract } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireAdmin, requireCustomer, requireCustomerOrAdmin, sessionOf } from "../../../http/session/session.ts";
import {
  countRecipientsByPages,
  closedLanesAt,
  getMessage,
  listAllMessages,
  listMessageDays,
  listMessages,
  listRecipients,
  readQuietHours,
  readRecipientValues,
  viewBreakdown,
  type MessageListQuery,
  type Viewer,
  selectClickTotals,
} from "../../delivery/index.ts";
import { presentBreakdown, presentMessages, presentOneMessage, presentRecipient } from "../present-message.ts";
import { historyCsv, recipientsCsv } from "./export-csv.ts";
import { steerMessage } from "./steer-message.ts";

/** Messages that were sent: reading them, and steering what is still on its way. */
export function historyRoutes(app: App, deps: Deps): void {
  readingRoutes(app, deps);
  steeringRoutes(app, deps);
}

function readingRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.populateSmsHistory,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { userId } = request.params;
      const { format, ...query } = request.query;
      const viewer = viewerOf(request);
      const filters = await withClosedLanes(deps, query);
      if (format === "csv") return await sendCsv(reply, "sms-history", historyCsv(deps, { userId, viewer }, filters));
      const { rows, next } = await listMessages(deps.db, { userId, query: filters, viewer });
      return { data: await presentMessages(deps, rows), next };
    },
  });
  app.route({
    ...contract.viewAllSmsMessages,
    onRequest: requireAdmin,
    handler: async (request) => {
      const { userId, ...query } = request.query;
      const { rows, next } = await listAllMessages(deps.db, { userId, query: await withClosedLanes(deps, query) });
      return { data: await presentMessages(deps, rows), next };
    },
  });
  app.route({
    ...contract.viewSmsDays,
    onRequest: requireCustomer,
    handler: async ({ params: { userId } }) => {
      const period = { now: deps.clock.now(), dayCount: limits.dashboardDays };
      return { message: "Your last days", data: await listMessageDays(deps.db, { userId, ...period }) };
    },
  });
  app.route({
    ...contract.viewOneSms,
    onRequest: requireCustomerOrAdmin,
    handler: async (request) => {
      const message = await getMessage(deps.db, request.params, viewerOf(request));
      const clicks = await selectClickTotals(deps.db, request.params);
      const pageCounts = message.isMerged ? await countRecipientsByPages(deps.db, message) : [];
      return { message: "Message", data: await presentOneMessage(deps, message, clicks, pageCounts) };
    },
  });
  app.route({
    ...contract.recipientValues,
    onRequest: requireCustomer,
    handler: async ({ params }, reply) => {
      // A message that is not there is refused before the first line.
      const { isMerged } = await getMessage(deps.db, params);
      const lines = Readable.from(valueLines(readRecipientValues(deps.db, { ...params, isMerged })));
      return await (reply as unknown as FastifyReply).type("application/x-ndjson; charset=utf-8").send(lines);
    },
  });
  app.route({
    ...contract.viewBreakdown,
    onRequest: requireCustomer,
    handler: async (request) => ({
      message: "How the message was delivered",
      data: presentBreakdown(await viewBreakdown(deps, request.params)),
    }),
  });
  app.route({
    ...contract.recipients,
    onRequest: requireCustomerOrAdmin,
    handler: async (request, reply) => {
      const { format, ...query } = request.query;
      const key = request.params;
      const viewer = viewerOf(request);
      if (format === "csv") {
        // A message that is not there is refused before the file begins.
        const { code, isMerged } = await getMessage(deps.db, key, viewer);
        const list = { ...key, code, isMerged, state: query.state, viewer };
        return await sendCsv(reply, "recipients", recipientsCsv(deps.db, list));
      }
      const { rows, next } = await listRecipients(deps.db, { ...key, ...query, viewer });
      return { data: rows.map(presentRecipient), next };
    },
  });
}

/** As text, because a million objects would not be: a line's JSON is at most what a recipient's values are. */
async function* valueLines(rows: ReturnType<typeof readRecipientValues>): AsyncGenerator<string> {
  let lines = "";
  for await (const row of rows) {
    lines += "keys" in row ? JSON.stringify(row.keys) : `\n${JSON.stringify([String(row.phoneNo), ...row.values])}`;
    if (lines.length < LINES_CHARACTERS) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

const LINES_CHARACTERS = 64 * 1024;

/** What waits for quiet hours is no sending message: the state of the list asks for the lanes that are closed now. */
export async function withClosedLanes(deps: Deps, query: MessageListQuery): Promise<MessageListQuery> {
  if (query.state !== "sending" && query.state !== "deferred") return query;
  return { ...query, closedLanes: closedLanesAt(await readQuietHours(deps, deps.db), deps.clock.now()) };
}

function viewerOf(request: FastifyRequest): Viewer {
  return sessionOf(request).kind === "admin" ? "administrator" : "customer";
}

/** The contract's answer is the JSON one; a stream passes its serializer by. */
async function sendCsv(reply: unknown, name: string, lines: AsyncGenerator<string>): Promise<FastifyReply> {
  const file = (reply as FastifyReply)
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`);
  return await file.send(Readable.from(lines));
}

function steeringRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.pause,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await steerMessage(deps, params, "pause");
      return { message: "Paused. The rest waits until you resume" };
    },
  });
  app.route({
    ...contract.resume,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await steerMessage(deps, params, "resume");
      return { message: "Sending resumed" };
    },
  });
  app.route({
    ...contract.cancel,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await steerMessage(deps, params, "cancel");
      return { message: "Cancelled. The units of what was not sent are back in your balance" };
    },
  });
  app.route({
    ...contract.deleteSmsMessage,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await steerMessage(deps, params, "delete");
      return { message: "Deleted Successfully" };
    },
  });
}
