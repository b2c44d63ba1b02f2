import { templateRoutes as contract, type TemplateAnswer } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { requireCustomer } from "../../../http/session/session.ts";
import { addTemplate, deleteTemplate, editTemplate, listTemplates, type Template } from "./templates.ts";

/** Texts that customers keep to send again. */
export function templateRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.templates,
    onRequest: requireCustomer,
    handler: async ({ params, query }) => {
      const { rows, next } = await listTemplates(deps.db, params.userId, query);
      return { data: rows.map(presentTemplate), next };
    },
  });
  app.route({
    ...contract.addTemplate,
    onRequest: requireCustomer,
    handler: async ({ params, body }, reply) => {
      const template = await addTemplate(deps, params.userId, body);
      return await reply.code(201).send({ message: "Template saved", data: presentTemplate(template) });
    },
  });
  app.route({
    ...contract.editTemplate,
    onRequest: requireCustomer,
    handler: async ({ params, body }) => ({
      message: "Template saved",
      data: presentTemplate(await editTemplate(deps, params, body)),
    }),
  });
  app.route({
    ...contract.deleteTemplate,
    onRequest: requireCustomer,
    handler: async ({ params }) => {
      await deleteTemplate(deps, params);
      return { message: "Deleted Successfully" };
    },
  });
}

export function presentTemplate({ templateId, name, message, createdAt, updatedAt }: Template): TemplateAnswer {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { _id: templateId, name, message, ...times };
}
