/** Who shares an account: the list, and what its owners do about it. */
import { teamRoutes as contract, type MemberAnswer } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { deviceMarkOf, setSessionCookie } from "../../../http/session/session-cookie.ts";
import { requireCustomer, requireFreshSecondFactor, type Session, sessionOf } from "../../../http/session/session.ts";
import { originOf } from "../sessions/session-routes.ts";
import {
  type AccountActor,
  changeMemberRole,
  inviteMember,
  listMembers,
  type Member,
  removeMember,
  switchAccount,
} from "./manage-members.ts";

/** Who acts for the account, and from where. */
export function actorOf(request: FastifyRequest): AccountActor {
  return { personId: sessionOf(request).actorId, clientAddress: request.ip };
}

export function memberRoutes(app: App, deps: Deps): void {
  const onRequest = [requireCustomer, requireFreshSecondFactor];
  app.route({
    ...contract.members,
    onRequest: requireCustomer,
    handler: async (request) => {
      const members = await listMembers(deps, request.params.userId);
      return { data: members.map((member) => presentMember(member, sessionOf(request))), next: null };
    },
  });

  app.route({
    ...contract.inviteMember,
    onRequest,
    handler: async (request, reply) => {
      const session = sessionOf(request);
      const invite = { ...request.body, userId: request.params.userId, by: actorOf(request) };
      const data = presentMember(await inviteMember(deps, invite), session);
      const message = data.state === "active" ? `${data.email} is in your team` : `${data.email} is invited`;
      return await reply.code(201).send({ message: `${message}. A mail was sent`, data });
    },
  });

  app.route({
    ...contract.editMember,
    onRequest,
    handler: async (request) => {
      const member = await changeMemberRole(deps, request.params, request.body.role, actorOf(request));
      return { message: "The role is changed", data: presentMember(member, sessionOf(request)) };
    },
  });

  app.route({
    ...contract.removeMember,
    onRequest,
    handler: async (request) => {
      await removeMember(deps, request.params, actorOf(request));
      return { message: "The member is removed" };
    },
  });

  app.route({
    ...contract.switchAccount,
    onRequest: requireCustomer,
    handler: async (request, reply) => {
      const from = { ...originOf(request), deviceMark: deviceMarkOf(request, deps.config) };
      const session = await switchAccount(deps, sessionOf(request), request.body.accountId, from);
      if (sessionOf(request).via === "cookie") setSessionCookie(reply, deps.config, session);
      return { message: "You work in the other account now", data: session.token };
    },
  });
}

function presentMember({ memberId, personId, createdAt, ...member }: Member, { actorId }: Session): MemberAnswer {
  return {
    _id: memberId,
    email: member.email,
    role: member.role,
    state: personId === null ? "invited" : "active",
    userName: member.userName,
    fullName: member.fullName,
    isYou: personId === actorId,
    createdAt: createdAt.toISOString(),
  };
}
