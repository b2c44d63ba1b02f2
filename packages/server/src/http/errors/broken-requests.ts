/**
 * Requests that no route ever sees: an address that cannot be read, HTTP that is none, a body that is too long. Their answers
 * have the shape of all refusals and repeat nothing of the request, because the GET form carries a password in its address.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { errorTable, type ErrorCode } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";

/** For answers that are written before the hooks that add the headers of all others. */
export const bareHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const;

/** Node's own errors about a connection, by their codes. */
const connectionCodes: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "TOO_SLOW",
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
};

/** Answers what is no HTTP, or did not become a request in time, and ends the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const code = connectionCodes[error.code ?? ""] ?? "VALIDATION";
  const { status } = errorTable[code];
  const message = code === "VALIDATION" ? "This is not a request that can be read" : errorTable[code].message;
  const body = JSON.stringify({ message, code });
  const headers = {
    ...bareHeaders,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write(`HTTP/1.1 ${status} Refused\r\n${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Of a refused body: this much is read and thrown away, so that its sender comes to read the answer. */
const DRAINED_BYTES_MAX = 32 * 1024 * 1024;
const DRAINED_MS_MAX = 10_000;

/**
 * Reads the rest of a body that is too long and forgets it. A connection that ends while its client still writes is a broken
 * connection to that client, and the refusal is never read.
 */
export async function drainBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAINED_MS_MAX);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", stop).once("close", stop).once("error", stop);
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > DRAINED_BYTES_MAX) stop();
    });
  });
  request.pause();
}

/** A call without fields takes no body, or an object that says nothing; a list, a text or a number is a mistake of its caller. */
export function refuseOddBodies(app: App): void {
  app.addHook("preValidation", async ({ body, routeOptions }: FastifyRequest) => {
    if (routeOptions.schema?.body !== undefined || body === undefined || body === null || Buffer.isBuffer(body)) return;
    if (typeof body !== "object" || Array.isArray(body))
      throw new AppError("VALIDATION", { fields: { body: "takes no such body" } });
  });
}
