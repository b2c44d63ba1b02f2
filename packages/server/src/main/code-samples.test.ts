// The samples that the API page offers, run as they are against a listening server, and the client that customers install. A language that is not installed is skipped, and says so.
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { promisify } from "node:util";
import { Ewebal, type Send, verifyWebhook, WebhookSignatureError } from "@ewebal/client";
import { findFreePort } from "@ewebal/embedded-postgres";
import type { SendAnswer } from "@ewebal/contract";
import { afterAll, describe, vi } from "vitest";
import { createApiKey } from "../features/accounts/index.ts";
import { startWebhookWorker, type WebhookWorker } from "../features/webhooks/index.ts";
import { expect, test as base } from "../testing/app.ts";
import { buildSender } from "../testing/messages-factories.ts";

const folder = join(import.meta.dirname, "../../../web/public/downloads");
const PATH = process.env["PATH"];
const languages = [
  { program: "sh", needs: "curl", send: "send-sms.sh" },
  { program: process.execPath, needs: process.execPath, send: "send-sms.mjs", receive: "receive-webhook.mjs" },
  { program: "python3", needs: "python3", send: "send-sms.py", receive: "receive-webhook.py" },
  { program: "php", needs: "php", send: "send-sms.php", receive: "receive-webhook.php" },
].map((language) => {
  const isThere = spawnSync(language.needs, ["--version"]).error === undefined;
  return { ...language, skipReason: isThere ? "" : ` (skipped: ${language.needs} is not installed)` };
});

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** A customer of an hour ago: units are there, no sender name is approved, and the only key is a test key. */
const test = base.extend<{ environment: Record<string, string>; url: string; userId: string; key: string }>({
  environment: { WEBHOOK_PRIVATE: "on" },
  url: async ({ app }, use) => await use(await app.listen({ host: "127.0.0.1", port: 0 })),
  userId: async ({ db }, use) => await use((await buildSender(db)).userId),
  key: async ({ deps, userId }, use) => {
    await use((await createApiKey(deps, userId, { name: "First", mode: "test" })).key);
  },
});

describe("a message is sent", () => {
  for (const { program, send, skipReason } of languages)
    test.skipIf(skipReason !== "")(
      `by ${send}, and once when it is run again${skipReason}`,
      async ({ db, url, key }) => {
        const run = async (secret: string) =>
          await promisify(execFile)(program, [join(folder, send)], {
            env: { PATH, SMS_API_URL: url, SMS_API_KEY: secret },
            timeout: 60_000,
          });
        for (let times = 0; times < 2; times += 1) {
          // Another exit status than 0 is thrown.
          const { stdout } = await run(key);
          const answer = JSON.parse(stdout.slice(stdout.indexOf("{"))) as SendAnswer;
          expect(answer.unitDetails).toMatchObject({ recipients: 2, charged: 6 });
          const { rows } = await db.query(`select message_id as "_id", sender_name as "senderName", body from message`);
          expect(rows).toEqual([
            { _id: answer.data._id, senderName: "AdaStores", body: "Your order 1042 is on its way." },
          ]);
        }
        await expect(run(`${key}x`)).rejects.toMatchObject({ code: expect.any(Number) as number });
      },
    );
});

type Running = { stop: () => Promise<void>; url: string };

