/** Sends a request as it is, however wrong, and reads what comes back. */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import type { FuzzRequest } from "./requests.ts";

export type Exchange = {
  /** Undefined when the connection ended without an answer. */
  status: number | undefined;
  type: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  ms: number;
  /** Why there is no answer. */
  error: string | undefined;
};

const BODY_BYTES_MAX = 8 * 1024 * 1024;
const SILENCE_MS_MAX = 30_000;
const SHOWN_BYTES_MAX = 6_000;
const bodiless = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]);
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

export async function exchange(origin: string, asked: FuzzRequest): Promise<Exchange> {
  const started = performance.now();
  const got = asked.isTruncated ? await sendPart(origin, asked) : await sendWhole(origin, asked);
  return { ...got, ms: performance.now() - started };
}

type Got = Omit<Exchange, "ms">;
const nothing = (error: string): Got => ({ status: undefined, type: "", headers: {}, body: "", error });

async function sendWhole(origin: string, { method, path, headers, body }: FuzzRequest): Promise<Got> {
  const { hostname, port, host } = new URL(origin);
  const written = [...headers];
  if (!headers.some(([name]) => name === "host")) written.push(["host", host]);
  if (body !== undefined || !bodiless.has(method)) written.push(["content-length", String(body?.length ?? 0)]);
  return await new Promise<Got>((resolve) => {
    const asked = request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: written.flat(),
      timeout: SILENCE_MS_MAX,
    });
    asked.on("error", (error) => resolve(nothing(error.message)));
    asked.on("timeout", () => asked.destroy(new Error("silence")));
    asked.on("upgrade", (_answer, socket) => {
      socket.destroy();
      resolve(nothing("upgraded"));
    });
    asked.on("response", (answer) => {
      const type = answer.headers["content-type"] ?? "";
      const told = { status: answer.statusCode, type, headers: answer.headers, error: undefined };
      // A stream of events has no end; that it began is the answer.
      if (type.startsWith("text/event-stream")) {
        resolve({ ...told, body: "" });
        asked.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        if (bytes < BODY_BYTES_MAX) chunks.push(chunk);
        bytes += chunk.length;
      });
      answer.on("error", (error) => resolve(nothing(error.message)));
      answer.on("end", () => resolve({ ...told, body: Buffer.concat(chunks).toString("utf8") }));
    });
    asked.end(body);
  });
}

/** Announces the whole body, sends half of it, and ends: there need be no answer. */
async function sendPart(origin: string, { method, path, headers, body = Buffer.alloc(0) }: FuzzRequest): Promise<Got> {
  const { hostname, port, host } = new URL(origin);
  const own = headers.filter(([name]) => name !== "host" && name !== "expect");
  const head = [`${method} ${path} HTTP/1.1`, `host: ${host}`, ...own.map(([name, value]) => `${name}: ${value}`)];
  head.push(`content-length: ${body.length + 1}`, "connection: close", "", "");
  return await new Promise<Got>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy(new Error("silence")));
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
    socket.on("error", (error) => resolve(nothing(error.message)));
    socket.on("close", () => {
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
      const [, told = ""] = answer.split("\r\n\r\n");
      resolve(
        status === undefined
          ? nothing("ended")
          : { status: Number(status), type: "", headers: {}, body: told, error: undefined },
      );
    });
    socket.end(Buffer.concat([Buffer.from(head.join("\r\n"), "latin1"), body.subarray(0, body.length / 2)]));
  });
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The request as a line for a shell. Of a long body the line holds the beginning, and says so. */
export function curlOf(origin: string, { method, path, headers, body }: FuzzRequest): string {
  const words = ["curl", "-sS", "-i", "--path-as-is", "-X", method, quote(`${origin}${path}`)];
  for (const [name, value] of headers) words.push("-H", quote(`${name}: ${value}`));
  if (body === undefined) return words.join(" ");
  const shown = body.subarray(0, SHOWN_BYTES_MAX).toString("base64");
  const rest = body.length > SHOWN_BYTES_MAX ? ` # the body has ${body.length} bytes, these are the first` : "";
  return `echo ${shown} | base64 -d | ${words.join(" ")} --data-binary @-${rest}`;
}
