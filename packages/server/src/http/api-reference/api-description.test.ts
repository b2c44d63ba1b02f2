import * as contract from "@ewebal/contract";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import type { z } from "zod";
import { expect, test } from "../../testing/app.ts";

type Document = {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        tags?: string[];
        summary?: string;
        security?: object[];
        requestBody?: { content: Record<string, { schema: { properties?: object } }> };
      }
    >
  >;
};
type FullOperation = {
  operationId?: string;
  security?: object[];
  requestBody?: { content: { "application/json"?: { schema: { properties?: object }; example?: object } } };
  responses: Record<string, { content: { "application/json": { example?: object; examples?: object } } }>;
};
type FullDocument = { paths: Record<string, Record<string, FullOperation>>; webhooks: object };
type Route = { method: string; url: string; schema: { summary: string } };

/** Every call of the contract, as OpenAPI writes its address. */
function listContractCalls(): string[] {
  const isRoute = (value: unknown): value is Route =>
    typeof value === "object" && value !== null && "url" in value && "method" in value;
  const tables = Object.entries(contract).filter(([name]) => name.endsWith("Routes"));
  const routes = tables.flatMap(([, table]) => Object.values(table as object)).filter(isRoute);
  return routes.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, "{$1}")}`).toSorted();
}

test("the description names every call of the contract that the server has, and no other", async ({ app }) => {
  const answer = await app.inject({ method: "GET", url: "/api/openapi.json" });
  const { openapi, paths } = answer.json<Document>();
  expect(openapi).toBe("3.1.0");
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // The stream of events is the web role's own; the simulator's phones exist only beside the simulator.
  const elsewhere = /^GET \/api\/(events|virtual-phones)/;
  expect(described.toSorted()).toEqual(listContractCalls().filter((call) => !elsewhere.test(call)));
});

test("calls for programs need a key and show their fields", async ({ app }) => {
  const { paths } = (await app.inject({ method: "GET", url: "/api/openapi.json" })).json<Document>();
  const send = paths["/api/v1/messages"]?.["post"];
  expect(send?.security).toEqual([{ apiKey: ["messages:send"] }, { apiKeyHeader: ["messages:send"] }]);
  expect(Object.keys(send?.requestBody?.content["application/json"]?.schema.properties ?? {})).toEqual(
    expect.arrayContaining(["senderName", "message", "phoneNo", "code"]),
  );
  expect(paths["/api/{userId}/populate-drafts"]?.["get"]?.security).toEqual([{ session: [] }]);
});

// Goal: generators and editors take the description as it is. Method: a linter that knows OpenAPI 3.1, with its recommended rules.
test.for(["/api/v1/openapi.json", "/api/openapi.json"])(
  "%s passes the linter",
  { timeout: 60_000 },
  async (url, { app }) => {
    const { body } = await app.inject({ method: "GET", url });
    const config = await createConfig({
      extends: ["recommended-strict"],
      rules: {
        // The address is the installation's own: localhost on a developer's machine.
        "no-server-example.com": "off",
        // A call whose last part is a word stands beside one whose last part is an id; the router takes the word first.
        "no-ambiguous-paths": "off",
      },
    });
    const problems = await lintFromString({ source: body, absoluteRef: "openapi.json", config });
    const words = problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer ?? ""}`);
    expect(words).toEqual([]);
  },
);

test("calls for programs have refusals with their codes, examples that their schemas take, and events", async ({
  app,
}) => {
  const { paths, webhooks } = (await app.inject({ url: "/api/v1/openapi.json" })).json<FullDocument>();
  expect(Object.keys(paths).every((path) => path.startsWith("/api/v1/"))).toBe(true);
  const responses = paths["/api/v1/messages"]?.["post"]?.responses ?? {};
  expect(Object.keys(responses["401"]?.content["application/json"].examples ?? {})).toEqual([
    "AUTH_REQUIRED",
    "UNITS_REQUIRED",
  ]);
  expect(Object.keys(webhooks).toSorted()).toEqual(Object.keys(contract.webhookEvents).toSorted());
  const { programRoutes, programListRoutes, verificationRoutes, programWebhookRoutes } = contract;
  const described = { ...programRoutes, ...programListRoutes, ...verificationRoutes, ...programWebhookRoutes };
  expect(Object.keys(described)).toHaveLength(Object.values(paths).flatMap((methods) => Object.values(methods)).length);
  for (const methods of Object.values(paths))
    for (const { operationId, security, requestBody, responses: answers } of Object.values(methods)) {
      expect([operationId, security?.length, Object.keys(described).includes(operationId ?? "")]).toEqual([
        operationId,
        2,
        true,
      ]);
      const success = Object.entries(answers).find(([status]) => status.startsWith("2"))?.[1];
      expect([operationId, success?.content["application/json"].example]).not.toContain(undefined);
      for (const status of ["400", "401", "403", "429", "500", "503"])
        expect([operationId, status, answers[status]?.content["application/json"].examples]).not.toContain(undefined);
      const body = requestBody?.content["application/json"];
      if (body?.schema.properties !== undefined && Object.keys(body.schema.properties).length > 0)
        expect([operationId, body.example]).not.toContain(undefined);
    }
  for (const [name, { schema }] of Object.entries(described)) {
    const { body, answer } = contract.programDocs[name as contract.ProgramCallName];
    const first = Object.entries(schema.response).find(([status]) => status.startsWith("2"))?.[1] as z.ZodType;
    expect([name, first.safeParse(answer).error?.issues]).toEqual([name, undefined]);
    if ("body" in schema && body !== undefined)
      expect([name, (schema.body as z.ZodType).safeParse(body).error?.issues]).toEqual([name, undefined]);
  }
  for (const [type, { data }] of Object.entries(contract.webhookEvents))
    expect([type, data.safeParse(contract.webhookExamples[type]).error?.issues]).toEqual([type, undefined]);
});

test("the page shows every call with its fields, needs no script, and lets nothing in", async ({ app }) => {
  const answer = await app.inject({ method: "GET", url: "/docs" });
  expect(answer.headers["content-type"]).toContain("text/html");
  const words = [
    "/api/v1/messages",
    "/api/{userId}/send-bulk-sms",
    "senderName",
    "required",
    "messages:send",
    'id="twilio"',
    "MediaUrl",
  ];
  const events = Object.keys(contract.webhookEvents).map((type) => `<code>${type}</code>`);
  const refusals = ["RATE_LIMITED", "CODE_WRONG", "SENDER_NOT_APPROVED"].map((code) => `<td><code>${code}</code></td>`);
  for (const text of [...words, ...events, ...refusals, "whsec_", "&#34;reference&#34;: &#34;order 7&#34;"])
    expect(answer.body).toContain(text);
  expect(answer.body).not.toContain("<script");
});
