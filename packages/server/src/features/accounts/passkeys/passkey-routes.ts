/** A person's own passkeys, for customers and administrators alike, and the sign-in with them. */
import { passkeyRoutes as contract, passkeySignInRoutes, type PasskeyAnswer } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { deviceMarkOf, setSessionCookie } from "../../../http/session/session-cookie.ts";
import { requireSelf, sessionOf } from "../../../http/session/session.ts";
import { readFactorHeader } from "../second-factor/second-factor-routes.ts";
import type { FactorAct } from "../second-factor/manage-second-factor.ts";
import { describeDevice } from "../sessions/describe-device.ts";
import { originOf } from "../sessions/session-routes.ts";
import type { AccountFinder } from "../sessions/sign-in.ts";
import {
  finishPasskey,
  listPasskeys,
  type Passkey,
  type PasskeyProof,
  removePasskey,
  startPasskey,
} from "./manage-passkeys.ts";
import { signInWithPasskey, startPasskeySignIn } from "./sign-in-with-passkey.ts";

/** @param finders every kind of person. */
export function passkeyRoutes(app: App, deps: Deps, finders: readonly AccountFinder[]): void {
  const actOf = (request: FastifyRequest): FactorAct => {
    const session = sessionOf(request);
    const finder = finders.find(({ kind }) => kind === session.kind);
    if (finder === undefined) throw new AppError("FORBIDDEN");
    return { owner: finder.owner, session, clientAddress: request.ip };
  };

  app.route({
    ...contract.passkeys,
    onRequest: requireSelf,
    handler: async (request) => ({
      data: (await listPasskeys(deps, sessionOf(request))).map(presentPasskey),
      next: null,
    }),
  });

  app.route({
    ...contract.startPasskey,
    onRequest: requireSelf,
    handler: async (request, reply) => {
      const options = await startPasskey(deps, actOf(request), proofOf(request, request.body));
      return await reply.code(201).send({ message: "Confirm with your device", data: { ...options } });
    },
  });

  app.route({
    ...contract.finishPasskey,
    onRequest: requireSelf,
    handler: async (request, reply) => {
      const { credential, name = "" } = request.body;
      const passkey = await finishPasskey(deps, actOf(request), {
        credential: { clientExtensionResults: {}, ...credential } as Parameters<typeof finishPasskey>[2]["credential"],
        name: name === "" ? describeDevice(request.headers["user-agent"] ?? "") : name,
      });
      return await reply
        .code(201)
        .send({ message: "The passkey is added. You can sign in with it", data: presentPasskey(passkey) });
    },
  });

  app.route({
    ...contract.removePasskey,
    onRequest: requireSelf,
    handler: async (request) => {
      await removePasskey(deps, actOf(request), request.params.passkeyId, proofOf(request, request.body));
      return { message: "The passkey is removed" };
    },
  });

  app.route({
    ...passkeySignInRoutes.startPasskeySignIn,
    handler: async (request, reply) => {
      const options = await startPasskeySignIn(deps, request.ip);
      return await reply.code(201).send({ message: "Confirm with your device", data: { ...options } });
    },
  });

  app.route({
    ...passkeySignInRoutes.finishPasskeySignIn,
    handler: async (request, reply) => {
      const { kind, ...session } = await signInWithPasskey(deps, finders, {
        credential: { clientExtensionResults: {}, ...request.body.credential } as Parameters<
          typeof signInWithPasskey
        >[2]["credential"],
        ...originOf(request),
        deviceMark: deviceMarkOf(request, deps.config),
      });
      setSessionCookie(reply, deps.config, session);
      return await reply.code(201).send({ message: "Login successful", data: session.token, role: kind });
    },
  });
}

function proofOf(
  request: FastifyRequest,
  { password, code }: { password: string; code?: string | undefined },
): PasskeyProof {
  return { password, code: code ?? readFactorHeader(request) };
}

function presentPasskey({ passkeyId, name, isBackedUp, createdAt, lastUsedAt }: Passkey): PasskeyAnswer {
  return {
    _id: passkeyId,
    name,
    isBackedUp,
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt !== null && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
