/**
 * The guard of every route for programs: `Authorization: Bearer <key>` or `X-Api-Key: <key>`. It asks, before any body is read, for a
 * living key, counts the call, and looks at the key's addresses, then at the scope that the route declares. Sessions open nothing here,
 * so that no page of another site can use a visitor's cookie.
 *
 * A route says its scope beside its contract: `{ ...contract.balance, config: { scope: "billing:read" }, handler }`.
 */
import assert from "node:assert/strict";
import type { ProgramKeyMode, ProgramKeyScope } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import { SharedWork } from "../../../http/bounds/shared-work.ts";
import type { App } from "../../../http/app-type.ts";
import { findApiKeyOwner, isAddressAllowed, type ProgramKey, RequestLog, requireScope } from "../../accounts/index.ts";
import { type CallCount, countProgramCall, countStrangersCall } from "../limits/call-limit.ts";
import type { Caller } from "../send/check-send.ts";

declare module "fastify" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** The key that came with the request, also one that may not make this call; null before it was looked for. Read it with `programOf`. */
    program: ProgramKey | null;
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** What a key needs for this route of the program API; `any`: a living key is enough. */
    scope?: ProgramKeyScope | "any";
  }
}

/** Makes every route of a scope one for programs. */
export function requireKey(scope: App, deps: Pick<Deps, "db" | "clock" | "config" | "log">): void {
  const findOwner = createOwnerFinder(deps);
  scope.decorateRequest("program", null);
  scope.addHook("onRoute", ({ config, method, url }) => {
    assert(config?.scope !== undefined, `${String(method)} ${url} declares no scope`);
  });
  scope.addHook("onRequest", async (request, reply) => {
    const program = await findOwner(readKey(request) ?? "", request.ip);
    if (program === undefined) {
      tellCount(reply, await countStrangersCall(deps, request.ip));
      throw new AppError("AUTH_REQUIRED", { message: "This call needs an API key" });
    }
    // Also a refusal from here on stands in its owner's log.
    request.program = program;
    tellCount(reply, await countProgramCall(deps, program));
    if (!isAddressAllowed(program, request.ip)) {
      throw new AppError("ADDRESS_NOT_APPROVED", {
        message: "This key does not work from your IP address",
        account: { kind: "user", id: program.userId },
      });
    }
    requireScope(program, request.routeOptions.config.scope ?? "any");
  });
  logProgramCalls(scope, deps);
}

/** Writes every call with a living key to its owner's log, once it is answered. */
export function logProgramCalls(scope: App, deps: Pick<Deps, "db" | "log" | "clock">): void {
  const log = new RequestLog(deps);
  scope.addHook("onResponse", async (request, reply) => {
    if (request.program === null) return;
    const { userId, keyId } = request.program;
    log.add({
      userId,
      callId: request.id,
      keyId,
      method: request.method,
      path: request.routeOptions.url ?? "",
      status: reply.statusCode,
      code: request.refusalCode ?? undefined,
      durationMs: Math.round(reply.elapsedTime),
      calledAt: deps.clock.now(),
    });
  });
  scope.addHook("onClose", async () => await log.close());
}

/** Calls with the same key from the same address at the same moment ask for it once; see `shared-work.ts`. */
function createOwnerFinder(deps: Pick<Deps, "db" | "clock">) {
  type Shown = { key: string; clientAddress: string };
  const owners = new SharedWork<Shown, ProgramKey | undefined>({
    itemsMax: CALLS_AT_ONCE_MAX,
    waitingMax: CALLS_AT_ONCE_MAX,
    work: async (calls) => {
      const [first] = calls;
      const owner = first && (await findApiKeyOwner(deps, first));
      return calls.map(() => owner);
    },
  });
  return async (key: string, clientAddress: string): Promise<ProgramKey | undefined> =>
    await owners.ask(`${clientAddress} ${key}`, { key, clientAddress });
}

/** More than the web server has connections. */
const CALLS_AT_ONCE_MAX = 10_000;

/** The answer says where the key stands: draft-ietf-httpapi-ratelimit-headers-10. @throws AppError `RATE_LIMITED`. */
function tellCount(reply: FastifyReply, count: CallCount | undefined): void {
  if (count === undefined) return;
  void reply
    .header("ratelimit-policy", `"key";q=${count.callsMax};w=1`)
    .header("ratelimit", `"key";r=${count.left};t=${count.resetSeconds}`);
  if (count.isOver) throw new AppError("RATE_LIMITED", { extra: { retryAfterSeconds: count.resetSeconds } });
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const named = headers["x-api-key"];
  if (typeof named === "string") return named;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** The key of a request behind the guard. */
export function programOf(request: FastifyRequest): ProgramKey {
  assert(request.program !== null, "a route for programs lies outside the guard");
  return request.program;
}

/** The message that the path names, for a key of its mode: others' and those of the other mode are not found. */
export function messageKeyOf(request: FastifyRequest): { userId: string; messageId: string; mode: ProgramKeyMode } {
  const { userId, mode } = programOf(request);
  const { messageId } = request.params as { messageId: string };
  return { userId, messageId, mode };
}

/** Who sends, for calls that send. */
export function callerOf(request: FastifyRequest): Caller {
  const { userId, mode } = programOf(request);
  return { userId, via: "program", mode, clientAddress: request.ip };
}
