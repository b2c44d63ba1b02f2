/**
 * What a longer history costs: the price of a message, of the pages of lists and of the checks of the ledger, over generated histories of several
 * sizes. All installations are up at once and are asked in turns, so that a neighbour's work meets all alike.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { equipCustomer, findMessage, makeNumbers, send, signIn, type ApiClient } from "@ewebal/e2e/testing/api-client";
import { carrierSetting, startForeignCarrier, type ForeignCarrier } from "@ewebal/e2e/testing/carrier";
import { repository, startProduct, waitUntil, type Product } from "@ewebal/e2e/testing/product";
import { createPool, type Db } from "@ewebal/server/src/db/pool.ts";
import { auditAndSeal } from "@ewebal/server/src/features/billing/index.ts";
import { readLedgerInvariants } from "@ewebal/server/src/ledger/index.ts";
import { readConfig } from "@ewebal/server/src/base/config.ts";
import { pino } from "pino";
import { printTable, quantile, say } from "../print.ts";
import { drawCurves, type Curve } from "./draw-curves.ts";
import { makeHistory, READY_WITHIN_MS, type History } from "./history.ts";

/** Where histories are kept between runs, and their sizes in millions of recipients. */
const FOLDER = process.env["GROWTH_DIR"] ?? join(tmpdir(), "ewebal-growth");
const SIZES = (process.env["GROWTH_MILLIONS"] ?? "1,10,100").split(",").map(Number);
const PICTURE = join(repository, "docs", "pictures", "growth.svg");
const SEND = 20_000;
const ROUNDS = 3;
const CALLS = 9;
/** Statistics and the first overview of a history that was not seen before. */
const SETTLE_MS = 5_000;

type Installation = {
  history: History;
  product: Product;
  carrier: ForeignCarrier;
  customer: ApiClient;
  admin: ApiClient;
  db: Db;
};

/** A value for each size, in the order of the sizes. */
type Measured = { name: string; unit: string; values: number[]; isExpectedToGrow?: boolean };

export async function measureGrowth(): Promise<void> {
  await mkdir(FOLDER, { recursive: true, mode: 0o711 });
  const installations: Installation[] = [];
  try {
    for (const millions of SIZES) installations.push(await startOn(await makeHistory(FOLDER, millions * 1e6)));
    await sleep(SETTLE_MS);
    const measured = await measureAll(installations);
    printTable(
      "Against the stored recipients",
      measured.map(({ name, unit, values }) => ({
        what: name,
        unit,
        ...Object.fromEntries(SIZES.map((millions, index) => [`${millions} million`, values[index] ?? Number.NaN])),
        "last to first": (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN),
      })),
    );
    const curves: Curve[] = measured.map(({ name, values, isExpectedToGrow = false }) => ({
      name,
      isExpectedToGrow,
      ratios: values.map((value) => value / (values[0] ?? Number.NaN)),
    }));
    await writeFile(PICTURE, drawCurves(SIZES, curves));
    say(`The picture is in ${PICTURE}`);
  } finally {
    for (const { db, product, carrier } of installations) {
      await db.end();
      await product.stop();
      await carrier.stop();
    }
  }
}

async function startOn(history: History): Promise<Installation> {
  const carrier = await startForeignCarrier();
  const started = await startProduct({
    dataDir: history.dataDir,
    readyWithinMs: READY_WITHIN_MS,
    environment: { CARRIERS: carrierSetting(carrier, { window: 1_000, messagesPerSecond: 1_000_000 }) },
  });
  // It names the accounts of the trial at its first start only.
  const product = { ...started, demo: { customer: history.customer, admin: history.admin } };
  await equipCustomer(product, history.customer, SEND * 3 * (ROUNDS + 2), "BENCH");
  const [password, port] = await Promise.all(
    ["postgres-password", "postgres-port"].map(async (name) =>
      (await readFile(join(history.dataDir, name), "utf8")).trim(),
    ),
  );
  return {
    history,
    product,
    carrier,
    customer: await signIn(product, history.customer),
    admin: await signIn(product, history.admin, "admin"),
    db: createPool({
      url: `postgres://ewebal:${password ?? ""}@127.0.0.1:${port ?? ""}/ewebal`,
      applicationName: "bench",
    }),
  };
}

