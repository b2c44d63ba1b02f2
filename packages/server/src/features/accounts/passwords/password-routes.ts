/** New passwords: with a mailed link, or with the present one. */
import { accountRoutes as contract, idSchema } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { type Guard, requireFreshSecondFactor, requireSelf, sessionOf } from "../../../http/session/session.ts";
import { changeOwnPassword, requestReset, resetPassword } from "./change-password.ts";
import type { PasswordOwner } from "./password-owner.ts";

/** A path that holds an id is about oneself; anything else can only be a mailed link. */
const isOwnId = (id: string): boolean => idSchema.safeParse(id).success;

const requireSelfOrLink: Guard = async (request) => {
  const { id } = request.params as { id: string };
  if (!isOwnId(id)) return;
  await requireSelf(request);
  await requireFreshSecondFactor(request);
};

export function passwordRoutes(app: App, deps: Deps, owners: readonly PasswordOwner[]): void {
  app.route({
    ...contract.resetUserPassword,
    handler: async (request) => {
      await requestReset(deps, owners, request.body.email, request.ip);
      // The error catalogue's reading of success: 401, "Visit mail for Reset Password Verification".
      throw new AppError("VISIT_MAIL");
    },
  });

  app.route({
    ...contract.changeUserPassword,
    onRequest: requireSelfOrLink,
    handler: async (request) => {
      const { password, currentPassword, endApiKeys: endsApiKeys } = request.body;
      const { id } = request.params;
      const message = "Your password is changed";
      if (!isOwnId(id)) {
        const role = await resetPassword(deps, owners, { token: id, password, clientAddress: request.ip, endsApiKeys });
        return { message, data: { role } };
      }
      const session = sessionOf(request);
      await changeOwnPassword(deps, owners, {
        session,
        currentPassword,
        password,
        clientAddress: request.ip,
        endsApiKeys,
      });
      return { message, data: { role: session.kind } };
    },
  });
}
