/** The API for programs, and the GET form. Fields, checks and answers are those of the dashboard's calls. */
import { getFormRoutes } from "@ewebal/contract";
import type { App } from "../../../http/app-type.ts";
import { takeEmptyJson, takeJsonAsBytes } from "../../../http/bounds/json-bytes.ts";
import { createContactDeps, createPasteDeps } from "../../contacts/index.ts";
import { choicesOf, refuseTimes } from "../read-body/read-send.ts";
import { presentSent } from "../send/present-send.ts";
import type { SendDeps } from "../send/send.ts";
import { accountRoutes } from "./account-routes.ts";
import { addContactsRoute, catalogRoutes } from "./catalog-routes.ts";
import { inboxRoutes, listRoutes } from "./list-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { verificationRoutes } from "../verifications/verification-routes.ts";
import { requireKey } from "./require-key.ts";
import { sendByGetForm } from "./send-by-get-form.ts";

export async function programRoutes(app: App, deps: SendDeps): Promise<void> {
  const pasteDeps = createPasteDeps(createContactDeps(deps));
  app.addHook("onClose", async () => await pasteDeps.bodies.close());
  await app.register(async (scope: App) => {
    requireKey(scope, deps);
    await scope.register(async (large: App) => {
      // These bodies may hold a million numbers.
      takeJsonAsBytes(large);
      messageRoutes(large, deps);
      addContactsRoute(large, pasteDeps);
    });
    takeEmptyJson(scope);
    catalogRoutes(scope, pasteDeps);
    listRoutes(scope, deps);
    inboxRoutes(scope, deps);
    accountRoutes(scope, deps);
    verificationRoutes(scope, deps);
  });
  // Outside the scope: its key comes in the URL.
  app.route({
    ...getFormRoutes.sendByGetForm,
    // Link previews and scanners ask with HEAD.
    exposeHeadRoute: false,
    preValidation: async (request) => refuseTimes(request.query),
    handler: async (request, reply) => {
      const { status, body } = presentSent(
        await sendByGetForm(deps, { ...request.params, ...choicesOf(request.query) }, request.ip),
      );
      return await reply.code(status).send(body);
    },
  });
}
