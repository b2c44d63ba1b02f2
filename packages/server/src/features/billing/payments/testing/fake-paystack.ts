/**
 * Plays Paystack on a loopback port, from its published API and strictly: what the real one would refuse is refused here. Its
 * bad days (slow answers, broken answers, amounts as text, wrong modes) are switched on by tests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { signBody } from "../paystack/paystack-client.ts";

export const FAKE_SECRET_KEY = "sk_test_fake";

type FakeTransaction = Record<string, unknown> & { reference: string; amount: number | string; status: string };

export type FakePaystack = {
  url: string;
  /** `POST /transaction/initialize` and so on, in order. */
  calls: string[];
  transactions: Map<string, FakeTransaction>;
  /** The customer pays; facts overwrite what the provider then says. */
  pay: (reference: string, facts?: Record<string, unknown>) => void;
  /** The next calls are answered by this instead; it may never answer. */
  misbehave: (handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined) => void;
  /** An event as it is sent: bytes and signature. */
  event: (event: string, data: unknown) => { payload: string; headers: Record<string, string> };
  close: () => Promise<void>;
};

export async function startFakePaystack(): Promise<FakePaystack> {
  const calls: string[] = [];
  const transactions = new Map<string, FakeTransaction>();
  let misbehaviour: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    if (misbehaviour !== undefined) misbehaviour(request, response);
    else void answer(request, response, transactions);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    transactions,
    pay: (reference, facts = {}) => {
      const transaction = transactions.get(reference);
      if (transaction === undefined) throw new Error(`The fake provider has no ${reference}`);
      const paid = {
        status: "success",
        paid_at: new Date().toISOString(),
        channel: "card",
        gateway_response: "Successful",
      };
      transactions.set(reference, Object.assign(transaction, paid, facts));
    },
    misbehave: (handler) => (misbehaviour = handler),
    event: (event, data) => {
      // With the spaces and the odd number that a body which is parsed and written again would lose.
      const payload = JSON.stringify({ event, data }, undefined, 1).replace(/"fees": 0\b/, '"fees": 0.0');
      const signature = signBody(FAKE_SECRET_KEY, Buffer.from(payload));
      return { payload, headers: { "content-type": "application/json", "x-paystack-signature": signature } };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  transactions: Map<string, FakeTransaction>,
): Promise<void> {
  if (request.headers.authorization !== `Bearer ${FAKE_SECRET_KEY}`)
    return send(response, 401, { status: false, message: "Invalid key" });
  const [, reference] = /^\/transaction\/verify\/([^/?]+)$/.exec(request.url ?? "") ?? [];
  if (request.method === "GET" && reference !== undefined) {
    const data = transactions.get(decodeURIComponent(reference));
    if (data === undefined)
      return send(response, 400, {
        status: false,
        message: "Transaction reference not found.",
        code: "transaction_not_found",
      });
    return send(response, 200, { status: true, message: "Verification successful", data });
  }
  if (request.method === "POST" && request.url === "/transaction/initialize")
    return await initialize(request, response, transactions);
  send(response, 404, { status: false, message: "Entity not found" });
}

async function initialize(
  request: IncomingMessage,
  response: ServerResponse,
  transactions: Map<string, FakeTransaction>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
  const { email, amount, reference, currency, callback_url: callbackUrl } = body;
  const isValid =
    typeof email === "string" &&
    email.includes("@") &&
    Number.isSafeInteger(amount) &&
    typeof reference === "string" &&
    currency === "NGN";
  if (!isValid || !/^[A-Za-z0-9.=-]+$/.test(reference) || !URL.canParse(String(callbackUrl))) {
    return send(response, 400, {
      status: false,
      message: "Invalid parameters",
      type: "validation_error",
      code: "invalid_params",
    });
  }
  if (transactions.has(reference)) {
    return send(response, 400, {
      status: false,
      message: "Duplicate Transaction Reference",
      type: "validation_error",
      code: "duplicate_reference",
    });
  }
  transactions.set(reference, {
    id: 1_000 + transactions.size,
    domain: "test",
    status: "abandoned",
    reference,
    amount: amount as number,
    requested_amount: amount,
    currency,
    metadata: "",
    fees: 0,
    plan_object: {},
    customer: { email },
    callback_url: callbackUrl,
  });
  const address = `http://${request.headers.host ?? ""}/checkout/${reference}`;
  const data = { authorization_url: address, access_code: "code", reference };
  send(response, 200, { status: true, message: "Authorization URL created", data });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
