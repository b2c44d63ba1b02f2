/** `/metrics` in the Prometheus text format, for callers with `METRICS_TOKEN`; for insiders when none is set. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { collectDefaultMetrics, Histogram, Registry, type Metric } from "prom-client";
import type { Deps } from "../../base/deps.ts";
import { openSpan } from "../../base/tracing.ts";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";
import type { IsInsider } from "../session/insiders.ts";

/** One line. A label is one of few words, a carrier or a host: never what somebody typed, and never a customer. */
export type Sample = {
  labels: Record<string, string>;
  value: number;
  /** Of a histogram's lines: the series' name and what the line is. */
  metricName?: string;
};

export type Series = { name: string; help: string; type: "gauge" | "counter" | "histogram"; values: Sample[] };

/** Figures that each scrape reads from the database, so that every process answers the same. */
export type ReadSeries = (db: Deps["db"]) => Promise<Series[]>;

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function metricsRoutes(
  app: App,
  deps: Pick<Deps, "config" | "db" | "log">,
  readers: readonly ReadSeries[],
  isInsider: IsInsider,
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the answer's end",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });

  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, never the address itself: addresses hold tokens, and would be labels without end.
    const route = request.routeOptions.url ?? "none";
    const { method, headers } = request;
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const traceparent = typeof headers["traceparent"] === "string" ? headers["traceparent"] : undefined;
    openSpan(`${method} ${route}`, { kind: "server", traceparent, beganMsAgo: reply.elapsedTime })?.end(
      { "http.request.method": method, "http.route": route, "http.response.status_code": reply.statusCode },
      reply.statusCode >= 500,
    );
  });
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    const { metricsToken } = deps.config;
    if (!(metricsToken === undefined ? isInsider(request) : hasToken(request, metricsToken)))
      throw new AppError("NOT_FOUND");
    const watched = new Registry();
    for (const series of [...poolSeries(deps.db), ...(await readWatched(deps, readers))])
      // What the library asks of a metric to write it.
      watched.registerMetric({ name: series.name, get: async () => series } as unknown as Metric);
    return await reply
      .type(registry.contentType)
      .header("cache-control", "no-store")
      .send(`${await registry.metrics()}\n${await watched.metrics()}`);
  });
}

/** Without the database the process still tells of itself, and that the database is away. */
async function readWatched({ db, log }: Pick<Deps, "db" | "log">, readers: readonly ReadSeries[]): Promise<Series[]> {
  const up = (value: number): Series => ({
    name: "ewebal_database_up",
    help: "Whether the database answered this scrape; the figures that it keeps are missing when it did not",
    type: "gauge",
    values: [{ labels: {}, value }],
  });
  // Each is waited for, so that none still asks the database when the answer is out.
  const results = await Promise.allSettled(readers.map(async (read) => await read(db)));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined)
    return [up(1), ...results.flatMap((result) => (result.status === "fulfilled" ? result.value : []))];
  log.warn({ err: failure.reason as unknown }, "the figures of the database could not be read");
  return [up(0)];
}

function poolSeries({ totalCount, idleCount, waitingCount }: Deps["db"]): Series[] {
  const values = Object.entries({ busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount });
  return [
    {
      name: "ewebal_database_connections",
      help: "Connections of this process's pool, and callers that wait for one",
      type: "gauge",
      values: values.map(([state, value]) => ({ labels: { state }, value })),
    },
  ];
}

function hasToken(request: FastifyRequest, token: string): boolean {
  // Of digests, as the comparison takes equal lengths only.
  return timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
