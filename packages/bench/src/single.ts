/**
 * Sends to one number each by the API for programs, over kept connections from a process of their own: how many are accepted a second, and what
 * processor time each takes where. Accepted means committed: the units are held and the message is stored. The carrier is away.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { equipCustomer, registerCustomer, signIn, type ApiClient } from "@ewebal/e2e/testing/api-client";
import { carrierSetting } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct, type Product } from "@ewebal/e2e/testing/product";
import { printTable, quantile, type Row } from "./print.ts";

const CLOSED_PORT = 9;
const WARM_UP = 2_000;
const CALLS = 20_000;

type Load = { url: string; keys: string[]; connections: number; calls: number; firstNumber: number };
type Loaded = { seconds: number; latenciesMs: number[]; refused: number; refusal: string };

export async function measureSingle(): Promise<void> {
  const rows: Row[] = [];
  for (const rateLimits of ["off", "on"] as const) {
    const environment = {
      CARRIERS: carrierSetting({ smppPort: CLOSED_PORT }),
      RATE_LIMITS: rateLimits,
      QUIET_HOURS: "off",
    };
    const product = await startProduct({ environment });
    try {
      for (const customers of rateLimits === "off" ? [1, 20] : [1]) {
        const keys = await makeKeys(product, customers, rateLimits === "on");
        // With limits one address may have 50 bodies on their way.
        const connections = rateLimits === "off" ? 200 : 40;
        let firstNumber = 2_348_030_000_000 + rows.length * 1_000_000;
        await load({ url: product.url, keys, connections, calls: WARM_UP, firstNumber });
        firstNumber += WARM_UP;
        const before = readProcessorTimes(product);
        const { seconds, latenciesMs, refused, refusal } = await load({
          url: product.url,
          keys,
          connections,
          calls: CALLS,
          firstNumber,
        });
        if (refused > 0) throw new Error(`${refused} calls were refused: ${refusal}`);
        rows.push({
          customers,
          limits: rateLimits,
          connections,
          "accepted a second": CALLS / seconds,
          "p50 ms": quantile(latenciesMs, 0.5),
          "p99 ms": quantile(latenciesMs, 0.99),
          ...timesPerCall(before, readProcessorTimes(product)),
        });
      }
    } finally {
      await removeProduct(product);
    }
  }
  printTable(`${CALLS.toLocaleString("en")} sends to one number each, by program`, rows);
}

async function makeKeys(product: Product, customers: number, isLimited: boolean): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < customers; index += 1) {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, 1_000_000, "BENCH");
    const { body } = await customer.call<{ data: { key: string } }>("POST", `/api/${customer.actorId}/api-keys`, {
      name: "Bench",
    });
    if (isLimited) await raiseLimit(product, customer);
    keys.push(body.data.key);
  }
  return keys;
}

/** Counted, and not refused. */
async function raiseLimit(product: Product, customer: ApiClient): Promise<void> {
  const admin = await signIn(product, product.demo.admin, "admin");
  const limit = { userId: customer.actorId, perSecond: 10_000 };
  const { status } = await admin.call("PATCH", `/api/${admin.actorId}/set-call-limit`, limit);
  if (status !== 200) throw new Error(`The limit was answered with ${status}`);
}

/** Processor seconds of the product's processes and of this one, by what they do. Other processes of the machine are left out. */
export function readProcessorTimes({ dataDir }: Product): Map<string, number> {
  const processes = new Map<number, { parent: number; command: string; seconds: number }>();
  for (const name of readdirSync("/proc").filter((entry) => /^[0-9]+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      const ticks = Number(fields[11]) + Number(fields[12]);
      processes.set(Number(name), { parent: Number(fields[1]), command, seconds: ticks / 100 });
    } catch {
      // It ended meanwhile.
    }
  }
  const location = join(dataDir, "postgres-location");
  const cluster = existsSync(location) ? readFileSync(location, "utf8").trim() : join(dataDir, "postgres");
  const postmaster = Number(readFileSync(join(cluster, "data", "postmaster.pid"), "utf8").split("\n")[0]);
  const isBelow = (pid: number, root: number): boolean =>
    pid === root || (processes.has(pid) && isBelow(processes.get(pid)?.parent ?? 0, root));
  const times = new Map<string, number>();
  for (const [pid, { command, seconds }] of processes) {
    const kind = isBelow(pid, postmaster)
      ? "database"
      : pid === process.pid
        ? "load"
        : isBelow(pid, process.pid)
          ? kindOfRole(command)
          : "";
    times.set(kind, (times.get(kind) ?? 0) + seconds);
  }
  return times;
}

/** The process tree gives a worker a heap limit and the web role none. */
function kindOfRole(command: string): string {
  if (!command.includes("role-process")) return "others";
  return command.includes("--max-old-space-size") ? "worker" : "web";
}

export function timesPerCall(before: Map<string, number>, after: Map<string, number>, calls = CALLS): Row {
  const kinds = ["web", "database", "worker", "load"];
  return Object.fromEntries(
    kinds.map((kind) => [`${kind} µs a call`, (((after.get(kind) ?? 0) - (before.get(kind) ?? 0)) * 1e6) / calls]),
  );
}

async function load(settings: Load): Promise<Loaded> {
  const worker = new Worker(new URL(import.meta.url), { workerData: settings });
  return await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

/** HTTP by hand, because a client that parses everything would be measured, too. */
async function runLoad({ url, keys, connections, calls, firstNumber }: Load): Promise<Loaded> {
  const { hostname, port } = new URL(url);
  let sent = 0;
  let refused = 0;
  let refusal = "";
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const runOne = async (index: number): Promise<void> => {
    const socket = connect(Number(port), hostname).setNoDelay();
    const key = keys[index % keys.length] ?? "";
    await new Promise<void>((resolve, reject) => {
      let beganAtMs = 0;
      let rest = "";
      const next = (): void => {
        if (sent >= calls) return void socket.end(resolve);
        const number = firstNumber + sent;
        sent += 1;
        const body = `{"senderName":"BENCH","message":"Your code is ${number}","phoneNo":"${number}"}`;
        beganAtMs = performance.now();
        socket.write(
          `POST /api/v1/messages HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: ${number}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      };
      socket.on("data", (chunk: Buffer) => {
        rest += chunk.toString("latin1");
        const end = rest.indexOf("\r\n\r\n");
        const length = Number(/content-length: *([0-9]+)/i.exec(rest)?.[1] ?? Number.NaN);
        if (end === -1 || rest.length < end + 4 + length) return;
        if (!rest.startsWith("HTTP/1.1 200")) {
          refused += 1;
          refusal = rest;
        }
        rest = "";
        latenciesMs.push(performance.now() - beganAtMs);
        next();
      });
      socket.on("error", reject);
      next();
    });
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => runOne(index)));
  return { seconds: (performance.now() - startedAtMs) / 1_000, latenciesMs, refused, refusal };
}

if (!isMainThread && (workerData as Partial<Load> | null)?.firstNumber !== undefined) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin.
  parentPort?.postMessage(await runLoad(workerData as Load));
}
