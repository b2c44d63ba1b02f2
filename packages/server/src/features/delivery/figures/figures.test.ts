import { pino } from "pino";
import { afterCommit, withTransaction } from "../../../db/transaction.ts";
import { buildMessage } from "../../../testing/delivery-factories.ts";
import type { CarrierOutcome } from "../carriers/carrier.ts";
import { FakeCarrier } from "../testing/fake-carrier.ts";
import { expect, test, until, untilCounts } from "../testing/worker-test.ts";
import { addFigures, selectFigures } from "./figure-store.ts";
import { countAccepted, figuresOf, LATENCY_BOUNDS_SECONDS, takeFigures, type FigureRow } from "./figures.ts";
import { readDeliveryFigures } from "./read-figures.ts";
import { startFigureWriter } from "./write-figures.ts";

const log = pino({ level: "silent" });
/** Of a histogram. */
const sizeOf = ({ counts }: FigureRow): number => counts.slice(0, -1).reduce((sum, count) => sum + count, 0);

test("the engine counts what it hands over, what carriers answer and report, and how long each took", async ({
  db,
  startSession,
}) => {
  takeFigures();
  const answers: (CarrierOutcome | "accept")[] = [
    { kind: "refused", reason: "status:11" },
    { kind: "deferred", afterMs: 1, isPartial: false, isFault: true, reason: "status:88" },
    { kind: "unknown" },
  ];
  const carrier = new FakeCarrier({ name: "Acme", behaviour: () => answers.shift() ?? "accept" });
  const message = await buildMessage(db, { recipientCount: 6 });
  await startSession([carrier]);
  await untilCounts(db, message, { sent: 4, failed: 1, unknown: 1 });
  const [, , , delivered, failed] = carrier.taken;
  carrier.report({ key: delivered?.key ?? "" });
  carrier.report({ key: failed?.key ?? "", state: "failed" });
  carrier.report({ key: "of another day" });
  await until("two are acknowledged", () => carrier.acknowledged.length >= 2);

  const rows = takeFigures();
  const counted = rows
    .filter(({ counts }) => counts.length === 1)
    .map((row) => [row.name, row.carrier, row.class, row.kind, row.counts[0]]);
  expect(counted).toEqual([
    ["messages", "", "promotional", "", 1],
    ["submits", "Acme", "promotional", "", 7],
    ["answers", "Acme", "promotional", "accepted", 4],
    ["answers", "Acme", "promotional", "refused", 1],
    ["answers", "Acme", "promotional", "deferred", 1],
    ["answers", "Acme", "promotional", "unknown", 1],
    ["reports", "Acme", "promotional", "delivered", 1],
    ["reports", "Acme", "promotional", "failed", 1],
    ["reports", "Acme", "unknown", "delivered", 1],
  ]);
  const sizes = Object.fromEntries(
    rows.filter(({ counts }) => counts.length > 1).map((row) => [row.name, sizeOf(row)]),
  );
  expect(sizes).toEqual({ acceptToWire: 6, submitToAnswer: 5, submitToReport: 2 });
  // Nobody's number, name or id is among the words.
  expect(JSON.stringify(rows)).not.toContain(String(message.phoneNos[0]).slice(3));
  expect(takeFigures()).toEqual([]);
});

test("what waits for a commit is done after it, and not after a roll-back", async ({ db }) => {
  const done: string[] = [];
  await withTransaction(db, async (tx) => {
    afterCommit(tx, () => done.push("committed"));
    await tx.query("select 1");
    expect(done).toEqual([]);
  });
  await expect(
    withTransaction(db, async (tx) => {
      afterCommit(tx, () => done.push("rolled back"));
      await tx.query("select 1");
      throw new Error("after all not");
    }),
  ).rejects.toThrow("after all not");
  expect(done).toEqual(["committed"]);
});

test("a latency is counted below the first bound that holds it, and beyond the last", () => {
  takeFigures();
  const figures = figuresOf("Acme");
  for (const ms of [10, 10.1, 8_000_000, -5]) figures.took("submitToAnswer", 0, ms);
  const [row] = takeFigures();
  expect(row?.counts).toHaveLength(LATENCY_BOUNDS_SECONDS.length + 2);
  expect(row?.counts.slice(0, 2)).toEqual([2, 1]);
  expect(row?.counts.slice(-2)).toEqual([1, 8_000_020]);
});

test("processes add up what they count, and read the same", async ({ db }) => {
  const row = { name: "submitToAnswer", carrier: "Acme", class: "promotional", kind: "" };
  const counts = LATENCY_BOUNDS_SECONDS.map(() => 1);
  await addFigures(db, [{ ...row, counts: [...counts, 2, 1_500] }]);
  await addFigures(db, [
    { ...row, counts: [...counts, 0, 500] },
    { name: "messages", carrier: "", class: "transactional", kind: "", counts: [3] },
  ]);
  const series = await readDeliveryFigures(db);
  const histogram = series.find(({ name }) => name === "ewebal_submit_to_answer_seconds")?.values ?? [];
  const labels = { carrier: "Acme", class: "promotional" };
  expect(histogram.slice(0, 2).map(({ value }) => value)).toEqual([2, 4]);
  expect(histogram.slice(-3)).toEqual([
    { metricName: "ewebal_submit_to_answer_seconds_bucket", labels: { ...labels, le: "+Inf" }, value: 32 },
    { metricName: "ewebal_submit_to_answer_seconds_sum", labels, value: 2 },
    { metricName: "ewebal_submit_to_answer_seconds_count", labels, value: 32 },
  ]);
  expect(series.find(({ name }) => name === "ewebal_messages_accepted_total")?.values).toEqual([
    { labels: { class: "transactional" }, value: 3 },
  ]);
});

test("what is counted while the database is away is written when it is back, once", async ({ db }) => {
  takeFigures();
  const { write, stop } = startFigureWriter({ db, log });
  countAccepted("promotional", 2);
  await db.query("alter table delivery_figure rename to delivery_figure_away");
  await expect(write()).rejects.toThrow("delivery_figure");
  countAccepted("promotional", 3);
  await expect(write()).rejects.toThrow("delivery_figure");
  await db.query("alter table delivery_figure_away rename to delivery_figure");
  await write();
  await stop();
  expect(await selectFigures(db)).toEqual([
    { name: "messages", carrier: "", class: "promotional", kind: "", counts: [5] },
  ]);
});
