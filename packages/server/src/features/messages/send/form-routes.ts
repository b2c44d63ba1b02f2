import { formRoutes as contract } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { sendByForm } from "./send-by-form.ts";
import type { SendDeps } from "./send-deps.ts";
import { isDndAnswer } from "./send-now.ts";
import { refuseTimes } from "./send-routes.ts";

export function formRoutes(app: App, deps: SendDeps): void {
  app.route({
    ...contract.sendByForm,
    // Link previews and scanners ask with HEAD.
    exposeHeadRoute: false,
    preValidation: async (request) => refuseTimes(request.query),
    handler: async (request, reply) => {
      const answer = await sendByForm(deps, request.params, request.ip);
      return isDndAnswer(answer) ? await reply.code(503).send(answer.body) : await reply.code(200).send(answer.body);
    },
  });
}
