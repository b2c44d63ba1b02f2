import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Carrier } from "./carrier.ts";
import type { PhoneMessage, PhoneSummary } from "./virtual-phones.ts";

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 100;
const CONNECTIONS_MAX = 50;

type Answer = {
  readonly status: number;
  readonly body: unknown;
};

/** Reads the virtual phones over HTTP; see the README for paths and shapes. Nothing can be changed by it. */
export function createControlServer(carrier: Carrier, token: string): Server {
  const server = createServer((request, response) => send(response, answer(carrier, token, request)));
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

/** @returns the port, once it listens. */
export function listenControl(server: Server, address: { host: string; port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen(address, () => {
    server.off("error", reject);
    resolve((server.address() as AddressInfo).port);
  });
  return promise;
}

function answer(carrier: Carrier, token: string, request: IncomingMessage): Answer {
  if (!isAuthorized(request.headers.authorization ?? "", token)) {
    return refusal(401, "AUTH_REQUIRED", "Bearer token missing or wrong");
  }
  if (request.method !== "GET") return refusal(405, "METHOD_NOT_ALLOWED", "Only GET");
  const url = URL.parse(request.url ?? "/", "http://simulator");
  if (url?.pathname === "/phones") return listPhones(carrier, url.searchParams);
  if (url?.pathname === "/stats") {
    const messagesKept = carrier.phones.messageCount;
    return { status: 200, body: { data: { ...carrier.counts, open: carrier.openCount, messagesKept } } };
  }
  const number = /^\/phones\/(\d{1,20})$/.exec(url?.pathname ?? "")?.[1];
  if (number === undefined) return refusal(404, "NOT_FOUND", "No such path");
  const messages = carrier.phones.listMessages(number);
  if (messages.length === 0) return refusal(404, "NOT_FOUND", "Nothing arrived at this number");
  return { status: 200, body: { data: { number, messages: messages.map(presentMessage) } } };
}

function listPhones(carrier: Carrier, query: URLSearchParams): Answer {
  const limit = Number(query.get("limit") ?? PAGE_SIZE_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_SIZE_MAX) {
    return refusal(400, "VALIDATION", `limit must be 1 to ${PAGE_SIZE_MAX}`);
  }
  const cursor = query.get("after");
  const after = cursor === null ? undefined : readCursor(cursor);
  if (cursor !== null && after === undefined) return refusal(400, "VALIDATION", "after is not a cursor of this list");
  const phones = carrier.phones.listPhones({ limit: limit + 1, ...(after === undefined ? {} : { after }) });
  const page = phones.slice(0, limit);
  const last = page.at(-1);
  const next = phones.length > limit && last !== undefined ? `${last.newest.receivedAtMs}-${last.newest.id}` : null;
  return { status: 200, body: { data: page.map(presentPhone), next } };
}

function readCursor(cursor: string): { receivedAtMs: number; id: number } | undefined {
  const match = /^(\d{1,15})-(\d{1,16})$/.exec(cursor);
  return match === null ? undefined : { receivedAtMs: Number(match[1]), id: Number(match[2]) };
}

function presentPhone({ number, messageCount, newest }: PhoneSummary): Record<string, unknown> {
  return { number, messageCount, newest: presentMessage(newest) };
}

function presentMessage({ id, sender, text, partCount, receivedAtMs }: PhoneMessage): Record<string, unknown> {
  return { id: String(id), sender, text, partCount, receivedAt: new Date(receivedAtMs).toISOString() };
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { message, code } };
}

function isAuthorized(header: string, token: string): boolean {
  // Of digests, as the comparison takes equal lengths only.
  return timingSafeEqual(digest(header), digest(`Bearer ${token}`));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}
