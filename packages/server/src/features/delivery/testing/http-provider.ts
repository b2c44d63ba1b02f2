import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { AddHttpCarrierBody } from "@ewebal/contract";
import { readCarriers, type HttpCarrierSettings } from "../../../base/config-readers.ts";

export type ProviderRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON or form. */
  fields: Record<string, string>;
};

/** Answers itself, or not at all. */
export type OnProviderRequest = (
  request: ProviderRequest,
  response: ServerResponse,
  raw: IncomingMessage,
) => void | Promise<void>;

/** A provider of SMS over HTTP: it remembers what it got, and answers as the test says. */
export class HttpProvider {
  readonly requests: ProviderRequest[] = [];
  /** Connections that were ever made to it, and the most requests that were under way at one time. */
  connectionCount = 0;
  mostUnderWay = 0;
  onRequest: OnProviderRequest;
  readonly #server: Server;
  #underWay = 0;

  constructor(onRequest: OnProviderRequest = accept) {
    this.onRequest = onRequest;
    this.#server = createServer((raw, response) => void this.#take(raw, response));
    this.#server.on("connection", () => (this.connectionCount += 1));
  }

  async listen(port = 0): Promise<this> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get phoneNos(): number[] {
    return this.requests.map(({ fields }) => Number(fields["to"]?.replace("+", "")));
  }

  get sortedPhoneNos(): number[] {
    return this.phoneNos.toSorted((one, other) => one - other);
  }

  /** As `CARRIERS` would have it. */
  settings(facts: Partial<AddHttpCarrierBody> = {}): HttpCarrierSettings {
    const [settings] = readCarriers(JSON.stringify([{ ...plainCarrier(this.port), ...facts }]));
    if (settings?.kind !== "http") throw new Error("a carrier over HTTP was wanted");
    return settings;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #take(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    raw.on("error", () => undefined);
    response.on("error", () => undefined).on("close", () => (this.#underWay -= 1));
    const parts: Buffer[] = [];
    for await (const part of raw as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const fields = (body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))) as Record<
      string,
      string
    >;
    const request = { method: raw.method ?? "", path: raw.url ?? "", headers: raw.headers, body, fields };
    this.requests.push(request);
    await this.onRequest(request, response, raw);
  }
}

/** The smallest carrier that has everything. */
export function plainCarrier(port: number): Partial<AddHttpCarrierBody> {
  return {
    kind: "http",
    name: "provider",
    url: `http://127.0.0.1:${port}/messages`,
    headers: { Authorization: "Bearer {{apiKey}}" },
    secrets: { apiKey: "s3cret-Key" },
    body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","reference":"{{id}}"}',
    success: { status: 200, path: "status", equals: "accepted" },
    idPath: "id",
    report: {
      path: "report-secret-1",
      idPath: "id",
      statePath: "status",
      toPath: "to",
      states: { delivered: "delivered", failed: "failed", blocked: "dnd" },
    },
    messagesPerSecond: 10_000,
    window: 10,
  };
}

/** @returns the id under which `accept` takes a number. */
export function idOf(phoneNo: number | string): string {
  return `P-${phoneNo}`;
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const accept: OnProviderRequest = ({ fields }, response) =>
  answerJson(response, 200, { status: "accepted", id: idOf(fields["to"] ?? "") });
