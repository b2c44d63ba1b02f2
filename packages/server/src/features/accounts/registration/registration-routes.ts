/** Registering, and the link that proves the mailbox. */
import { accountRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { presentRegistration } from "../present.ts";
import { registerUser, resendVerification, verifyUser } from "./register-user.ts";

export function registrationRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.createUser,
    handler: async (request, reply) => {
      const { userId } = await registerUser(deps, request.body, request.ip);
      return await reply.code(201).send(presentRegistration(userId));
    },
  });

  app.route({
    ...contract.resendVerification,
    handler: async (request) => {
      await resendVerification(deps, request.body.email, request.ip);
      return { message: "If this address still needs verification, a mail is on its way" };
    },
  });

  app.route({
    ...contract.verifyUser,
    // Mail scanners send HEAD requests first; only GET may use the link.
    exposeHeadRoute: false,
    handler: async (request) => {
      await verifyUser(deps, request.params.token);
      return { message: "Your account is verified. You can log in" };
    },
  });
}
