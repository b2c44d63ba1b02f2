/** Puts the web role together: plugins, guards, the features' routes and the pages. Nothing listens yet. */
import fastifyCookie from "@fastify/cookie";
import { limits } from "@ewebal/contract";
import Fastify, { LogController } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import helmet from "helmet";
import type { Config } from "../base/config.ts";
import type { Deps } from "../base/deps.ts";
import { makeId } from "../base/make-id.ts";
import { accountRoutes, createSessionReader, findMemberRole } from "../features/accounts/index.ts";
import {
  administratorFinder,
  adminRoutes,
  auditPrivateReads,
  creditApproval,
  roleApproval,
} from "../features/admin/index.ts";
import { alarmRoutes, statusRoutes } from "../features/alarms/index.ts";
import { approvalRoutes } from "../features/approvals/index.ts";
import {
  autoTopUpRoutes,
  depositApproval,
  depositRoutes,
  invoiceRoutes,
  paymentRoutes,
  statementRoutes,
  virtualAccountRoutes,
} from "../features/billing/index.ts";
import { contactRoutes } from "../features/contacts/index.ts";
import {
  carrierReportRoutes,
  carrierRoutes,
  hasHeldMessages,
  inboundRoutes,
  quietHoursRoutes,
  carrierCostRoutes,
} from "../features/delivery/index.ts";
import { messageRoutes, senderApproval } from "../features/messages/index.ts";
import { privacyRoutes } from "../features/privacy/index.ts";
import { priceRoutes, rateRoutes } from "../features/rates/index.ts";
import { siteRoutes } from "../features/site/index.ts";
import { tellSmppClients } from "../features/smpp-access/index.ts";
import { webhookRoutes } from "../features/webhooks/index.ts";
import { hideTexts, refuseByRole } from "../http/session/administrator-calls.ts";
import { apiDescriptionRoutes, describeApi } from "../http/api-reference/api-description.ts";
import type { App } from "../http/app-type.ts";
import { watchForProxies } from "../http/behind-proxy.ts";
import { boundRequests, CONNECTIONS_CHECK_EVERY_MS, REQUEST_ARRIVES_WITHIN_MS } from "../http/bounds/bound-requests.ts";
import { answerBrokenRequest, bareHeaders, drainBody, refuseOddBodies } from "../http/errors/broken-requests.ts";
import { compileValidator } from "../http/errors/compile-validator.ts";
import { translateError } from "../http/errors/error-translator.ts";
import { healthRoutes, countProcesses } from "../http/monitoring/health.ts";
import { useOwnIssueWords } from "../http/errors/issue-words.ts";
import { createInsiderCheck, keepLocalToken } from "../http/session/insiders.ts";
import { metricsRoutes } from "../http/monitoring/metrics.ts";
import { refuseChangesWhileActing, walkMembership } from "../http/session/customer-calls.ts";
import { readSession } from "../http/session/session.ts";
import { refuseForeignOrigin } from "../http/session/same-origin.ts";
import { readLedgerInvariants } from "../ledger/index.ts";
import { mailboxRoutes } from "../mail/index.ts";
import { userSummaryParts } from "./user-summary-parts.ts";
import { createWatchedSeries } from "./watched-series.ts";

/** None of our pages asks for any of these; a script that got in, or a frame, must not either. */
const PERMISSIONS_POLICY =
  "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()";

/**
 * @param localToken opens the local pages from anywhere, see `insiders.ts`.
 * @returns an app that answers through `inject` at once, and through `listen` when its owner says so.
 */
