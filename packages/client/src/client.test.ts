/** The client against a server that fails in every way there is; the product itself is tried in `packages/e2e`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  CatalogAnswer,
  ContactAnswer,
  InboundAnswer,
  MessageAnswer,
  OptOutAnswer,
  programSendBody,
  RecipientAnswer,
  SendOrDryAnswer,
  StatementRow,
  TemplateAnswer,
} from "@ewebal/contract";
import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, test as base } from "vitest";
import type { z } from "zod";
import { buildClient } from "../build.ts";
import {
  ConnectionError,
  Ewebal,
  EwebalError,
  verifyWebhook,
  WebhookSignatureError,
  type Catalog,
  type Contact,
  type InboxMessage,
  type Message,
  type Movement,
  type OptOut,
  type Recipient,
  type Send,
  type Template,
  type TriedMessage,
} from "./index.ts";

type Seen = { method: string; url: string; key: string | undefined; authorization: string | undefined; body: string };
type Reply = { status: number; body?: object; headers?: Record<string, string> } | "hang up";

/** A server that gives these answers one after the other, and the calls that it saw. */
const test = base.extend<{ server: { url: string; seen: Seen[]; answer: (...replies: Reply[]) => void } }>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  server: async ({}, use) => {
    const seen: Seen[] = [];
    let replies: Reply[] = [];
    const server = createServer((request, response) => void handle(request, response));
    async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(chunks).toString();
      seen.push({
        method,
        url,
        key: headers["idempotency-key"] as string | undefined,
        authorization: headers.authorization,
        body,
      });
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (reply === undefined || reply === "hang up") return void request.socket.destroy();
      response
        .writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
        .end(JSON.stringify(reply.body ?? {}));
    }
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}`, seen, answer: (...next) => (replies = next) });
    server.closeAllConnections();
    server.close();
  },
});

const SEND: Send = { senderName: "Acme", message: "Hi", phoneNo: ["2348030000001"] };
const SENT = { message: "Message sent", data: { _id: "1" }, unitDetails: {} };
const clientOf = (server: { url: string }, options: object = {}): Ewebal =>
  new Ewebal({ key: "ewb_test_1", baseUrl: server.url, ...options });

describe("repeats", () => {
  test("a send that loses its connection, and 5xx, is repeated with the same key", async ({ server }) => {
    server.answer("hang up", { status: 502 }, { status: 200, body: SENT });
    expect(await clientOf(server).messages.send(SEND)).toEqual(SENT);
    const keys = new Set(server.seen.map(({ key }) => key));
    expect([server.seen.length, keys.size, server.seen[0]?.authorization]).toEqual([3, 1, "Bearer ewb_test_1"]);
    server.answer({ status: 200, body: SENT });
    await clientOf(server).messages.send(SEND, { idempotencyKey: "order-7" });
    expect(server.seen.at(-1)).toMatchObject({
      method: "POST",
      url: "/api/v1/messages",
      key: "order-7",
      body: JSON.stringify(SEND),
    });
  });

  test("Retry-After is waited for; one that is too long ends the call", async ({ server }) => {
    const refusal = { message: "Too many", code: "RATE_LIMITED" };
    server.answer({ status: 429, headers: { "retry-after": "1" }, body: refusal }, { status: 200, body: SENT });
    const begunAt = Date.now();
    await clientOf(server).messages.send(SEND);
    expect(Date.now() - begunAt).toBeGreaterThanOrEqual(1_000);
    server.answer({ status: 429, headers: { "retry-after": "3600" }, body: refusal });
    const error = await clientOf(server)
      .messages.send(SEND)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429, retryAfterSeconds: 3_600 });
    expect(server.seen).toHaveLength(3);
  });

  test("what has no key is repeated only when nothing was done", async ({ server }) => {
    const { templates, optOuts } = clientOf(server);
    for (const reply of ["hang up", { status: 502 }] as const) {
      server.answer(reply, { status: 201, body: { data: {} } });
      await expect(templates.create({ name: "A", message: "B" })).rejects.toBeInstanceOf(Error);
      expect(server.seen.splice(0)).toHaveLength(1);
    }
    server.answer({ status: 503, headers: { "retry-after": "0" } }, { status: 201, body: { data: { name: "A" } } });
    expect(await templates.create({ name: "A", message: "B" })).toEqual({ name: "A" });
    server.answer("hang up", { status: 200, body: { data: [], next: null } });
    expect(await optOuts.list().take(5)).toEqual([]);
  });

  test("other refusals are told at once, with code, fields and the id for support", async ({ server }) => {
    const body = {
      message: "Some fields",
      code: "VALIDATION",
      fields: { "recipients.0.to": "is too short" },
      requestId: "r1",
    };
    server.answer({ status: 400, body });
    const error = await clientOf(server)
      .messages.send(SEND)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EwebalError);
    expect(error).toMatchObject({ ...body, status: 400, body });
    expect(server.seen).toHaveLength(1);
  });

  test("without an answer the error carries the key; a signal and a time limit end the wait", async ({ server }) => {
    server.answer("hang up");
    const error = await clientOf(server, { retriesMax: 0 })
      .messages.send(SEND, { idempotencyKey: "order-8" })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ idempotencyKey: "order-8" });
    const controller = new AbortController();
    const slow = clientOf(server, {
      fetch: async (_url: unknown, { signal }: RequestInit) =>
        await new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
    });
    const waiting = slow.messages.send(SEND, { signal: controller.signal });
    controller.abort(new Error("the shop closes"));
    await expect(waiting).rejects.toThrow("the shop closes");
    const hasty = clientOf(server, {
      timeoutMs: 20,
      retriesMax: 0,
      fetch: async (_url: unknown, { signal }: RequestInit) =>
        await new Promise((_resolve, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason as Error)),
        ),
    });
    await expect(hasty.account.balance()).rejects.toThrow("No answer within 20 ms");
  });
});

test("503 with dnd is a send that left numbers out", async ({ server }) => {
  server.answer({ status: 503, body: { ...SENT, dnd: true } });
  expect(await clientOf(server).messages.send(SEND)).toMatchObject({ dnd: true });
  expect(server.seen).toHaveLength(1);
});

test("a list is walked through by its cursors", async ({ server }) => {
  server.answer({ status: 200, body: { data: [1, 2], next: "b c" } }, { status: 200, body: { data: [3], next: null } });
  const rows = await clientOf(server).messages.list({ limit: 2, state: "done" }).take(9);
  expect(rows).toEqual([1, 2, 3]);
  expect(server.seen.map(({ url }) => url)).toEqual([
    "/api/v1/messages?limit=2&state=done",
    "/api/v1/messages?limit=2&state=done&after=b+c",
  ]);
});

describe("webhooks", () => {
  const secret = `whsec_${Buffer.from("a secret of twenty-four.").toString("base64")}`;
  const other = `whsec_${Buffer.from("another one of this size").toString("base64")}`;
  const body = JSON.stringify({
    type: "inbox.received",
    timestamp: "2026-11-25T10:00:00Z",
    mode: "live",
    data: { text: "ü" },
  });
  const now = new Date("2026-11-25T10:00:05Z");
  const headersOf = (by: string, at = now): Record<string, string> => ({
    "Webhook-Id": "msg_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(by).sign("msg_1", at, body),
  });

  test("what the specification's own library signs is verified, by any of several secrets", async () => {
    expect(await verifyWebhook({ body, headers: headersOf(secret), secret, now })).toMatchObject({
      id: "msg_1",
      type: "inbox.received",
    });
    expect(
      await verifyWebhook({
        body: Buffer.from(body),
        headers: new Headers(headersOf(secret)),
        secret: [other, secret],
        now,
      }),
    ).toMatchObject({ id: "msg_1" });
    const both = `${headersOf(other)["webhook-signature"]} ${headersOf(secret)["webhook-signature"]}`;
    expect(
      await verifyWebhook({ body, headers: { ...headersOf(secret), "webhook-signature": both }, secret, now }),
    ).toMatchObject({ id: "msg_1" });
  });

  test("another secret, another body, another id, an old one and a broken one are refused", async () => {
    const old = new Date(now.getTime() - 301_000);
    for (const wrong of [
      { headers: headersOf(other) },
      { body: body.replace("ü", "u") },
      { headers: { ...headersOf(secret), "Webhook-Id": "msg_2" } },
      { headers: headersOf(secret, old) },
      { headers: { ...headersOf(secret), "webhook-timestamp": "soon" } },
      { headers: { ...headersOf(secret), "webhook-signature": "v1,%%% v2,abc v1" } },
      { headers: {} },
      { secret: "whsec_%" },
    ])
      await expect(verifyWebhook({ body, headers: headersOf(secret), secret, now, ...wrong })).rejects.toBeInstanceOf(
        WebhookSignatureError,
      );
  });
});

test("its types are the contract's", () => {
  expectTypeOf<MessageAnswer>().toExtend<Message>();
  expectTypeOf<RecipientAnswer>().toExtend<Recipient>();
  expectTypeOf<CatalogAnswer>().toExtend<Catalog>();
  expectTypeOf<ContactAnswer>().toExtend<Contact>();
  expectTypeOf<TemplateAnswer>().toExtend<Template>();
  expectTypeOf<OptOutAnswer>().toExtend<OptOut>();
  expectTypeOf<InboundAnswer>().toExtend<InboxMessage>();
  expectTypeOf<StatementRow>().toExtend<Movement>();
  expectTypeOf<SendOrDryAnswer>().toExtend<TriedMessage>();
  expectTypeOf<Send>().toExtend<z.input<typeof programSendBody>>();
  expectTypeOf<Exclude<keyof z.input<typeof programSendBody>, "dryRun">>().toEqualTypeOf<keyof Send>();
});

test("the folder that is published needs nothing of this workspace", async () => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  try {
    buildClient(folder);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
    expect([manifest["name"], manifest["dependencies"]]).toEqual(["@ewebal/client", undefined]);
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    const modules = ["client", "errors", "index", "list", "requests", "types", "webhooks"];
    expect(files.map(({ path }) => path).toSorted()).toEqual(
      ["package.json", "README.md", ...modules.flatMap((name) => [`${name}.d.ts`, `${name}.js`])].toSorted(),
    );
    expect(manifest).toMatchObject({ type: "module", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string });
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    for (const name of scripts)
      for (const [, source] of readFileSync(join(folder, name), "utf8").matchAll(/from "([^"]+)"/g))
        expect(source).toMatch(/^\.\/[a-z]+\.js$/);
    const built = (await import(pathToFileURL(join(folder, "index.js")).href)) as { Ewebal: unknown };
    expect(built.Ewebal).toBeTypeOf("function");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
