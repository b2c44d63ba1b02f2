/** Administrators: registering with code and mailbox, signing in, their record, and crediting a customer. */
import { adminRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { deviceMarkOf, setSessionCookie } from "../../http/session/session-cookie.ts";
import { requireAdmin, requireFreshSecondFactor } from "../../http/session/session.ts";
import { originOf } from "../accounts/index.ts";
import { announcementRoutes } from "./announcements/announcement-routes.ts";
import { creditUser } from "./credit/credit-user.ts";
import { overviewRoutes } from "./overview/overview-routes.ts";
import { presentAdmin, presentCredit } from "./present.ts";
import { accountRoutes } from "./profile/profile-routes.ts";
import { viewAdmin } from "./profile/update-admin-profile.ts";
import { registerAdmin } from "./sign-in/register-admin.ts";
import { signInAdmin } from "./sign-in/sign-in-admin.ts";
import { verifyAdmin, verifyOtp } from "./sign-in/verify-admin.ts";
import { administratorsRoutes } from "./team/team-routes.ts";
import { apiKeyAdminRoutes, messageRoutes, userRoutes } from "./users/user-routes.ts";

export function adminRoutes(app: App, deps: Deps): void {
  userRoutes(app, deps);
  announcementRoutes(app, deps);
  accountRoutes(app, deps);
  apiKeyAdminRoutes(app, deps);
  messageRoutes(app, deps);
  overviewRoutes(app, deps);
  administratorsRoutes(app, deps);
  app.route({
    ...contract.createAdmin,
    handler: async (request, reply) => {
      await registerAdmin(deps, request.body, request.ip);
      return await reply.code(201).send({ message: "Registration successful. Please check your mail for the code" });
    },
  });

  app.route({
    ...contract.verifyOtp,
    handler: async (request) => {
      await verifyOtp(deps, request.params.token, request.body.otp);
      return { message: "The code is right. Please check your mail to verify your account" };
    },
  });

  app.route({
    ...contract.verifyAdmin,
    // Mail scanners ask with HEAD first; only GET may use the link up.
    exposeHeadRoute: false,
    handler: async (request) => {
      const { isIn } = await verifyAdmin(deps, request.params.token, request.ip);
      return {
        message: isIn
          ? "You can login to your dashboard"
          : "Your mailbox is verified. An owner has yet to let you in; you will hear by mail",
      };
    },
  });

  app.route({
    ...contract.signInAdmin,
    handler: async (request, reply) => {
      const session = await signInAdmin(deps, {
        ...request.body,
        ...originOf(request),
        deviceMark: deviceMarkOf(request, deps.config),
      });
      setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Login successful", data: session.token });
    },
  });

  app.route({
    ...contract.viewOneAdmin,
    onRequest: requireAdmin,
    handler: async (request) => ({
      message: "Administrator",
      data: presentAdmin(await viewAdmin(deps, request.params.adminId)),
    }),
  });

  app.route({
    ...contract.creditAUser,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const { adminId } = request.params;
      const idempotencyKey = request.headers["idempotency-key"];
      const outcome = await creditUser(deps, {
        ...request.body,
        adminId,
        idempotencyKey,
        clientAddress: request.ip,
      });
      const { status, body } = presentCredit(outcome);
      return await reply.code(status).send(body);
    },
  });
}
