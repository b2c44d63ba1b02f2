/** Templates, opt-outs and the inbox, by program. */
import { programListRoutes as contract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { listInbox, presentInbox } from "../../delivery/index.ts";
import { replyToInbox } from "../inbox/reply.ts";
import { addToOptOuts, removeFromOptOuts } from "../opt-outs/change-opt-outs.ts";
import { answerOptOuts, presentAdded, presentRemoved } from "../opt-outs/opt-out-routes.ts";
import { presentSent } from "../send/present-send.ts";
import type { SendDeps } from "../send/send.ts";
import { presentTemplate } from "../templates/template-routes.ts";
import { addTemplate, deleteTemplate, editTemplate, getTemplate, listTemplates } from "../templates/templates.ts";
import { callerOf, programOf } from "./require-key.ts";

export function listRoutes(app: App, deps: SendDeps): void {
  templateRoutes(app, deps);
  optOutRoutes(app, deps);
}

function templateRoutes(app: App, deps: SendDeps): void {
  const read = { scope: "messages:read" } as const;
  const change = { scope: "messages:send" } as const;
  app.route({
    ...contract.listTemplates,
    config: read,
    handler: async (request) => {
      const { rows, next } = await listTemplates(deps.db, programOf(request).userId, request.query);
      return { data: rows.map(presentTemplate), next };
    },
  });
  app.route({
    ...contract.addTemplate,
    config: change,
    handler: async (request, reply) => {
      const template = await addTemplate(deps, programOf(request).userId, request.body);
      return await reply.code(201).send({ message: "Template saved", data: presentTemplate(template) });
    },
  });
  app.route({
    ...contract.viewTemplate,
    config: read,
    handler: async (request) => {
      const key = { userId: programOf(request).userId, ...request.params };
      return { message: "Template", data: presentTemplate(await getTemplate(deps.db, key)) };
    },
  });
  app.route({
    ...contract.editTemplate,
    config: change,
    handler: async (request) => {
      const key = { userId: programOf(request).userId, ...request.params };
      return { message: "Template saved", data: presentTemplate(await editTemplate(deps, key, request.body)) };
    },
  });
  app.route({
    ...contract.deleteTemplate,
    config: change,
    handler: async (request) => {
      await deleteTemplate(deps, { userId: programOf(request).userId, ...request.params });
      return { message: "Deleted Successfully" };
    },
  });
}

function optOutRoutes(app: App, deps: SendDeps): void {
  const config = { scope: "contacts" } as const;
  app.route({
    ...contract.listOptOuts,
    config,
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      return await answerOptOuts(deps, reply, userId, request.query);
    },
  });
  app.route({
    ...contract.addOptOuts,
    config,
    handler: async (request, reply) => {
      const { userId } = programOf(request);
      return await reply.code(201).send(presentAdded(await addToOptOuts(deps, userId, request.body.phoneNo, "api")));
    },
  });
  app.route({
    ...contract.removeOptOuts,
    config,
    handler: async (request) => {
      const { userId } = programOf(request);
      return presentRemoved(await removeFromOptOuts(deps, userId, request.body.phoneNo));
    },
  });
}

export function inboxRoutes(app: App, deps: SendDeps): void {
  const config = { scope: "inbox" } as const;
  app.route({
    ...contract.listInbox,
    config,
    handler: async (request) => {
      const { userId } = programOf(request);
      const { rows, next } = await listInbox(deps.db, { userId, ...request.query });
      return { data: rows.map(presentInbox), next };
    },
  });
  app.route({
    ...contract.replyToInbox,
    config,
    handler: async (request, reply) => {
      const asked = { ...request.params, message: request.body.message, key: request.headers["idempotency-key"] };
      const { status, body } = presentSent(await replyToInbox(deps, callerOf(request), asked));
      return await reply.code(status).send(body);
    },
  });
}
