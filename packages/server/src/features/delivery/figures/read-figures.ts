/** What `/metrics` says of messages and carriers. */
import type { Queryable } from "../../../db/pool.ts";
import type { Sample, Series } from "../../../http/monitoring/metrics.ts";
import { selectFigures } from "./figure-store.ts";
import { LATENCY_BOUNDS_SECONDS, type FigureRow, type LatencyName } from "./figures.ts";

type Counter = { figure: string; name: string; help: string; labels: (row: FigureRow) => Record<string, string> };

const counters: readonly Counter[] = [
  {
    figure: "messages",
    name: "ewebal_messages_accepted_total",
    help: "Messages that were accepted, scheduled ones among them",
    labels: (row) => ({ class: row.class }),
  },
  {
    figure: "submits",
    name: "ewebal_submits_total",
    help: "Recipients that were handed to a carrier; one that is tried again counts again",
    labels: (row) => ({ carrier: row.carrier, class: row.class }),
  },
  {
    figure: "answers",
    name: "ewebal_answers_total",
    help: "What carriers answered: accepted, refused, deferred (tried again), or unknown (no answer came)",
    labels: (row) => ({ carrier: row.carrier, class: row.class, kind: row.kind }),
  },
  {
    figure: "reports",
    name: "ewebal_reports_total",
    help: "Delivery reports by what they say; the class is unknown when the message is older than a worker's memory",
    labels: (row) => ({ carrier: row.carrier, class: row.class, state: row.kind }),
  },
];

const histograms: readonly { figure: LatencyName; name: string; help: string }[] = [
  {
    figure: "acceptToWire",
    name: "ewebal_accept_to_wire_seconds",
    help: "From the moment that a message may be sent until a recipient of it is handed to a carrier",
  },
  {
    figure: "submitToAnswer",
    name: "ewebal_submit_to_answer_seconds",
    help: "From the hand-over until the carrier's answer",
  },
  {
    figure: "submitToReport",
    name: "ewebal_submit_to_report_seconds",
    help: "From the hand-over until the final delivery report, while a worker remembers the message",
  },
];

export async function readDeliveryFigures(db: Queryable): Promise<Series[]> {
  const rows = await selectFigures(db);
  const rowsOf = (figure: string): FigureRow[] => rows.filter(({ name }) => name === figure);
  return [
    ...counters.map(({ figure, labels, ...series }) => ({
      ...series,
      type: "counter" as const,
      values: rowsOf(figure).map((row) => ({ labels: labels(row), value: row.counts[0] ?? 0 })),
    })),
    ...histograms.map(({ figure, ...series }) => ({
      ...series,
      type: "histogram" as const,
      values: rowsOf(figure).flatMap((row) => bucketsOf(series.name, row)),
    })),
  ];
}

/** Each bucket counts what the smaller ones do, too. */
function bucketsOf(name: string, { carrier, class: messageClass, counts }: FigureRow): Sample[] {
  const labels = { carrier, class: messageClass };
  let count = 0;
  const buckets = [...LATENCY_BOUNDS_SECONDS.map(String), "+Inf"].map((le, at) => {
    count += counts[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  const sumSeconds = (counts.at(-1) ?? 0) / 1_000;
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
