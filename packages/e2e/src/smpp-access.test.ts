/**
 * Programs of strangers against the whole product: customers' SMPP clients, kill -9 under load, Kannel, a gateway that is not ours, as a client;
 * our own client, which hears by webhook what became of its messages; and at the end whatever may come to every call over HTTP.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { Ewebal, verifyWebhook } from "@ewebal/client";
import { findFreePort } from "@ewebal/embedded-postgres";
import { buildParts, SmppClient, sourceAddress } from "@ewebal/smpp";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  equipCustomer,
  expectExactLedger,
  makeNumbers,
  readUser,
  registerCustomer,
  type ApiClient,
} from "./testing/api-client.ts";
import { runFuzz } from "./fuzz/run-fuzz.ts";
import { readDatabaseUrl, removeProduct, startProduct, waitUntil, type Product } from "./testing/product.ts";

const BEARERBOX = "/usr/sbin/bearerbox";
const SMSBOX = "/usr/sbin/smsbox";
const skipReason = existsSync(BEARERBOX) && existsSync(SMSBOX) ? undefined : " (skipped: Kannel is not installed)";

let product: Product;
let port: number;

beforeAll(async () => {
  port = await findFreePort();
  product = await startProduct({ environment: { SMPP_LISTEN: `127.0.0.1:${port}`, WEBHOOK_PRIVATE: "on" } });
}, 120_000);
afterAll(async () => await removeProduct(product));

type Sender = { customer: ApiClient; systemId: string; password: string };

async function buildSender(units: number, senderName: string): Promise<Sender> {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, units, senderName);
  const { body } = await customer.call<{ data: { systemId: string; password: string } }>(
    "POST",
    `/api/${customer.actorId}/api-keys`,
    { name: "SMPP", kind: "smpp", mode: "live", binds: 2, perSecond: 10_000 },
  );
  return { customer, systemId: body.data.systemId, password: body.data.password };
}

type Listed = { _id: string; message: string; origin?: string; pages: number };

async function listMessages({ customer }: Sender): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let after: string | null = ""; after !== null;) {
    const page: string = after === "" ? "" : `&after=${after}`;
    const { body } = await customer.call<{ data: Listed[]; next: string | null }>(
      "GET",
      `/api/${customer.actorId}/populate-sms-history?limit=100${page}`,
    );
    all.push(...body.data);
    after = body.next;
  }
  return all;
}

// Goal: what was answered is sent and charged exactly once, and has its one receipt. Method: the process is killed twice while a client submits as fast as it
// can; what stays without an answer is not sent again.
test("the listener is killed under load: what was answered is there once, charged once, and reported", async () => {
  const submits = 3_000;
  const sender = await buildSender(submits * 3, "SHOP");
  const outcomes = new Map<number, { kind: string; messageId?: string }>();
  const receipts: string[] = [];
  let next = 0;
  const feed = (): void => {
    while (next < submits && client.canSubmit()) {
      const [part] = buildParts(`Order ${next}`);
      if (part === undefined) throw new Error("a text has a part");
      client.submit({ source: sourceAddress("SHOP"), destination: "2348030000001", part, reference: 0 }, next);
      next += 1;
    }
  };
  const client = new SmppClient<number>(
    { host: "127.0.0.1", port, ...sender, window: 200, messagesPerSecond: 1_000, reconnectMaxMs: 500 },
    {
      onOutcome: (index, outcome) => {
        outcomes.set(index, outcome);
        if (outcome.kind === "notSent") expect.unreachable("nothing is taken back from the socket here");
      },
      onDelivery: (delivery) => {
        if (delivery.kind === "receipt" && delivery.state === "delivered") receipts.push(delivery.messageId);
        delivery.acknowledge();
      },
      onReady: feed,
      onEvent: () => undefined,
    },
  );
  client.start();
  for (const part of [1, 2]) {
    await waitUntil(() => outcomes.size > (submits * part) / 3, `a part of the answers (${outcomes.size})`);
    await product.killChild("smpp");
  }
  await waitUntil(() => outcomes.size === submits, "all outcomes", { withinMs: 120_000 });
  const accepted = [...outcomes].filter(([, { kind }]) => kind === "accepted");
  const unknown = [...outcomes].filter(([, { kind }]) => kind === "unknown");
  expect(accepted.length + unknown.length).toBe(submits);
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.length).toBeLessThanOrEqual(2 * 200);
  const listed = await listMessages(sender);
  const byText = Map.groupBy(listed, ({ message }) => message);
  // Each text at most once, and each that was answered under the id in its answer.
  expect(byText.size).toBe(listed.length);
  const wrong = accepted.filter(([index, { messageId }]) => {
    const [message] = byText.get(`Order ${index}`) ?? [];
    return message?._id.replaceAll("-", "") !== messageId;
  });
  expect(wrong).toEqual([]);
  expect(listed.every(({ origin }) => origin === "smpp")).toBe(true);
  expect((await readUser(sender.customer)).units).toBe(submits * 3 - listed.length * 3);
  await waitUntil(() => new Set(receipts).size === listed.length, "a receipt of each", { withinMs: 60_000 });
  await client.close({ drainMs: 1_000 });
  await expectExactLedger(product);
});

// Goal: a client that we did not write sends and hears. Method: Kannel binds, cuts a long message itself (and asks for a receipt in its first part alone),
// and calls a small server for each receipt.
test.skipIf(skipReason !== undefined)(
  `Kannel sends a short and a long message and hears that both arrived${skipReason ?? ""}`,
  async () => {
    const sender = await buildSender(100, "KANNEL");
    const calls: string[] = [];
    const sink = createServer((request, response) => {
      calls.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => sink.listen(0, "127.0.0.1", resolve));
    const kannel = await startKannel(sender);
    try {
      const back = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;
      const long = "Your order has left our shop. ".repeat(12).trim();
      for (const [name, text] of [
        ["short", "Good morning from Kannel"],
        ["long", long],
      ] as const)
        await kannel.send({ to: "2348030000001", text, name, back });
      await waitUntil(async () => (await listMessages(sender)).length === 2, "both messages", { withinMs: 60_000 });
      const listed = await listMessages(sender);
      expect(listed.map(({ message }) => message).toSorted()).toEqual(["Good morning from Kannel", long].toSorted());
      expect(new Set(listed.map(({ pages }) => pages))).toEqual(new Set([1, 3]));
      await waitUntil(() => calls.filter((url) => url.includes("type=1")).length >= 2, "both receipts", {
        withinMs: 60_000,
      });
      expect(new Set(calls.map((url) => /name=(\w+)/.exec(url)?.[1]))).toEqual(new Set(["long", "short"]));
      expect(calls).toHaveLength(2);
    } finally {
      await kannel.stop();
      sink.close();
    }
  },
);

type Kannel = {
  send: (message: { to: string; text: string; name: string; back: string }) => Promise<void>;
  stop: () => Promise<void>;
};

async function startKannel({ systemId, password }: Sender): Promise<Kannel> {
  const folder = await mkdtemp(join(tmpdir(), "kannel-"));
  const [admin, box, http] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const settings = `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = bar
smsbox-port = ${box}
smsbox-interface = 127.0.0.1
log-file = "${folder}/bearerbox.log"
log-level = 1
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = ewebal
host = 127.0.0.1
port = ${port}
transceiver-mode = true
smsc-username = ${systemId}
smsc-password = ${password}
system-type = ""
reconnect-delay = 1

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${box}
sendsms-port = ${http}
sendsms-interface = 127.0.0.1
global-sender = KANNEL
log-file = "${folder}/smsbox.log"
log-level = 1

group = sendsms-user
username = u
password = p
max-messages = 10
concatenation = true

group = sms-service
keyword = default
max-messages = 0
text = "none"
`;
  const file = join(folder, "kannel.conf");
  await writeFile(file, settings);
  const started: ChildProcess[] = [];
  const start = async (program: string, openPort: number): Promise<void> => {
    started.push(spawn(program, ["-v", "4", file], { stdio: "ignore" }));
    await waitUntil(async () => await answers(openPort), `port ${openPort} of ${program}`);
  };
  await start(BEARERBOX, admin);
  await start(SMSBOX, http);
  return {
    send: async ({ to, text, name, back }) => {
      const dlr = `${back}/?name=${name}&type=%d`;
      const query = new URLSearchParams({
        username: "u",
        password: "p",
        from: "KANNEL",
        to,
        text,
        "dlr-mask": "3",
        "dlr-url": dlr,
      });
      const answer = await fetch(`http://127.0.0.1:${http}/cgi-bin/sendsms?${query.toString()}`);
      expect(answer.status).toBe(202);
    },
    stop: async () => {
      for (const child of started.toReversed()) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGTERM");
        const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
        await ended;
        clearTimeout(timer);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(openPort: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${openPort}/`);
    return true;
  } catch {
    return false;
  }
}

// Goal: a killed worker neither loses an event nor tells one under two ids. Method: the first post of a webhook, and the first of a Twilio callback,
// gets no answer, and the worker is killed while it waits for it.
test("the worker is killed while it posts: our client's program and Twilio's hear of every recipient", async () => {
  const customer = await registerCustomer(product);
  await equipCustomer(product, customer, 10_000, "SHOP");
  const makeKey = async (body: object): Promise<{ key: string; sid: string; token: string }> =>
    (
      await customer.call<{ data: { key: string; sid: string; token: string } }>(
        "POST",
        `/api/${customer.actorId}/api-keys`,
        body,
      )
    ).body.data;
  const events = await openSilentSink();
  const callbacks = await openSilentSink();
  try {
    const { key } = await makeKey({ name: "Shop" });
    const ewebal = new Ewebal({ key, baseUrl: product.url });
    const { secret } = await ewebal.webhooks.create({ url: events.url, events: ["recipients.updated"] });
    const phoneNos = makeNumbers(600);
    const sent = await ewebal.messages.send(
      { senderName: "SHOP", message: "Your order is on its way", phoneNo: phoneNos },
      { idempotencyKey: "order-7" },
    );
    const { sid, token } = await makeKey({ name: "Twilio", kind: "twilio" });
    const answer = await fetch(`${product.url}/2010-04-01/Accounts/${sid}/Messages.json`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` },
      body: new URLSearchParams({ To: "+2348030000001", From: "SHOP", Body: "Hello", StatusCallback: callbacks.url }),
    });
    expect(answer.status).toBe(201);
    // A post that waits too long for its answer comes again, so the first of the two may be there twice by now.
    await waitUntil(() => events.posts.length > 0, "the webhook's first post");
    await waitUntil(() => callbacks.posts.length > 0, "the callback's first post");
    await product.killChild("worker");
    for (const sink of [events, callbacks]) sink.answer();
    const isFinal = (state: string): boolean => state === "delivered" || state === "failed";
    const told = new Map<string, Set<string>>();
    await waitUntil(
      async () => {
        told.clear();
        for (const post of events.posts) {
          const event = await verifyWebhook({ ...post, secret });
          if (event.type !== "recipients.updated") throw new Error(`an event of type ${event.type}`);
          for (const { messageId, phoneNo, state } of event.data.recipients.filter((one) => isFinal(one.state))) {
            if (messageId !== sent.data._id) continue;
            told.set(`${phoneNo} ${state}`, (told.get(`${phoneNo} ${state}`) ?? new Set()).add(event.id));
          }
        }
        return told.size === phoneNos.length;
      },
      "an event of each recipient",
      { withinMs: 120_000, everyMs: 250 },
    );
    // The post that had no answer came again as it was.
    const [first] = events.posts;
    const again = events.posts.filter(({ headers }) => headers["webhook-id"] === first?.headers["webhook-id"]);
    expect(again.length).toBeGreaterThan(1);
    expect(new Set(again.map(({ body }) => body)).size).toBe(1);
    expect([...told.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    const statuses = (): string[] =>
      callbacks.posts.map(({ body }) => new URLSearchParams(body).get("MessageStatus") ?? "");
    await waitUntil(() => statuses().includes("delivered"), "Twilio's last callback", { withinMs: 120_000 });
    expect(statuses().slice(0, 2)).toEqual(["sent", "sent"]);
    const recipients = await ewebal.messages.recipients(sent.data._id, { state: "delivered" }).take(1_000);
    expect(recipients).toHaveLength(phoneNos.length);
  } finally {
    for (const sink of [events, callbacks]) sink.close();
  }
  await expectExactLedger(product);
});

type Post = { body: string; headers: Record<string, string> };

/** A program that takes posts and answers none until it is told to. */
async function openSilentSink(): Promise<{ url: string; posts: Post[]; answer: () => void; close: () => void }> {
  const posts: Post[] = [];
  let isAnswering = false;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    posts.push({ body: await readText(request), headers: request.headers as Record<string, string> });
    if (isAnswering) response.writeHead(204).end();
  };
  // A post that is broken off has told nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    answer: () => (isAnswering = true),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// Last, because administrators' calls of the run change prices, carriers and rules for everybody. `npm run fuzz` tries other seeds, and longer.
test("two thousand generated requests to every call: no fault of ours, nobody else's data, the ledger exact", async () => {
  const pidOf = { web: () => product.childPid("web"), worker: () => product.childPid("worker") };
  const target = { url: product.url, databaseUrl: await readDatabaseUrl(product), pidOf };
  const { findings, statuses, succeededCount } = await runFuzz(target, { seed: 1126, requestCount: 2_000 });
  expect(findings, "npm run fuzz -- --seed 1126 --requests 2000").toEqual([]);
  // Otherwise nothing was tried here.
  expect(succeededCount).toBeGreaterThan(100);
  expect(statuses["400"]).toBeGreaterThan(100);
});
