import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach } from "vitest";
import { openSpan, setTracer } from "../base/tracing.ts";
import { expect, test as base } from "../testing/app.ts";
import { startTraces, WAITING_SPANS_MAX } from "./start-traces.ts";

type Value = { stringValue?: string; intValue?: number | string };
type ExportedSpan = {
  name: string;
  traceId: string;
  parentSpanId?: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Value }[];
};

/** A collector on this machine that keeps what it is sent. */
async function startCollector(
  port = 0,
): Promise<{ port: number; spans: ExportedSpan[]; paths: Set<string>; server: Server }> {
  const spans: ExportedSpan[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      paths.add(request.url ?? "");
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as { port: number }).port, spans, paths, server };
}

const factsOf = ({ attributes }: ExportedSpan): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]));

const test = base.extend<{ collector: Awaited<ReturnType<typeof startCollector>> }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  collector: async ({}, use) => {
    const collector = await startCollector();
    await use(collector);
    collector.server.closeAllConnections();
    collector.server.close();
  },
});

afterEach(() => setTracer(undefined));

test("nothing is opened while no collector is set", () => {
  expect(openSpan("flush", { kind: "internal" })).toBeUndefined();
});

test("a request is a span of its route below its caller's, without what the address, the body or the headers say", async ({
  app,
  deps,
  collector,
}) => {
  const traces = startTraces({ endpoint: `http://127.0.0.1:${collector.port}/`, role: "web", log: deps.log });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  await app.inject({
    method: "GET",
    url: "/api/a-secret-token/verify-user?phone=2348030000001",
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  await app.inject({
    method: "POST",
    url: "/api/sign-in-user",
    payload: { email: "someone@gmail.com", password: "x" },
  });
  // Who writes nonsense is a caller without a trace; who does not want their own request traced is heard.
  await app.inject({ url: "/status.json", headers: { traceparent: "nonsense" } });
  await app.inject({ url: "/healthz", headers: { traceparent: `00-${traceId}-b7ad6b7169203331-00` } });
  openSpan("job send-mail", { kind: "consumer", facts: { "ewebal.try": 2 } })?.end({}, true);
  await traces.stop();

  expect([...collector.paths]).toEqual(["/v1/traces"]);
  expect(collector.spans.map(({ name }) => name)).toEqual([
    "GET /api/:token/verify-user",
    "POST /api/sign-in-user",
    "GET /status.json",
    "job send-mail",
  ]);
  const [verify, signIn, , job] = collector.spans;
  expect(verify).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331", kind: 2 });
  expect(factsOf(verify as ExportedSpan)).toMatchObject({
    "http.request.method": "GET",
    "http.route": "/api/:token/verify-user",
  });
  expect(signIn?.traceId).not.toBe(traceId);
  expect(job).toMatchObject({ kind: 5, status: { code: 2 } });
  const written = JSON.stringify(collector.spans);
  for (const secret of ["a-secret-token", "2348030000001", "someone@gmail.com"]) expect(written).not.toContain(secret);
});

test("a collector that is away costs so many spans and no more; nobody waits for it", async ({ deps, collector }) => {
  const worker = { role: "worker", log: deps.log, exportTimeoutMs: 100 };
  collector.server.closeAllConnections();
  collector.server.close();
  await once(collector.server, "close");
  const traces = startTraces({ endpoint: `http://127.0.0.1:${collector.port}`, ...worker });
  for (let count = 0; count < 4 * WAITING_SPANS_MAX; count += 1) openSpan("flush", { kind: "internal" })?.end();
  const back = await startCollector(collector.port);
  await traces.stop();
  back.server.closeAllConnections();
  back.server.close();
  expect(back.spans.length).toBeLessThanOrEqual(WAITING_SPANS_MAX);
  // A process ends as well when nobody takes its last spans.
  const last = startTraces({ endpoint: `http://127.0.0.1:${collector.port}`, ...worker });
  openSpan("flush", { kind: "internal" })?.end();
  await last.stop();
  expect(deps.logLines.map(({ msg }) => msg)).toContain("the last spans could not be sent");
});
