/** Codes: sending and checking them by program, and the dashboard's figures of them. */
import {
  codeLimits,
  codeResultRoutes,
  verificationRoutes as contract,
  type VerificationAnswer,
} from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { callerOf, programOf } from "../program-api/require-key.ts";
import { listDays } from "../results/result-routes.ts";
import type { SendDeps } from "../send/send.ts";
import { checkVerification } from "./check-verification.ts";
import { startVerification, type StartedVerification } from "./start-verification.ts";
import { getVerification, isOver, listVerifications, type Verification, viewCodeDays } from "./view-verifications.ts";

/** Behind the guard of programs. */
export function verificationRoutes(app: App, deps: SendDeps): void {
  const change = { scope: "messages:send" } as const;
  const read = { scope: "messages:read" } as const;
  app.route({
    ...contract.startVerification,
    config: change,
    handler: async (request, reply) => {
      const asked = { body: request.body, key: request.headers["idempotency-key"] };
      const { status, body } = presentStarted(await startVerification(deps, callerOf(request), asked));
      return await reply.code(status).send(body);
    },
  });
  app.route({
    ...contract.checkVerification,
    config: change,
    handler: async (request) => {
      const { verificationId } = request.params;
      await checkVerification(deps, { ...ownerOf(request), verificationId }, request.body.code);
      return { message: "The code is right", data: { _id: verificationId, state: "verified" as const } };
    },
  });
  app.route({
    ...contract.listVerifications,
    config: read,
    handler: async (request) => {
      const { rows, next } = await listVerifications(deps.db, ownerOf(request), request.query);
      return { data: rows.map((row) => presentVerification(row, deps.clock.now())), next };
    },
  });
  app.route({
    ...contract.viewVerification,
    config: read,
    handler: async (request) => {
      const found = await getVerification(deps.db, { ...ownerOf(request), ...request.params });
      return { message: "Code", data: presentVerification(found, deps.clock.now()) };
    },
  });
}

function ownerOf(request: FastifyRequest): Pick<Verification, "userId" | "mode"> {
  const { userId, mode } = programOf(request);
  return { userId, mode };
}

/** How many codes came back, for the customer's page. */
export function codeResultRoute(app: App, deps: Deps): void {
  app.route({
    ...codeResultRoutes.codeResults,
    onRequest: requireCustomer,
    handler: async ({ params: { userId }, query }) => {
      const rows = await viewCodeDays(deps, { userId, days: listDays(query, deps.clock.now()) });
      const sum = (figure: "sent" | "verified" | "expired"): number =>
        rows.reduce((total, row) => total + row[figure], 0);
      return {
        message: "What came of your codes",
        data: { sent: sum("sent"), verified: sum("verified"), expired: sum("expired"), days: rows },
      };
    },
  });
}

/** 503 with `dnd` says that the number is on the do-not-disturb list and no carrier reaches it there. */
function presentStarted({ verificationId, phoneNo, expiresAt, send }: StartedVerification) {
  const { units } = send;
  const message =
    units.recipients > 0
      ? "Code sent"
      : units.dnd > 0
        ? "Nothing was sent: the number is on the do-not-disturb list"
        : "Nothing was sent: the number has opted out of your messages";
  const data = {
    _id: verificationId,
    to: phoneNo,
    state: "pending" as const,
    expiresAt: expiresAt.toISOString(),
    triesLeft: codeLimits.triesMax,
  };
  const body = { message, data, unitDetails: units };
  return units.dnd > 0
    ? { status: 503 as const, body: { ...body, dnd: true as const } }
    : { status: 201 as const, body };
}

function presentVerification(row: Verification, now: Date): VerificationAnswer {
  return {
    _id: row.verificationId,
    to: String(row.phoneNo),
    state: row.state === "verified" ? "verified" : isOver(row, now) ? "expired" : "pending",
    expiresAt: row.expiresAt.toISOString(),
    triesLeft: row.triesLeft,
    createdAt: row.createdAt.toISOString(),
  };
}
