import type { FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { findApiKeyOwner, findCustomer } from "../../accounts/index.ts";
import { countProgramCall } from "../limits/call-limit.ts";
import { checkAddress, type Caller } from "../send/check-sender.ts";

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Whose key came with the request; empty before the key was looked at. */
    keyOwnerId: string;
  }
}

/**
 * Makes every route of a scope one for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. Sessions open nothing
 * here, so that no page of another site can use a visitor's cookie.
 */
export function requireKey(scope: App, deps: Pick<Deps, "db" | "clock" | "config">): void {
  scope.decorateRequest("keyOwnerId", "");
  scope.addHook("onRequest", async (request, reply) => {
    const owner = await findApiKeyOwner(deps, readKey(request) ?? "");
    if (owner === undefined) throw new AppError("AUTH_REQUIRED", { message: "This call needs an API key" });
    request.keyOwnerId = owner.userId;
    await countProgramCall(deps, reply, owner);
  });
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const named = headers["x-api-key"];
  if (typeof named === "string") return named;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

export function programOf(request: FastifyRequest): Caller {
  return { userId: request.keyOwnerId, via: "program", clientAddress: request.ip };
}

/** For calls that only read; a send checks its address in the order of its own checks. @throws AppError `ADDRESS_NOT_APPROVED`. */
export async function checkProgramAddress(deps: Pick<Deps, "db">, request: FastifyRequest): Promise<string> {
  const caller = programOf(request);
  const customer = await findCustomer(deps.db, caller.userId);
  if (customer === undefined) throw new AppError("AUTH_REQUIRED");
  await checkAddress(deps.db, caller, customer);
  return caller.userId;
}