async function measureAll(installations: readonly Installation[]): Promise<Measured[]> {
  await inTurns(installations, 1, async (one) => await audit(one));
  await inTurns(installations, 1, sendOnce);
  const sends = await inTurns(installations, ROUNDS, sendOnce);
  say(`sends: ${JSON.stringify(sends)}`);
  const audits = await inTurns(installations, 2, async (one) => {
    await sendOnce(one);
    return { ms: await audit(one) };
  });
  say(`audits: ${JSON.stringify(audits)}`);
  const minutes = await inTurns(
    installations,
    5,
    async ({ db }) =>
      await timed(async () => void (await readLedgerInvariants(db, { since: new Date(Date.now() - 3_600_000) }))),
  );
  const lists: Measured[] = [];
  for (const [name, ask] of Object.entries(await listsOf(installations))) {
    const values: number[][] = installations.map(() => []);
    try {
      const asked = await inTurns(installations, CALLS, async (one) => await timed(async () => await ask(one)));
      for (const [index, own] of asked.entries()) values[index]?.push(...own);
    } catch (error) {
      // One list that is refused does not cost the figures of an hour's generating.
      say(`${name} was not measured: ${String(error)}`);
      continue;
    }
    const isExpectedToGrow = name.includes(BOUNDED);
    lists.push({ name, unit: "ms", values: values.map((own) => quantile(own, 0.5)), isExpectedToGrow });
    say(`${name}: ${values.map((own) => quantile(own, 0.5).toFixed(1)).join(", ")} ms`);
  }
  // Everything from the beginning, as the first audit of all does.
  const full = await inTurns(installations, 1, async (one) => await audit(one, { isAnew: true }));
  say(`everything: ${full.map(([ms]) => Math.round(ms ?? 0)).join(", ")} ms`);
  const median = (values: number[][]): number[] => values.map((own) => quantile(own, 0.5));
  return [
    {
      name: "cost of a message: PostgreSQL",
      unit: "us",
      values: median(sends.map((own) => own.map(({ postgres }) => postgres))),
    },
    {
      name: "cost of a message: worker",
      unit: "us",
      values: median(sends.map((own) => own.map(({ worker }) => worker))),
    },
    ...lists,
    {
      name: "nightly audit from the sealed point",
      unit: "ms",
      values: median(audits.map((own) => own.map(({ ms }) => ms))),
    },
    { name: "check of the last hour", unit: "ms", values: median(minutes) },
    {
      name: "every rule over all time, and sealing it (first night, or by command)",
      unit: "ms",
      values: median(full),
      isExpectedToGrow: true,
    },
  ];
}

/** @returns the results of each installation. */
async function inTurns<Result>(
  installations: readonly Installation[],
  rounds: number,
  measure: (one: Installation) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = installations.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, one] of installations.entries()) results[index]?.push(await measure(one));
  return results;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

async function audit({ db, history: { dataDir } }: Installation, options: { isAnew?: boolean } = {}): Promise<number> {
  const config = readConfig({ DATA_DIR: dataDir });
  const log = pino({ level: "silent" });
  return await timed(async () => {
    const { checks, sealedAt } = await auditAndSeal({ db, log, config }, options);
    if (sealedAt === undefined) throw new Error(`the ledger of ${dataDir} does not hold: ${JSON.stringify(checks)}`);
  });
}

/** Processor time of one message, microseconds: all of PostgreSQL, and the worker. */
async function sendOnce({ customer, product, history }: Installation): Promise<{ postgres: number; worker: number }> {
  const before = await readCpu(product, history.dataDir);
  const text = `Growth ${Math.random()}`;
  const { status, body } = await send(customer, {
    senderName: "BENCH",
    message: text,
    phoneNo: makeNumbers(SEND).join(","),
    code: "234",
  });
  if (status !== 200) throw new Error(`The send was answered with ${status}`);
  await waitUntil(async () => (await findMessage(customer, body.data._id))?.counts.delivered === SEND, "all records", {
    withinMs: 120_000,
    everyMs: 100,
  });
  const after = await readCpu(product, history.dataDir);
  return {
    postgres: ((after.postgres - before.postgres) * 1e6) / SEND,
    worker: ((after.worker - before.worker) * 1e6) / SEND,
  };
}

const TICKS_A_SECOND = 100;