async function startReceiver(program: string, file: string, secret: string): Promise<Running> {
  const port = await findFreePort();
  const path = join(folder, file);
  const args = program === "php" ? ["-q", "-S", `127.0.0.1:${port}`, path] : [path];
  const env = { PATH, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program, args, { env, stdio: "ignore" });
  started.push(child);
  const url = `http://127.0.0.1:${port}/`;
  await vi.waitFor(async () => await fetch(url, { method: "POST", body: "{}" }), { timeout: 30_000, interval: 50 });
  return {
    url,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

describe("a webhook is verified", () => {
  for (const { program, receive, skipReason } of languages) {
    if (receive === undefined) continue;
    test.skipIf(skipReason !== "")(
      `by ${receive}, and refused with another secret${skipReason}`,
      async ({ app, deps, databaseUrl, url, userId, key, onTestFinished }) => {
        const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
        const call = async <Data>(path: string, payload?: object): Promise<Data> => {
          const method = payload === undefined ? "GET" : "POST";
          const answer = await app.inject({ method, url: `/api/v1/${path}`, headers, ...(payload && { payload }) });
          return answer.json<{ data: Data }>().data;
        };
        const [secret, other] = ["a secret of twenty-four.", "another one of this size"].map(
          (words) => `whsec_${Buffer.from(words).toString("base64")}`,
        ) as [string, string];
        const receiver = await startReceiver(program, receive, secret);
        onTestFinished(receiver.stop);
        // The same address twice: what the second one is sent is signed with a secret that the receiver does not know.
        const ids: string[] = [];
        for (const each of [secret, other]) {
          const wish = { url: receiver.url, events: ["message.accepted"], secret: each };
          ids.push((await call<{ _id: string }>("webhooks", wish))._id);
        }
        const worker: WebhookWorker = await startWebhookWorker(deps, { databaseUrl });
        try {
          // The reference is in the event: letters of more than one byte are signed as they are written.
          const text = {
            senderName: "AdaStores",
            message: "On its way",
            phoneNo: "2348000000001",
            reference: "Ọ̀ṣun ₦5",
          };
          await fetch(`${url}/api/v1/messages`, { method: "POST", headers, body: JSON.stringify(text) });
          const attemptsOf = async (id: string | undefined) => await call<object[]>(`webhooks/${id}/attempts`);
          await vi.waitFor(
            async () => {
              expect(await attemptsOf(ids[0])).toMatchObject([{ type: "message.accepted", status: 204 }]);
              expect(await attemptsOf(ids[1])).toMatchObject([{ type: "message.accepted", status: 400 }]);
            },
            { timeout: 20_000, interval: 50 },
          );
          const { rows } = await deps.db.query("select from message where user_id = $1", [userId]);
          expect(rows).toHaveLength(1);
        } finally {
          await worker.stop();
        }
      },
    );
  }
});

describe("the client that customers install", () => {
  test("sends once for each key, follows what it sent, and is told refusals by their code", async ({
    db,
    url,
    key,
  }) => {
    const client = new Ewebal({ key, baseUrl: url });
    const order: Send = { senderName: "AdaStores", message: "On its way", phoneNo: ["2348000000001"] };
    const retries = Array.from({ length: 50 }, async () => {
      const { data } = await client.messages.send(order, { idempotencyKey: "order-9" });
      return data._id;
    });
    const [messageId = "", ...others] = new Set(await Promise.all(retries));
    expect(others).toEqual([]);
    expect((await db.query("select from message")).rowCount).toBe(1);
    expect((await client.messages.list({ limit: 1 }).take(5)).map(({ _id }) => _id)).toEqual([messageId]);
    expect(await client.messages.recipients(messageId).take(5)).toMatchObject([{ phoneNo: "2348000000001" }]);
    const refusal = async (phoneNo: string): Promise<unknown> =>
      await new Ewebal({ key, baseUrl: url, retriesMax: 0 }).messages
        .send({ ...order, phoneNo })
        .catch((reason: unknown) => reason);
    expect(await refusal("2348000000009")).toMatchObject({ status: 402, code: "LIMIT_REACHED" });
    expect(await refusal("2348000000010")).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfterSeconds: 1 });
    expect(await refusal("2348000000011")).toMatchObject({ status: 550, code: "NOT_SENDABLE" });
    expect(await refusal("123")).toMatchObject({
      status: 400,
      code: "VALIDATION",
      fields: expect.any(Object) as object,
    });

    const { _id: codeId } = await client.verifications.start({ to: "2348000000001", senderName: "AdaStores" });
    const wrong = client.verifications.check(codeId, "111111");
    await expect(wrong).rejects.toMatchObject({ code: "CODE_WRONG", body: { triesLeft: 4 } });
    await client.verifications.check(codeId, "000000");

    const catalogId = await client.catalogs.create({
      catalogName: "Buyers",
      code: "234",
      columns: [{ label: "Name" }],
    });
    const contacts = [{ phoneNo: "08030000001", fields: { name: "Ada" } }];
    expect(await client.catalogs.add(catalogId, { contacts })).toMatchObject({ added: 1, existing: 0 });
    const { _id: templateId } = await client.templates.create({ name: "Hello", message: "Dear {{name}}" });
    const tried = await client.messages.try({ senderName: "AdaStores", templateId, catalogId });
    expect(tried.unitDetails).toMatchObject({ recipients: 1, charged: 3 });
    await client.catalogs.delete(catalogId);
    await client.optOuts.add("2348030000009");
    expect(await client.optOuts.list().take(5)).toMatchObject([{ phoneNo: "2348030000009", source: "api" }]);
  });

  test("verifies what arrives", async ({ deps, databaseUrl, url, key, onTestFinished }) => {
    const client = new Ewebal({ key, baseUrl: url });
    const heard: { body: string; headers: Record<string, string> }[] = [];
    const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      heard.push({ body: await readText(request), headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    };
    const server = createServer((request, response) => void hear(request, response));
    onTestFinished(() => void server.close());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const hook = { url: `http://127.0.0.1:${port}/`, events: ["message.accepted" as const] };
    const { _id: webhookId, secret } = await client.webhooks.create(hook);
    const worker = await startWebhookWorker(deps, { databaseUrl });
    try {
      const { data } = await client.messages.send({ senderName: "AdaStores", message: "Hi", phoneNo: "2348000000001" });
      await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 20_000, interval: 50 });
      const [first] = heard as [(typeof heard)[number]];
      expect(await verifyWebhook({ ...first, secret })).toMatchObject({
        type: "message.accepted",
        mode: "test",
        data: { messageId: data._id },
      });
      const forged = { ...first, body: first.body.replace("test", "live") };
      await expect(verifyWebhook({ ...forged, secret })).rejects.toBeInstanceOf(WebhookSignatureError);
    } finally {
      await worker.stop();
    }
    await client.webhooks.delete(webhookId);
  });
});
