/** What a program may know of its account: units, prices, and the names that it may send as. */
import { programListRoutes as contract, unitsForJson } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { cursorError } from "../../../db/cursor-page.ts";
import type { App } from "../../../http/app-type.ts";
import { readBalance } from "../../../ledger/index.ts";
import { answerStatement } from "../../billing/index.ts";
import { viewOwnRates } from "../../rates/index.ts";
import { listSenderNames } from "../whitelists/list-whitelists.ts";
import { programOf } from "./require-key.ts";

const BILLING = { scope: "billing:read" } as const;

export function accountRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.balance,
    config: BILLING,
    handler: async (request) => {
      const { freeMilli } = await readBalance(deps.db, programOf(request).userId);
      return { message: "Balance", data: { units: unitsForJson(freeMilli) } };
    },
  });
  app.route({
    ...contract.statement,
    config: BILLING,
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      return await answerStatement(deps, reply, userId, request.query);
    },
  });
  app.route({
    ...contract.listRates,
    config: BILLING,
    handler: async (request) => {
      const { code, ...page } = request.query;
      const { rows } = await viewOwnRates(deps, programOf(request).userId);
      return pageOf(code === undefined ? rows : rows.filter((rate) => rate.code === code), page);
    },
  });
  app.route({
    ...contract.listSenders,
    config: { scope: "any" },
    handler: async (request) => {
      const names = await listSenderNames(deps.db, programOf(request).userId);
      const rows = names.map((senderName) => ({ senderName, state: "approved" as const }));
      return pageOf(rows, request.query);
    },
  });
}

/** A page of a list that is short enough to be read whole: all of it without a limit. A cursor is a place in it. */
function pageOf<Row>(
  rows: readonly Row[],
  { limit = rows.length, after }: { limit?: number | undefined; after?: string | undefined },
): { data: Row[]; next: string | null } {
  const from = after === undefined ? 0 : readPlace(after) + 1;
  const end = from + limit;
  return { data: rows.slice(from, end), next: end < rows.length ? String(end - 1) : null };
}

/** @throws AppError `VALIDATION`. */
function readPlace(after: string): number {
  if (!/^[0-9]{1,6}$/.test(after)) throw cursorError();
  return Number(after);
}
