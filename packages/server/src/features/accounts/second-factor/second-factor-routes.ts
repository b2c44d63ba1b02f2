/** A person's own second factor, for customers and administrators alike, and the guard that asks for it again. */
import { SECOND_FACTOR_HEADER, factorCodeSchema, twoFactorRoutes as contract } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import {
  type FreshFactorCheck,
  requireSelfBeforeSetUp,
  type Session,
  sessionBeforeSetUpOf,
} from "../../../http/session/session.ts";
import type { PasswordOwner } from "../passwords/password-owner.ts";
import { passFreshSecondFactor } from "./check-second-factor.ts";
import {
  confirmSecondFactor,
  type FactorAct,
  removeSecondFactor,
  startSecondFactor,
  viewSecondFactor,
} from "./manage-second-factor.ts";

/** @param owners every kind of person; must come before the routes whose calls ask for the second factor again. */
export function secondFactorRoutes(app: App, deps: Deps, owners: readonly PasswordOwner[]): void {
  const ownerOf = ({ kind }: Pick<Session, "kind">): PasswordOwner => {
    const owner = owners.find((each) => each.kind === kind);
    if (owner === undefined) throw new AppError("FORBIDDEN");
    return owner;
  };
  const actOf = (request: FastifyRequest): FactorAct => {
    const session = sessionBeforeSetUpOf(request);
    return { owner: ownerOf(session), session, clientAddress: request.ip };
  };
  const check: FreshFactorCheck = async (request, session) => {
    await passFreshSecondFactor(deps, ownerOf(session), session, {
      code: readFactorHeader(request),
      clientAddress: request.ip,
    });
  };
  app.decorate("checkFreshSecondFactor", check);

  app.route({
    ...contract.twoFactor,
    onRequest: requireSelfBeforeSetUp,
    handler: async (request) => ({
      message: "Two-factor sign-in",
      data: await viewSecondFactor(deps, sessionBeforeSetUpOf(request)),
    }),
  });

  app.route({
    ...contract.startTwoFactor,
    onRequest: requireSelfBeforeSetUp,
    handler: async (request, reply) => {
      const data = await startSecondFactor(deps, actOf(request));
      return await reply
        .code(201)
        .send({ message: "Scan the QR code with your authenticator app, then enter its code", data });
    },
  });

  app.route({
    ...contract.confirmTwoFactor,
    onRequest: requireSelfBeforeSetUp,
    handler: async (request) => {
      const recoveryCodes = await confirmSecondFactor(deps, actOf(request), request.body.code);
      return {
        message: "Two-factor sign-in is on. Keep these recovery codes: they are not shown again",
        data: { recoveryCodes },
      };
    },
  });

  app.route({
    ...contract.removeTwoFactor,
    onRequest: requireSelfBeforeSetUp,
    handler: async (request) => {
      await removeSecondFactor(deps, actOf(request), {
        password: request.body.password,
        code: request.body.code ?? readFactorHeader(request),
      });
      return { message: "Two-factor sign-in is off" };
    },
  });
}

/** @returns the code of the header; what cannot be a code counts as none was sent. */
export function readFactorHeader(request: FastifyRequest): string | undefined {
  const header = request.headers[SECOND_FACTOR_HEADER];
  const code = factorCodeSchema.safeParse(Array.isArray(header) ? header[0] : header);
  return code.success ? code.data : undefined;
}
