/**
 * A proxy before the web hosts of an installation, as a program of its own: `web-proxy.ts ADDRESS PORT URL...`. It asks the hosts in
 * turn and adds `X-Forwarded-For`. A host that cannot be reached is passed over for a while; what one host may have taken is never given to
 * another: the caller is told 504 and asks again.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";

const CONNECT_WITHIN_MS = 500;
const ANSWER_WITHIN_MS = 5_000;
const PASSED_OVER_MS = 3_000;

const [, , address = "127.0.0.1", port = "0", ...urls] = process.argv;
const hosts = urls.map((url) => ({ url, passedOverUntilMs: 0 }));
let turn = 0;

createServer((incoming, answer) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => pass(incoming, Buffer.concat(chunks), answer, hosts.length));
}).listen(Number(port), address);

function pass(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, triesLeft: number): void {
  const host = nextHost();
  if (host === undefined || triesLeft === 0) {
    answer.writeHead(502).end();
    return;
  }
  const outgoing = request(new URL(incoming.url ?? "/", host.url), {
    method: incoming.method ?? "GET",
    headers: { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "" },
    agent: false,
  });
  let isConnected = false;
  let isAnswered = false;
  const connectTimer = setTimeout(() => outgoing.destroy(new Error("not reached in time")), CONNECT_WITHIN_MS);
  const answerTimer = setTimeout(() => outgoing.destroy(new Error("not answered in time")), ANSWER_WITHIN_MS);
  outgoing.once("socket", (socket) =>
    socket.once("connect", () => {
      isConnected = true;
      clearTimeout(connectTimer);
    }),
  );
  outgoing.once("response", (incomingAnswer) => {
    isAnswered = true;
    clearTimeout(answerTimer);
    answer.writeHead(incomingAnswer.statusCode ?? 502, incomingAnswer.headers);
    incomingAnswer.on("error", () => answer.destroy());
    incomingAnswer.pipe(answer);
  });
  outgoing.once("close", () => {
    clearTimeout(connectTimer);
    clearTimeout(answerTimer);
  });
  outgoing.on("error", () => {
    if (isAnswered) answer.destroy();
    else if (isConnected) answer.writeHead(504).end();
    else {
      host.passedOverUntilMs = Date.now() + PASSED_OVER_MS;
      pass(incoming, body, answer, triesLeft - 1);
    }
  });
  answer.on("close", () => outgoing.destroy());
  outgoing.end(body);
}

/** @returns undefined when all are passed over. */
function nextHost(): (typeof hosts)[number] | undefined {
  for (let tried = 0; tried < hosts.length; tried += 1) {
    turn = (turn + 1) % hosts.length;
    const host = hosts[turn];
    if (host !== undefined && host.passedOverUntilMs <= Date.now()) return host;
  }
  return undefined;
}
