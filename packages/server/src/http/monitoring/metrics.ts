/** `/metrics` in the Prometheus text format, for callers with `METRICS_TOKEN`; for insiders when none is set. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "../../base/deps.ts";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";
import type { IsInsider } from "../session/insiders.ts";

/** A figure that each scrape reads from the database, so that every process answers the same. */
export type WatchedFigure = { name: string; help: string; read: (db: Deps["db"]) => Promise<number> };

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function metricsRoutes(
  app: App,
  deps: Pick<Deps, "config" | "db">,
  figures: readonly WatchedFigure[],
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
  const gauges = figures.map(({ name, help, read }) => ({
    read,
    gauge: new Gauge({ name, help, registers: [registry] }),
  }));

  app.addHook("onResponse", async (request, reply) => {
    // The route's pattern, never the address itself: addresses hold tokens, and would be labels without end.
    const route = request.routeOptions.url ?? "none";
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    const { metricsToken } = deps.config;
    if (!(metricsToken === undefined ? isInsider(request) : hasToken(request, metricsToken)))
      throw new AppError("NOT_FOUND");
    await Promise.all(gauges.map(async ({ gauge, read }) => gauge.set(await read(deps.db))));
    return await reply
      .type(registry.contentType)
      .header("cache-control", "no-store")
      .send(await registry.metrics());
  });
}

function hasToken(request: FastifyRequest, token: string): boolean {
  // Of digests, as the comparison takes equal lengths only.
  return timingSafeEqual(digest(request.headers.authorization ?? ""), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