export async function buildApp(deps: Deps, localToken?: string): Promise<App> {
  const { config } = deps;
  const app = Fastify({
    loggerInstance: deps.log,
    // One line a request is what the access log of a proxy is for; ours would carry numbers and passwords of the GET form.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.jsonBodyBytesMax,
    // The nearest proxies are ours; anything a client wrote into X-Forwarded-For beyond them is not believed.
    trustProxy: (_address: string, hopIndex: number) => hopIndex < config.trustedProxyCount,
    genReqId: () => makeId(),
    requestIdHeader: false,
    frameworkErrors: (error, request, reply) => void translateError(error, request, reply.headers(bareHeaders)),
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: "idle",
    requestTimeout: REQUEST_ARRIVES_WITHIN_MS,
    http: { connectionsCheckingInterval: CONNECTIONS_CHECK_EVERY_MS },
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: true, maxParamLength: limits.sendBodyBytesMax },
  }) as unknown as App;
  useOwnIssueWords();
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler<Error>(async (error, request, reply) => {
    if ("code" in error && error.code === "FST_ERR_CTP_BODY_TOO_LARGE") await drainBody(request.raw);
    return translateError(error, request, reply);
  });

  boundRequests(app, config);
  app.addHook("onRequest", watchForProxies(config, deps.log));
  refuseOddBodies(app);
  sendSecurityHeaders(app, config);
  await app.register(fastifyCookie);
  app.addHook("onRequest", keepLocalToken(config, localToken));
  await describeApi(app, config);
  app.decorateRequest("refusalCode", null);
  app.decorateRequest("session", null);
  app.decorateRequest("sessionInSetUp", null);
  app.addHook("onRequest", refuseForeignOrigin(config));
  app.addHook("onRequest", readSession(config, createSessionReader(deps)));
  app.addHook("onRequest", refuseChangesWhileActing);
  app.addHook(
    "onRequest",
    walkMembership((personId, accountId) => findMemberRole(deps.db, personId, accountId)),
  );
  app.addHook("onRequest", refuseByRole);
  app.addHook("preSerialization", hideTexts);
  // Answers about people and money are never kept by browsers or proxies.
  app.addHook("onSend", async (request, reply) => {
    if (request.url.startsWith("/api/") && !reply.hasHeader("cache-control"))
      void reply.header("cache-control", "no-store");
  });
  // Before any route: a hook holds for the routes that come after it.
  auditPrivateReads(app, deps);
  accountRoutes(app, deps, userSummaryParts, [administratorFinder]);
  adminRoutes(app, deps);
  const kinds = {
    credit: creditApproval(deps),
    deposit: depositApproval(deps),
    sender: senderApproval(deps),
    role: roleApproval(deps),
  };
  approvalRoutes(app, { ...deps, kinds });
  statementRoutes(app, deps);
  await paymentRoutes(app, deps);
  invoiceRoutes(app, deps);
  autoTopUpRoutes(app, deps);
  virtualAccountRoutes(app, deps);
  await depositRoutes(app, deps);
  await contactRoutes(app, deps);
  await messageRoutes(app, deps);
  carrierRoutes(app, deps);
  await carrierReportRoutes(app, deps, tellSmppClients);
  quietHoursRoutes(app, deps);
  inboundRoutes(app, deps);
  await webhookRoutes(app, deps);
  privacyRoutes(app, deps);
  rateRoutes(app, deps);
  priceRoutes(app, deps);
  carrierCostRoutes(app, deps);
  siteRoutes(app, deps);
  alarmRoutes(app, deps);
  statusRoutes(app, deps, async () => (await countProcesses(deps.db, "worker")) > 0);
  const isInsider = createInsiderCheck(config, localToken);
  mailboxRoutes(app, deps, isInsider);
  apiDescriptionRoutes(app, config);
  metricsRoutes(app, deps, createWatchedSeries(deps), isInsider);
  await healthRoutes(
    app,
    deps,
    async (db) => ({ ledger: await readLedgerInvariants(db, { since: new Date(Date.now() - 3_600_000) }) }),
    hasHeldMessages,
  );
  return app;
}

function sendSecurityHeaders(app: App, config: Pick<Config, "publicUrl">): void {
  // Made once: the plugin of Fastify writes the policy anew for every request, a thirtieth of a short call.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine sets sizes and colours through style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
    hsts: config.publicUrl.startsWith("https:"),
    xPoweredBy: true,
    crossOriginEmbedderPolicy: false,
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("permissions-policy", PERMISSIONS_POLICY);
    setHeaders(request.raw, reply.raw, () => done());
  });
}
