/** How administrators get in: registering with code and mailbox, signing in, and coming over from the customer's side. */
import { adminAccountRoutes, adminRoutes } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { deviceMarkOf, setSessionCookie } from "../../../http/session/session-cookie.ts";
import { requireAdmin, requireCustomer, requireFreshSecondFactor, sessionOf } from "../../../http/session/session.ts";
import { originOf, readFactorHeader } from "../../accounts/index.ts";
import { registerAdmin } from "./register-admin.ts";
import { signInAdmin } from "./sign-in-admin.ts";
import { actFor, switchToAdmin, switchToUser } from "./switch-mode.ts";
import { verifyAdmin, verifyOtp } from "./verify-admin.ts";

export function signInRoutes(app: App, deps: Deps): void {
  app.route({
    ...adminRoutes.createAdmin,
    handler: async (request, reply) => {
      await registerAdmin(deps, request.body, request.ip);
      return await reply.code(201).send({ message: "Registration successful. Please check your mail for the code" });
    },
  });

  app.route({
    ...adminRoutes.verifyOtp,
    handler: async (request) => {
      await verifyOtp(deps, request.params.token, request.body.otp);
      return { message: "The code is right. Please check your mail to verify your account" };
    },
  });

  app.route({
    ...adminRoutes.verifyAdmin,
    // Mail scanners send HEAD requests first; only GET may use the link.
    exposeHeadRoute: false,
    handler: async (request) => {
      const { isIn } = await verifyAdmin(deps, request.params.token, request.ip);
      return {
        message: isIn
          ? "You can login to your dashboard"
          : "Your email is verified. An owner must approve you first; we will e-mail you",
      };
    },
  });

  app.route({
    ...adminRoutes.signInAdmin,
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
    ...adminAccountRoutes.switchToAdmin,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const session = await switchToAdmin(
        deps,
        sessionOf(request),
        { password: request.body?.password, code: request.body?.code ?? readFactorHeader(request) },
        originOf(request),
      );
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Successfully switched to admin mode", data: session.token });
    },
  });

  app.route({
    ...adminAccountRoutes.switchToUser,
    onRequest: requireAdmin,
    handler: async (request, reply) => {
      const session = await switchToUser(deps, sessionOf(request), originOf(request));
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Successfully switched to user mode", data: session.token });
    },
  });

  app.route({
    ...adminAccountRoutes.actFor,
    onRequest: [requireAdmin, requireFreshSecondFactor],
    handler: async (request, reply) => {
      const session = await actFor(deps, sessionOf(request), request.body, originOf(request));
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "You see the account for 30 minutes", data: session.token });
    },
  });
}
