/** The description of every call, made from the same schemas that check them: `/api/openapi.json` and, to read, `/docs`. */
import fastifySwagger from "@fastify/swagger";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";
import type { Config } from "../../base/config.ts";
import { apiReferencePage, type ApiDescription } from "./api-reference-page.ts";
import type { App } from "../app-type.ts";

type DescriptionConfig = Pick<Config, "brand" | "publicUrl">;

/** Registered before any route, because it collects them as they come. */
export async function describeApi(app: App, config: DescriptionConfig): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: `${config.brand.name} API`,
        version: "1",
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
            description: "A key of the API keys page, also accepted as X-Api-Key",
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
      return { url, schema: { ...schema, security: [isForPrograms ? { apiKey: [] } : { session: [] }] } };
    },
  });
}

/** Served after every route is known. */
export function apiDescriptionRoutes(app: App, config: DescriptionConfig): void {
  // Made once, when it is first asked for: 0.1 s for all calls.
  let page: string | undefined;
  app.get("/api/openapi.json", { schema: { hide: true } }, async (_request, reply) => {
    return await reply
      .header("cache-control", "public, max-age=300")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(app.swagger()));
  });
  app.get("/docs", { schema: { hide: true } }, async (_request, reply) => {
    page ??= apiReferencePage(config, app.swagger() as unknown as ApiDescription);
    return await reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
  });
}
