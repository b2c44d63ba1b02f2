/**
 * The description of the calls, made from the same schemas that check them: `/api/v1/openapi.json` of those for programs, `/api/openapi.json` of all,
 * and, to read, `/docs`. `complete-description.ts` adds what no schema says.
 */
import fastifySwagger from "@fastify/swagger";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { Config } from "../../base/config.ts";
import { apiReferencePage, type ApiDescription } from "./api-reference-page.ts";
import { completeDescription, describeProgramCalls, type Description } from "./complete-description.ts";
import type { App } from "../app-type.ts";

type DescriptionConfig = Pick<Config, "brand" | "publicUrl">;

/** Registered before any route, because it collects them as they come. */
export async function describeApi(app: App, config: DescriptionConfig): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `${config.brand.name} API`,
        version: "1.0.0",
        contact: { name: config.brand.name, url: config.publicUrl },
        license: { name: "Proprietary", url: `${config.publicUrl}/docs` },
        description:
          "Programs use the calls under /api/v1 with an API key. All other calls are those of the dashboards, with the session of a person. " +
          "A refusal is {message, code, fields?, requestId}; codes never change their meaning. " +
          "A call that answers CODE_REQUIRED is repeated with a code of the authenticator app in the header X-Second-Factor.",
      },
      servers: [{ url: config.publicUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: "A key of the API keys page. The scope that a call needs stands beside it",
          },
          apiKeyHeader: {
            type: "apiKey",
            in: "header",
            name: "X-Api-Key",
            description: "The same key in a header of its own",
          },
          session: {
            type: "http",
            scheme: "bearer",
            description: "The token that signing in answers; browsers send it as a cookie",
          },
        },
      },
    },
    transform: (route) => {
      const isForPrograms = route.url.startsWith("/api/v1/");
      const { schema, url } = createJsonSchemaTransform({ skipList: [] })(route);
      const scope = route.route.config?.scope ?? "any";
      const scopes = scope === "any" ? [] : [scope];
      const ofPrograms = [{ apiKey: scopes }, { apiKeyHeader: scopes }];
      return { url, schema: { ...schema, security: isForPrograms ? ofPrograms : [{ session: [] }] } };
    },
  });
}

/** Served after every route is known. */
export function apiDescriptionRoutes(app: App, config: DescriptionConfig): void {
  // Made once, when it is first asked for: 0.1 s for all calls.
  let page: string | undefined;
  let complete: Description | undefined;
  const describe = (): Description => (complete ??= completeDescription(app.swagger() as unknown as Description));
  app.get("/api/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    return await reply
      .header("cache-control", "public, max-age=300")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(describe()));
  });
  app.get("/api/v1/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    return await reply
      .header("cache-control", "public, max-age=300")
      // Editors and generators of other sites read it in the browser. It holds nothing of anybody.
      .header("access-control-allow-origin", "*")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(describeProgramCalls(describe())));
  });
  app.get("/docs", { schema: { hide: true } }, async (_request, reply) => {
    page ??= apiReferencePage(config, describe() as unknown as ApiDescription);
    return await reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
  });
}
