import * as contract from "@ewebal/contract";
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
  expect(send?.security).toEqual([{ apiKey: [] }]);
  expect(Object.keys(send?.requestBody?.content["application/json"]?.schema.properties ?? {})).toEqual(
    expect.arrayContaining(["senderName", "message", "phoneNo", "code"]),
  );
  expect(paths["/api/{userId}/populate-drafts"]?.["get"]?.security).toEqual([{ session: [] }]);
});

test("the page shows every call with its fields, needs no script, and lets nothing in", async ({ app }) => {
  const answer = await app.inject({ method: "GET", url: "/docs" });
  expect(answer.headers["content-type"]).toContain("text/html");
  for (const text of ["/api/v1/messages", "/api/{userId}/send-bulk-sms", "senderName", "required"])
    expect(answer.body).toContain(text);
  expect(answer.body).not.toContain("<script");
});
