import { carrierRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../../base/deps.ts";
import type { App } from "../../../../http/app-type.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../../../http/session/session.ts";
import { addCarrier, editCarrier, passwordFor, recordTest, removeCarrier, switchCarrier } from "./kept-carriers.ts";
import { addHttpCarrier, editHttpCarrier, prepareHttpTest } from "./kept-http-carriers.ts";
import { testHttpCarrier } from "../http/test-http-carrier.ts";
import { testCarrier } from "./test-carrier.ts";
import { createSendingReader, viewCarriers } from "./view-carriers.ts";

/** Carriers, for administrators: their state, and the calls that add, change, test and remove them. */
export function carrierRoutes(app: App, deps: Deps): void {
  const actOf = (request: { params: { adminId: string }; ip: string }) => ({
    adminId: request.params.adminId,
    clientAddress: request.ip,
  });
  app.route({
    ...contract.viewCarriers,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Carriers", data: await viewCarriers(deps) }),
  });
  const readSending = createSendingReader(deps);
  app.route({
    ...contract.viewSending,
    onRequest: requireAdmin,
    handler: async () => ({ message: "Sending", data: await readSending() }),
  });
  app.route({
    ...contract.addCarrier,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { body } = request;
      const add = async () =>
        body.kind === "http"
          ? await addHttpCarrier(deps, body, actOf(request))
          : await addCarrier(deps, body, actOf(request));
      const { keptCarrierId } = await add();
      return await reply.code(201).send({ message: "The carrier is added", data: { _id: keptCarrierId } });
    },
  });
  app.route({
    ...contract.editCarrier,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { body, params } = request;
      if (body.kind === "http") await editHttpCarrier(deps, params.carrierId, body, actOf(request));
      else await editCarrier(deps, params.carrierId, body, actOf(request));
      return { message: "The carrier is changed" };
    },
  });
  app.route({
    ...contract.switchCarrier,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { isEnabled } = request.body;
      await switchCarrier(deps, request.params.carrierId, isEnabled, actOf(request));
      return { message: isEnabled ? "The carrier is on" : "The carrier is off" };
    },
  });
  app.route({
    ...contract.removeCarrier,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      await removeCarrier(deps, request.params.carrierId, actOf(request));
      return { message: "The carrier is removed" };
    },
  });
  app.route({
    ...contract.testCarrier,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request) => {
      const { body } = request;
      if (body.kind === "http") {
        const data = await testHttpCarrier(await prepareHttpTest(deps, body, actOf(request)), body);
        return { message: data.text, data };
      }
      const { carrierId, kind: _kind, ...target } = body;
      const password = await passwordFor(deps, carrierId, target);
      await recordTest(deps, carrierId, target, actOf(request));
      const data = await testCarrier({ ...target, password });
      return { message: data.text, data };
    },
  });
}
