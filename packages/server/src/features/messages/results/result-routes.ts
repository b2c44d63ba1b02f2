import { Readable } from "node:stream";
import {
  lagosDate,
  lagosDayStart,
  limits,
  MILLI_PER_UNIT,
  outcomeReasons,
  resultRoutes as contract,
  type PeriodResultsAnswer,
  type ResultsAnswer,
} from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import {
  readMessageResults,
  readNotifications,
  readPeriodResults,
  saveNotifications,
  type PeriodResults,
  type Results,
} from "../../delivery/index.ts";

const DAY_MS = 24 * 3_600_000;

/** What came of a customer's messages, and the mail that tells of it. */
export function resultRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.messageResults,
    onRequest: requireCustomer,
    handler: async ({ params, query }, reply) => {
      const results = presentResults(await readMessageResults(deps, params));
      if (query.format === "csv") return await sendFile(reply, "message-results", results);
      return { message: "What came of this message", data: results };
    },
  });
  app.route({
    ...contract.results,
    onRequest: requireCustomer,
    handler: async ({ params: { userId }, query }, reply) => {
      const days = listDays(query, deps.clock.now());
      const results = presentPeriodResults(await readPeriodResults(deps, { userId, days }));
      if (query.format === "csv") return await sendFile(reply, "results", results, results.days);
      return { message: "What came of your messages", data: results };
    },
  });
  app.route({
    ...contract.notifications,
    onRequest: requireCustomer,
    handler: async ({ params: { userId } }) => ({
      message: "Mails that you get",
      data: await readNotifications(deps.db, userId),
    }),
  });
  app.route({
    ...contract.setNotifications,
    onRequest: requireCustomer,
    handler: async ({ params: { userId }, body }) => ({
      message: "Saved",
      data: await saveNotifications(deps.db, userId, body),
    }),
  });
}

/** The days that are asked for; without any the last 30, today among them. */
export function listDays({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): string[] {
  const last = to ?? lagosDate(now);
  const lastMs = lagosDayStart(last).getTime();
  const firstMs = from === undefined ? lastMs - (limits.dashboardDays - 1) * DAY_MS : lagosDayStart(from).getTime();
  const count = Math.round((lastMs - firstMs) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => lagosDate(new Date(firstMs + index * DAY_MS)));
}

function presentResults(results: Results): ResultsAnswer {
  const { recipients, delivered, failed, networks, clicks, optOuts } = results;
  return {
    recipients,
    delivered,
    failed,
    reasons: results.reasons.map(({ kind, count }) => ({ reason: outcomeReasons[kind].reason, count })),
    networks,
    hours: results.hours.map(({ at, ...outcomes }) => ({ hour: new Date(at * 1_000).toISOString(), ...outcomes })),
    clicks,
    optOuts,
    charged: results.chargedMilli / MILLI_PER_UNIT,
  };
}

function presentPeriodResults(results: PeriodResults): PeriodResultsAnswer {
  const days = results.days.map(({ chargedMilli, ...day }) => ({ ...day, charged: chargedMilli / MILLI_PER_UNIT }));
  return { ...presentResults(results), days };
}

const HEADING = ["Part", "Name", "Recipients", "Delivered", "Failed", "Clicks", "Opt-outs", "Charged"];

/** One table for all parts: the whole, then by reason, network, hour and day. The contract's answer is the JSON one; a stream passes its serializer by. */
function sendFile(
  reply: unknown,
  name: string,
  results: ResultsAnswer,
  days: PeriodResultsAnswer["days"] = [],
): FastifyReply {
  const { recipients, delivered, failed, clicks, optOuts, charged } = results;
  const line = (part: string, label: string, figures: readonly (number | undefined)[]): string =>
    csvLine([part, csvText(label), ...figures.map((figure) => (figure === undefined ? "" : String(figure)))]);
  const lines = [
    csvLine(HEADING),
    line("All", "", [recipients, delivered, failed, clicks, optOuts, charged]),
    ...results.reasons.map(({ reason, count }) => line("Reason", reason, [undefined, undefined, count])),
    ...results.networks.map((one) => line("Network", one.network, [undefined, one.delivered, one.failed])),
    ...results.hours.map((one) => line("Hour", one.hour, [undefined, one.delivered, one.failed])),
    ...days.map((day) =>
      line("Day", day.day, [day.recipients, day.delivered, day.failed, day.clicks, day.optOuts, day.charged]),
    ),
  ];
  return (reply as FastifyReply)
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`)
    .send(Readable.from([CSV_START + lines.join("")]));
}
