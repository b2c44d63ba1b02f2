/**
 * Decides which calls a member of a customer's account may make, and which an administrator who looks at the account. Each call of customers
 * declares its least role in `contract/calls`.
 */
import * as calls from "@ewebal/contract/calls";
import { accountCalls, adminAccountCalls, type Call } from "@ewebal/contract/calls";
import { mayAs, type MemberRole } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { validate as isUuid } from "uuid";
import { AppError } from "../../base/errors.ts";

/** By method and path. */
export const customerCalls: ReadonlyMap<string, MemberRole> = new Map(
  Object.values(calls as Record<string, Record<string, Call>>)
    .flatMap((group) => Object.values(group))
    .flatMap(({ method, url, leastRole }) =>
      leastRole === undefined ? [] : [[`${method} ${url}`, leastRole] as const],
    ),
);

/** @returns undefined for a call that is not the customers'. HEAD is judged as its GET. */
export function leastRoleOf(request: Pick<FastifyRequest, "method" | "routeOptions">): MemberRole | undefined {
  return customerCalls.get(`${request.method === "HEAD" ? "GET" : request.method} ${request.routeOptions.url}`);
}

/** Finds the role in which a person acts for somebody else's account; undefined where they may not, and where the account is blocked. */
export type MembershipReader = (personId: string, accountId: string) => Promise<MemberRole | undefined>;

/** Limits count by the account's id as text: in capitals the same account would be another one, with limits of its own. */
const isWrittenId = (text: string): boolean => isUuid(text) && text === text.toLowerCase();

/**
 * The one place where a customer's call is checked against memberships. A call for another account than the session's goes on in
 * that one when the person may act for it; their role there must be one that may make the call.
 *
 * @returns a hook for every request, after `readSession` and before the guards, which compare the path with the session.
 */
export function walkMembership(find: MembershipReader): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const leastRole = leastRoleOf(request);
    if (leastRole === undefined || request.session?.kind !== "user") return;
    const { actorId, accountId, actingAdminId } = request.session;
    const { userId: asked } = request.params as { userId?: string };
    // A look is at one account alone: other accounts that its user is a member of stay closed.
    if (asked !== undefined && asked !== accountId && actingAdminId === undefined && isWrittenId(asked)) {
      const memberRole = asked === actorId ? "owner" : await find(actorId, asked);
      if (memberRole !== undefined) request.session = { ...request.session, accountId: asked, memberRole };
    }
    const { memberRole } = request.session;
    if (memberRole === undefined || !mayAs(memberRole, leastRole)) throw new AppError("FORBIDDEN");
  };
}

const nameOf = ({ method, url }: Pick<Call, "method" | "url">): string => `${method} ${url}`;
const waysOut: ReadonlySet<string> = new Set(
  [accountCalls.signOut, accountCalls.loginStatusFalse, adminAccountCalls.switchToAdmin].map(nameOf),
);

/**
 * A hook for every request, after `readSession` and before anything else that reads the session.
 *
 * @throws AppError `FORBIDDEN` for whatever changes something in a session of `act-for`.
 */
export async function refuseChangesWhileActing(request: FastifyRequest): Promise<void> {
  if (request.session?.actingAdminId === undefined || request.method === "GET" || request.method === "HEAD") return;
  const { url } = request.routeOptions;
  if (url !== undefined && waysOut.has(`${request.method} ${url}`)) return;
  throw new AppError("FORBIDDEN", { message: "You can look at this account, and change nothing" });
}
