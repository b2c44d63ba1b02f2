/**
 * The part of Twilio's API that sends and follows messages, at Twilio's own address, so that Twilio's clients need no more than another host.
 * Basic authentication with the sid and token of a key of kind `twilio`; forms in, Twilio's resources and errors out. docs/twilio.md has the table
 * of what is alike and what is not.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError } from "../../../base/errors.ts";
import type { App } from "../../../http/app-type.ts";
import { drainBody } from "../../../http/errors/broken-requests.ts";
import { toAppError } from "../../../http/errors/error-translator.ts";
import { logRefusal } from "../../../http/monitoring/security-log.ts";
import { findNamedKey, isAddressAllowed, type ProgramKey, requireScope } from "../../accounts/index.ts";
import { countProgramCall, countStrangersCall, type CallCount } from "../limits/call-limit.ts";
import { programOf } from "../program-api/require-key.ts";
import type { SendDeps } from "../send/send.ts";
import { cancelForTwilio, deleteForTwilio, getForTwilio } from "./follow-for-twilio.ts";
import { listForTwilio, pageQuery } from "./list-for-twilio.ts";
import { sidOf } from "./present-twilio.ts";
import { readIdempotencyKey, sendForTwilio, type TwilioForm } from "./send-for-twilio.ts";
import { toTwilioRefusal, TwilioError } from "./twilio-errors.ts";

const PATH = "/2010-04-01";
const MESSAGES = "/Accounts/:accountSid/Messages.json";
const ONE_MESSAGE = "/Accounts/:accountSid/Messages/:sid.json";
/** 1,600 characters of which each takes 12 bytes in a form, and an address to call. */
const FORM_BYTES_MAX = 64 * 1024;
const FORM_FIELDS_MAX = 100;

const accountParams = z.object({ accountSid: z.string().max(64) });
const oneParams = accountParams.extend({ sid: z.string().max(64) });
const hide = true;

export async function twilioRoutes(app: App, deps: SendDeps): Promise<void> {
  await app.register(
    async (scope: App) => {
      takeForms(scope);
      answerLikeTwilio(scope);
      requireAccount(scope, deps);
      changingRoutes(scope, deps);
      readingRoutes(scope, deps);
      scope.all("/*", { schema: { hide } }, () => {
        throw new AppError("NOT_FOUND", { message: "The requested resource was not found" });
      });
    },
    { prefix: PATH },
  );
}

function takeForms(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
    (_request, body: string, done) => {
      const pairs = [...new URLSearchParams(body)];
      if (pairs.length > FORM_FIELDS_MAX) return done(new TwilioError(20001, "The form has too many fields"));
      const form = new Map(pairs);
      // Of two values nobody knows which was meant. Some fields of Twilio are lists; we take none of them.
      if (form.size < pairs.length) return done(new TwilioError(20001, "A field of the form is given twice"));
      done(null, { form });
    },
  );
}

function answerLikeTwilio(scope: App): void {
  scope.setErrorHandler<Error>(async (error, request, reply) => {
    if ("code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE") await drainBody(request.raw);
    const refusal = error instanceof TwilioError ? error : toAppError(error);
    if (refusal instanceof AppError) {
      logRefusal(request, refusal.code, refusal.account);
      if (refusal.code === "INTERNAL") request.log.error({ err: error, code: refusal.code }, "request failed");
    }
    return answerRefusal(refusal, reply);
  });
}

/** Key, address, account and limits, before any body is read. */
function requireAccount(scope: App, deps: SendDeps): void {
  scope.decorateRequest("program", null);
  scope.addHook("onRequest", async (request) => {
    const given = readBasic(request.headers.authorization);
    const program = given && (await findNamedKey(deps, "twilio", { ...given, clientAddress: request.ip }));
    if (program === undefined) {
      refuseOver(await countStrangersCall(deps, request.ip));
      throw new AppError("AUTH_REQUIRED", { message: "Authenticate" });
    }
    refuseOver(await countProgramCall(deps, program));
    if (!isAddressAllowed(program, request.ip))
      throw new AppError("ADDRESS_NOT_APPROVED", {
        message: "This key does not work from your IP address",
        account: { kind: "user", id: program.userId },
      });
    const { accountSid } = request.params as Partial<z.infer<typeof accountParams>>;
    if (accountSid !== undefined && accountSid !== program.publicName)
      throw new AppError("NOT_FOUND", { message: "The requested resource was not found" });
    request.program = program;
  });
}

function refuseOver(count: CallCount | undefined): void {
  if (count?.isOver === true)
    throw new AppError("RATE_LIMITED", {
      message: "Too many requests",
      extra: { retryAfterSeconds: count.resetSeconds },
    });
}

function readBasic(header = ""): { name: string; secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]{1,400}={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const [name = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { name, secret: rest.join(":") };
}

function changingRoutes(scope: App, deps: SendDeps): void {
  scope.post(MESSAGES, { schema: { hide, params: accountParams } }, async (request, reply) => {
    const program = withScope(request, "messages:send");
    const asked = { form: formOf(request), key: readIdempotencyKey(request.headers) };
    const sid = sidOf(await sendForTwilio(deps, { program, clientAddress: request.ip }, asked));
    return await answer(reply, 201, await getForTwilio(deps, { program, sid }));
  });
  scope.post(ONE_MESSAGE, { schema: { hide, params: oneParams } }, async (request, reply) => {
    const program = withScope(request, "messages:send");
    const { sid } = request.params;
    await getForTwilio(deps, { program, sid });
    const form = formOf(request);
    if (form.get("Status") !== "canceled" || form.size > 1)
      throw new TwilioError(20001, "Only Status=canceled changes a message here");
    return await answer(reply, 200, await cancelForTwilio(deps, { program, sid }));
  });
  scope.delete(ONE_MESSAGE, { schema: { hide, params: oneParams } }, async (request, reply) => {
    await deleteForTwilio(deps, { program: withScope(request, "messages:send"), sid: request.params.sid });
    return await reply.code(204).send();
  });
}

function readingRoutes(scope: App, deps: SendDeps): void {
  const schema = { hide, params: accountParams, querystring: pageQuery };
  scope.get(MESSAGES, { schema }, async (request, reply) => {
    const program = withScope(request, "messages:read");
    const { accountSid } = request.params;
    return await answer(reply, 200, await listForTwilio(deps, { program, accountSid }, request.query));
  });
  scope.get(ONE_MESSAGE, { schema: { hide, params: oneParams } }, async (request, reply) => {
    const program = withScope(request, "messages:read");
    return await answer(reply, 200, await getForTwilio(deps, { program, sid: request.params.sid }));
  });
}

function withScope(request: FastifyRequest, scope: "messages:send" | "messages:read"): ProgramKey {
  const program = programOf(request);
  requireScope(program, scope);
  return program;
}

function formOf({ body }: FastifyRequest): TwilioForm {
  return (body as { form: TwilioForm } | undefined | null)?.form ?? new Map<string, string>();
}

function answerRefusal(error: AppError | TwilioError, reply: FastifyReply): FastifyReply {
  const { status, code, message } = toTwilioRefusal(error);
  const retryAfter = error instanceof AppError ? error.extra["retryAfterSeconds"] : undefined;
  if (typeof retryAfter === "number") void reply.header("retry-after", String(retryAfter));
  if (status === 401) void reply.header("www-authenticate", 'Basic realm="Twilio API"');
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }));
}

async function answer(reply: FastifyReply, status: 200 | 201, body: object): Promise<FastifyReply> {
  void reply.header("cache-control", "no-store").type("application/json; charset=utf-8");
  return await reply.code(status).send(JSON.stringify(body));
}
