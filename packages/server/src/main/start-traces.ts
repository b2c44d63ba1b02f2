/**
 * Sends spans to a collector by OTLP over HTTP. What waits for a collector that is away is bounded: further spans are dropped. Loaded when
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set, and not otherwise.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Logger } from "pino";
import { setTracer, type SpanStart } from "../base/tracing.ts";

export type TraceSettings = {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string;
  /** Of this process. */
  role: string;
  log: Logger;
  /** For the collector to answer; several tries share it. */
  exportTimeoutMs?: number;
};

/** About a megabyte, with those that are on their way. */
export const WAITING_SPANS_MAX = 2_048;
const SPANS_PER_POST_MAX = 512;
const POST_EVERY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;

const kinds: Record<SpanStart["kind"], SpanKind> = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** @returns `stop`: sends what waits, unless the collector is away, and traces nothing more. */
export function startTraces({ endpoint, role, log, exportTimeoutMs = EXPORT_TIMEOUT_MS }: TraceSettings): {
  stop: () => Promise<void>;
} {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.endsWith("/") ? endpoint.slice(0, -1) : endpoint}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: WAITING_SPANS_MAX - SPANS_PER_POST_MAX,
    maxExportBatchSize: SPANS_PER_POST_MAX,
    scheduledDelayMillis: POST_EVERY_MS,
    exportTimeoutMillis: exportTimeoutMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "ewebal", "service.instance.role": role }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("ewebal");
  setTracer((name, { kind, facts = {}, traceparent, beganMsAgo = 0 }) => {
    const options = { kind: kinds[kind], attributes: facts, startTime: Date.now() - beganMsAgo };
    const span = tracer.startSpan(name, options, contextOf(traceparent));
    return {
      end: (more = {}, isFailed = false) => {
        span.setAttributes(more);
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  });
  return {
    stop: async () => {
      setTracer(undefined);
      try {
        await provider.shutdown();
      } catch (error) {
        // A process that ends has done its work, whether or not somebody took its last spans.
        log.warn({ err: error }, "the last spans could not be sent");
      }
    },
  };
}

/** A caller that says it does not sample its own request is heard: its span is not sent. */
function contextOf(traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  return caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}
