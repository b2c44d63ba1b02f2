// The samples that the API page offers, run as they are against a listening server. A language that is not installed is skipped, and says so.
import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
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
          (text) => `whsec_${Buffer.from(text).toString("base64")}`,
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
