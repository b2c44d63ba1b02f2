import { marginRoutes as contract, MILLI_PER_UNIT, type MarginRowAnswer } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { CSV_START, csvLine, csvText } from "../../../http/csv-line.ts";
import { requireAdmin } from "../../../http/session/session.ts";
import { viewMargin, type NamedMargin } from "./view-margin.ts";

/** The margin, which is what customers pay less what carriers bill, from the tallies. */
export function marginRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.viewMargin,
    onRequest: requireAdmin,
    handler: async ({ query: { by, format, ...days } }, reply) => {
      const rows = (await viewMargin(deps, by, days)).map(presentMargin);
      if (format !== "csv") return { message: "Margin", data: rows };
      return await (reply as unknown as FastifyReply)
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="margin-by-${by}.csv"`)
        .send(`${CSV_START}${[HEADING, ...rows.map(lineOf)].map((cells) => csvLine(cells)).join("")}`);
    },
  });
}

const HEADING = ["Key", "Name", "Messages", "Parts", "Revenue", "Cost", "Margin", "Without cost", "Flag"];

function lineOf({ key, name, messages, parts, revenue, cost, margin, uncosted, flag }: MarginRowAnswer): string[] {
  const figures = [messages, parts, revenue, cost, margin, uncosted].map(String);
  return [csvText(key), csvText(name), ...figures, flag ?? ""];
}

function presentMargin(row: NamedMargin): MarginRowAnswer {
  const { key, name, messages, parts, revenueMilli, costMilli, uncosted } = row;
  return {
    key,
    name,
    messages,
    parts,
    revenue: revenueMilli / MILLI_PER_UNIT,
    cost: costMilli / MILLI_PER_UNIT,
    margin: (revenueMilli - costMilli) / MILLI_PER_UNIT,
    uncosted,
    flag: flagOf(row),
  };
}

function flagOf({ revenueMilli, costMilli, uncosted }: NamedMargin): MarginRowAnswer["flag"] {
  if (revenueMilli < costMilli) return "negative";
  return uncosted > 0 ? "no-cost" : null;
}