/** Seconds of processor time up to now. Linux only. */
async function readCpu(product: Product, dataDir: string): Promise<{ postgres: number; worker: number }> {
  const postmaster = Number(
    (await readFile(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8")).split("\n")[0],
  );
  const all = await Promise.all((await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(readStat));
  const stats = all.filter((stat) => stat !== undefined);
  const own = stats.find(({ pid }) => pid === postmaster);
  const children = stats.filter(({ parent }) => parent === postmaster);
  const worker = stats.find(({ pid }) => pid === product.childPid("worker"));
  // Servers of sessions that have ended are in the postmaster's time of its children.
  const postgres = (own?.ticks ?? 0) + (own?.endedTicks ?? 0) + children.reduce((sum, { ticks }) => sum + ticks, 0);
  return { postgres: postgres / TICKS_A_SECOND, worker: (worker?.ticks ?? 0) / TICKS_A_SECOND };
}

type Stat = { pid: number; parent: number; ticks: number; endedTicks: number };

/** @returns undefined for a process that has ended meanwhile. */
async function readStat(pid: string): Promise<Stat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, kernel = 0, endedUser = 0, endedKernel = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    return { pid: Number(pid), parent, ticks: user + kernel, endedTicks: endedUser + endedKernel };
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** A search reads the list from its newest message on, and gives up after five steps: 100,000 messages or 10,000,000 recipients. */
const BOUNDED = "found nowhere";

type Page = { data?: unknown; next?: string | null };

/** Every list and record that recipients or messages reach, by what the pages call it. The customer is the busiest. */
async function listsOf(
  installations: readonly Installation[],
): Promise<Record<string, (one: Installation) => Promise<void>>> {
  const old = new Map<Installation, { messageId: string; after: string; lineAfter: string }>();
  for (const one of installations) {
    // A large message half-way through the history, a page in the middle of the lists.
    const { rows } = await one.db.query<{ messageId: string }>(
      `select message_id as "messageId" from message where user_id = $1 and recipient_count = 1500 and message_id < (
         select message_id from message where user_id = $1 order by message_id desc offset (select count(*) / 2 from message where user_id = $1) limit 1)
       order by message_id desc limit 1`,
      [one.customer.actorId],
    );
    const messageId = rows[0]?.messageId ?? "";
    const { body } = await one.customer.call<Page>("GET", `/api/${one.customer.actorId}/statement?limit=50`);
    old.set(one, { messageId, after: messageId, lineAfter: body.next ?? "" });
  }
  const get =
    (
      as: "customer" | "admin",
      path: (one: Installation, more: { messageId: string; after: string; lineAfter: string }) => string,
    ) =>
    async (one: Installation): Promise<void> => {
      const more = old.get(one) ?? { messageId: "", after: "", lineAfter: "" };
      const url = path(one, more);
      const { status } = await one[as].call("GET", url);
      if (status !== 200) throw new Error(`${url} was answered with ${status}`);
    };
  const own = ({ customer }: Installation): string => `/api/${customer.actorId}`;
  return {
    "history, first page": get("customer", (one) => `${own(one)}/populate-sms-history?limit=50`),
    "history, a page in the middle": get(
      "customer",
      (one, { after }) => `${own(one)}/populate-sms-history?limit=50&after=${after}`,
    ),
    "history by state": get("customer", (one) => `${own(one)}/populate-sms-history?limit=50&state=done`),
    "history by sender name": get("customer", (one) => `${own(one)}/populate-sms-history?limit=50&sender=SENDER1`),
    "history of one day": get(
      "customer",
      (one) => `${own(one)}/populate-sms-history?limit=50&from=2026-06-01&to=2026-06-01`,
    ),
    "history, a word that is everywhere": get(
      "customer",
      (one) => `${own(one)}/populate-sms-history?limit=50&search=sale`,
    ),
    [`history, a word that is ${BOUNDED}`]: get(
      "customer",
      (one) => `${own(one)}/populate-sms-history?limit=50&search=nowhere-at-all`,
    ),
    "scheduled messages": get("customer", (one) => `${own(one)}/populate-scheduled-sms?limit=50`),
    "days of the dashboard": get("customer", (one) => `${own(one)}/view-sms-days`),
    "one message": get("customer", (one, { messageId }) => `${own(one)}/${messageId}/view-one-sms`),
    "its recipients": get("customer", (one, { messageId }) => `${own(one)}/${messageId}/recipients?limit=100`),
    "its recipients, late": get(
      "customer",
      (one, { messageId }) => `${own(one)}/${messageId}/recipients?limit=100&after=1000`,
    ),
    "its failed recipients": get(
      "customer",
      (one, { messageId }) => `${own(one)}/${messageId}/recipients?limit=100&state=failed`,
    ),
    "its results by network and hour": get(
      "customer",
      (one, { messageId }) => `${own(one)}/${messageId}/view-breakdown`,
    ),
    "statement, first page": get("customer", (one) => `${own(one)}/statement?limit=50`),
    "statement, second page": get(
      "customer",
      (one, { lineAfter }) => `${own(one)}/statement?limit=50&after=${encodeURIComponent(lineAfter)}`,
    ),
    "statement, a month in the middle": get("customer", (one) => `${own(one)}/statement?limit=50&month=2026-06`),
    "card payments": get("customer", (one) => `${own(one)}/payments?limit=50`),
    "own record with counts": get("customer", (one) => `${own(one)}/view-one-user`),
    "administrators: all messages": get("admin", () => "/api/view-all-sms-messages?limit=50"),
    "administrators: all messages, middle": get(
      "admin",
      (_, { after }) => `/api/view-all-sms-messages?limit=50&after=${after}`,
    ),
    "administrators: cancelled messages": get("admin", () => "/api/view-all-sms-messages?limit=50&state=cancelled"),
    "administrators: sending messages": get("admin", () => "/api/view-all-sms-messages?limit=50&state=sending"),
    "administrators: one customer's messages": get(
      "admin",
      ({ customer }) => `/api/view-all-sms-messages?limit=50&userId=${customer.actorId}`,
    ),
    "administrators: any message": get("admin", (_, { messageId }) => `/api/${messageId}/view-any-sms`),
    "administrators: customers": get("admin", () => "/api/view-all-users?limit=50"),
    "administrators: all payments": get("admin", () => "/api/view-all-payments?limit=50"),
    "administrators: overview": get("admin", () => "/api/view-overview"),
    "administrators: charts": get("admin", () => "/api/view-overview-charts"),
    "administrators: held messages": get("admin", () => "/api/view-held-messages?limit=50"),
    "administrators: what is being sent": get("admin", () => "/api/view-sending"),
  };
}
