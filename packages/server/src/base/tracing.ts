/**
 * Spans: what began, how long it took and how it ended. Nothing is traced, and no library of it loaded, until `startTraces`
 * (`main/start-traces.ts`) has set a tracer. A span carries the names of routes, jobs and lanes, and counts: never what people wrote, their
 * numbers, or an address.
 */
export type SpanFacts = Record<string, string | number>;

export type SpanStart = {
  kind: "server" | "consumer" | "internal";
  facts?: SpanFacts;
  /** The header `traceparent` of who asked. */
  traceparent?: string | undefined;
  /** Milliseconds ago; 0 when absent. */
  beganMsAgo?: number;
};

export type OpenSpan = { end: (facts?: SpanFacts, isFailed?: boolean) => void };

export type Tracer = (name: string, start: SpanStart) => OpenSpan;

let tracer: Tracer | undefined;

/** @param next undefined: nothing is traced from now on. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** @returns undefined while nothing is traced. */
export function openSpan(name: string, start: SpanStart): OpenSpan | undefined {
  return tracer?.(name, start);
}
