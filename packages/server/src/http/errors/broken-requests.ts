/**
 * Requests that reach no route: an unreadable address, invalid HTTP, a body that is too long. Their answers look like
 * all refusals and repeat nothing of the request, because the GET form carries a password in its address.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { errorTable, type ErrorCode } from "@ewebal/contract";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { App } from "../app-type.ts";

/** Headers of answers that are written before the hooks which add them to all other answers. */
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

/** Answers invalid HTTP and requests that arrive too slowly, and ends the connection. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const code = connectionCodes[error.code ?? ""] ?? "VALIDATION";
  const { status } = errorTable[code];
  const message = code === "VALIDATION" ? "The request could not be read" : errorTable[code].message;
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

/** This much of a refused body is read and discarded, so that the sender goes on to read the answer. */
const DRAINED_BYTES_MAX = 32 * 1024 * 1024;
const DRAINED_MS_MAX = 10_000;

/**
 * Reads and discards the rest of a body that is too long. A client that still writes when the connection ends reports a
 * broken connection and never reads the refusal.
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

/** A call without fields accepts no body or an empty object; a list, a text or a number is a mistake of the caller. */
export function refuseOddBodies(app: App): void {
  app.addHook("preValidation", async ({ body, routeOptions }: FastifyRequest) => {
    if (routeOptions.schema?.body !== undefined || body === undefined || body === null || Buffer.isBuffer(body)) return;
    if (typeof body !== "object" || Array.isArray(body))
      throw new AppError("VALIDATION", { fields: { body: "must be empty or an object" } });
  });
}
