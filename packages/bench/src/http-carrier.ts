/**
 * A carrier over HTTP: how many messages a second go out over connections that stay open, and what each costs in processor time, with and without
 * the provider's reports, which come back one a call. The provider is this process.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import {
  equipCustomer,
  findMessage,
  makeNumbers,
  readUser,
  registerCustomer,
  send,
} from "@ewebal/e2e/testing/api-client";
import { removeProduct, startProduct, waitUntil } from "@ewebal/e2e/testing/product";
import { printTable, type Row } from "./print.ts";
import { readProcessorTimes, timesPerCall } from "./single.ts";

const RECIPIENTS = 50_000;
const WINDOW = 100;
const REPORT_CONNECTIONS = 50;

export async function measureHttpCarrier(): Promise<void> {
  const rows: Row[] = [];
  for (const hasReports of [false, true]) rows.push(await runScenario(hasReports));
  printTable("A carrier over HTTP, one connection for each of 100 requests under way", rows);
}

async function runScenario(hasReports: boolean): Promise<Row> {
  const provider = new Provider();
  await provider.listen();
  const secret = randomBytes(16).toString("hex");
  const carrier = {
    kind: "http",
    name: "Provider",
    url: `http://127.0.0.1:${provider.port}/messages`,
    headers: { Authorization: "Bearer {{apiKey}}" },
    secrets: { apiKey: "key" },
    body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","reference":"{{id}}"}',
    success: { status: 200, path: "status", equals: "accepted" },
    idPath: "id",
    report: { path: secret, idPath: "id", statePath: "status", states: { delivered: "delivered" } },
    messagesPerSecond: 100_000,
    window: WINDOW,
  };
  const product = await startProduct({ environment: { CARRIERS: JSON.stringify([carrier]) } });
  try {
    if (hasReports) provider.reportTo = `${product.url}/carrier-reports/${secret}`;
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, RECIPIENTS * 3, "BENCH");
    const phoneNo = makeNumbers(RECIPIENTS).join(",");
    const before = readProcessorTimes(product);
    const { status, body } = await send(customer, { senderName: "BENCH", message: "Benchmark", phoneNo, code: "234" });
    if (status !== 200) throw new Error(`The send was answered with ${status}`);
    const startedAtMs = performance.now();
    const secondsSince = (): number => (performance.now() - startedAtMs) / 1_000;
    const limits = { withinMs: 600_000, everyMs: 20 };
    await waitUntil(async () => await Promise.resolve(provider.acceptedCount >= RECIPIENTS), "all requests", limits);
    const submittedSeconds = secondsSince();
    await waitUntil(
      async () => {
        const counts = (await findMessage(customer, body.data._id))?.counts;
        return (hasReports ? counts?.delivered : counts?.sent) === RECIPIENTS;
      },
      "all records",
      { ...limits, everyMs: 100 },
    );
    const recordedSeconds = secondsSince();
    const { units } = await readUser(customer);
    if (units !== 0 || provider.duplicateCount !== 0)
      throw new Error(`${units} units left, ${provider.duplicateCount} duplicates`);
    return {
      scenario: hasReports ? "with a report for each" : "without reports",
      recipients: RECIPIENTS,
      "submitted/s": Math.round(RECIPIENTS / submittedSeconds),
      "recorded and billed/s": Math.round(RECIPIENTS / recordedSeconds),
      ...timesPerCall(before, readProcessorTimes(product), RECIPIENTS),
      connections: provider.connectionCount,
      duplicates: provider.duplicateCount,
      load: Math.round(loadavg()[0] ?? 0),
    };
  } finally {
    await removeProduct(product);
    await provider.close();
  }
}

/** Accepts everything at once, and remembers the numbers. */
class Provider {
  acceptedCount = 0;
  duplicateCount = 0;
  connectionCount = 0;
  reportTo: string | undefined;
  readonly #numbers = new Set<string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: REPORT_CONNECTIONS });
  readonly #server: Server = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (part: string) => (body += part));
    incoming.on("end", () => {
      const to = /"to":"([0-9]+)"/.exec(body)?.[1] ?? "";
      if (this.#numbers.has(to)) this.duplicateCount += 1;
      this.#numbers.add(to);
      this.acceptedCount += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(`{"status":"accepted","id":"P-${to}"}`);
      this.#report(to);
    });
  });

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.on("connection", () => (this.connectionCount += 1)).listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #report(to: string): void {
    if (this.reportTo === undefined) return;
    const body = `{"id":"P-${to}","status":"delivered"}`;
    const headers = { "content-type": "application/json", "content-length": String(body.length) };
    const again = (): void => void setTimeout(() => this.#report(to), 1_000);
    // A provider reports again what was not taken.
    request(this.reportTo, { method: "POST", agent: this.#agent, headers }, (response) => {
      response.resume();
      if (response.statusCode !== 200) again();
    })
      .on("error", again)
      .end(body);
  }
}
