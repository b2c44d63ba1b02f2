/** What customers and administrators do about people's data. */
import { adminUserRoutes, lagosMoment, privacyRoutes as contract } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { App } from "../../http/app-type.ts";
import {
  type Guard,
  requireAdmin,
  requireCustomer,
  requireFreshSecondFactor,
  sessionOf,
} from "../../http/session/session.ts";
import { closeAccount } from "./close-account.ts";
import { eraseNumber } from "./erase-number.ts";
import { type ListedExport, openExport, requestExport, viewExport } from "./export-data.ts";

export function privacyRoutes(app: App, deps: Deps): void {
  exportRoutes(app, deps);
  app.route({
    ...contract.closeAccount,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async (request) => {
      const { params, body, ip: clientAddress } = request;
      const erasedAt = await closeAccount(deps, { session: sessionOf(request), ...params, ...body, clientAddress });
      return {
        message: `Your account is closed. It is erased on ${lagosMoment(erasedAt)}`,
        data: { erasedAt: erasedAt.toISOString() },
      };
    },
  });

  app.route({
    ...adminUserRoutes.eraseNumber,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async ({ params: { adminId }, body: { phoneNo }, ip: clientAddress }) => {
      await eraseNumber(deps, { adminId, phoneNo, clientAddress });
      return { message: "The number is being erased. Messages that still wait keep it until they are sent" };
    },
  });
}

/** An administrator who looks at the account takes nothing along. */
const refuseLooks: Guard = async (request) => {
  if (sessionOf(request).actingAdminId !== undefined) throw new AppError("FORBIDDEN");
  await Promise.resolve();
};

function exportRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.exportData,
    onRequest: [requireCustomer, requireFreshSecondFactor],
    handler: async (request, reply) => {
      await requestExport(deps, { session: sessionOf(request), ...request.params, clientAddress: request.ip });
      return await reply.code(202).send({ message: "We are making the file. A mail tells you when it is ready" });
    },
  });

  app.route({
    ...contract.dataExport,
    onRequest: requireCustomer,
    handler: async ({ params: { userId } }) => ({
      message: "Newest export",
      data: presentExport(await viewExport(deps, userId)),
    }),
  });

  app.route({
    ...contract.loadExport,
    // A HEAD would count as the session's one download.
    exposeHeadRoute: false,
    onRequest: [requireCustomer, refuseLooks],
    handler: async (request, reply) => {
      const { bytes, byteCount } = await openExport(deps, { session: sessionOf(request), ...request.params });
      const file = (reply as unknown as FastifyReply)
        .type("application/zip")
        .header("cache-control", "private, no-store")
        .header("content-length", byteCount)
        .header("content-disposition", 'attachment; filename="my-data.zip"');
      return await file.send(bytes);
    },
  });
}

function presentExport(found: ListedExport | undefined) {
  if (found === undefined) return null;
  const { requestId, state, createdAt, until, byteCount } = found;
  return { _id: requestId, state, createdAt: createdAt.toISOString(), until: until.toISOString(), byteCount };
}
