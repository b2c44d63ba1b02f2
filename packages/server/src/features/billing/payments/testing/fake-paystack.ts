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
  /** What a kept card answers to charges from now on; `success` at first. */
  chargesAre: (status: string) => void;
  /** Account numbers by the customer's e-mail. */
  accounts: Map<string, string>;
  /** Money arrives at an account number. @returns what the provider then says of it. */
  transfer: (accountNumber: string, facts?: Record<string, unknown>) => FakeTransaction;
  /** The next calls are answered by this instead; it may never answer. */
  misbehave: (handler: ((request: IncomingMessage, response: ServerResponse) => void) | undefined) => void;
  /** An event as it is sent: bytes and signature. */
  event: (event: string, data: unknown) => { payload: string; headers: Record<string, string> };
  close: () => Promise<void>;
};

export async function startFakePaystack(): Promise<FakePaystack> {
  const calls: string[] = [];
  const transactions = new Map<string, FakeTransaction>();
  const cards = { status: "success" };
  const accounts = new Map<string, string>();
  let misbehaviour: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    if (misbehaviour !== undefined) misbehaviour(request, response);
    else void answer(request, response, { transactions, cards, accounts });
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
        authorization: authorizationOf(reference),
      };
      transactions.set(reference, Object.assign(transaction, paid, facts));
    },
    accounts,
    transfer: (accountNumber, facts = {}) => {
      const reference = `T${String(transactions.size).padStart(12, "0")}`;
      const transaction: FakeTransaction = {
        id: 5_000 + transactions.size,
        domain: "test",
        status: "success",
        reference,
        amount: 1_000_000,
        requested_amount: 1_000_000,
        fees: 10_000,
        currency: "NGN",
        channel: "dedicated_nuban",
        metadata: { receiver_account_number: accountNumber, receiver_bank: "Test Bank" },
        authorization: { channel: "dedicated_nuban", reusable: false, receiver_bank_account_number: accountNumber },
        created_at: new Date().toISOString(),
        ...facts,
      };
      transactions.set(transaction.reference, transaction);
      return transaction;
    },
    chargesAre: (status) => (cards.status = status),
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

type FakeState = {
  transactions: Map<string, FakeTransaction>;
  cards: { status: string };
  accounts: Map<string, string>;
};

function authorizationOf(reference: string): Record<string, unknown> {
  const card = {
    bin: "408408",
    last4: "4081",
    exp_month: "12",
    exp_year: "2030",
    card_type: "visa ",
    bank: "TEST BANK",
  };
  return {
    ...card,
    authorization_code: `AUTH_${reference}`,
    channel: "card",
    brand: "visa",
    reusable: true,
    account_name: null,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { transactions, cards, accounts }: FakeState,
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
  if (request.method === "POST" && request.url === "/transaction/charge_authorization")
    return await charge(request, response, { transactions, cards });
  const { pathname, searchParams } = new URL(request.url ?? "", "http://fake.invalid");
  if (pathname === "/transaction" && request.method === "GET") {
    const [perPage, page] = [Number(searchParams.get("perPage")), Number(searchParams.get("page"))];
    const paid = [...transactions.values()].filter(({ status }) => status === searchParams.get("status")).toReversed();
    const data = paid.slice((page - 1) * perPage, page * perPage);
    return send(response, 200, { status: true, message: "Transactions retrieved", data, meta: { total: paid.length } });
  }
  if (pathname === "/customer" || pathname === "/dedicated_account")
    return await answerAccounts(request, response, { accounts, customer: searchParams.get("customer") });
  send(response, 404, { status: false, message: "Entity not found" });
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
}

/** A customer's number is the length of the e-mail: enough for the few of a test. */
async function answerAccounts(
  request: IncomingMessage,
  response: ServerResponse,
  { accounts, customer }: { accounts: Map<string, string>; customer: string | null },
): Promise<void> {
  const present = ([email, accountNumber]: [string, string]) => ({
    bank: { name: "Test Bank", id: 24, slug: "test-bank" },
    account_name: `EWEBAL / ${email}`,
    account_number: accountNumber,
    assigned: true,
    active: true,
  });
  if (request.method === "GET") {
    const data = [...accounts].filter(([email]) => String(email.length) === customer).map(present);
    return send(response, 200, { status: true, message: "Managed accounts successfully retrieved", data });
  }
  const body = await readBody(request);
  if (request.url === "/customer") {
    const email = String(body["email"]);
    return send(response, 200, { status: true, data: { email, id: email.length, customer_code: `CUS_${email}` } });
  }
  const email = String(body["customer"]).slice("CUS_".length);
  if (body["preferred_bank"] !== "test-bank" || accounts.has(email))
    return send(response, 400, { status: false, message: "Dedicated NUBAN is not available for your business" });
  accounts.set(email, `99${String(10_000_000 + accounts.size)}`);
  send(response, 200, {
    status: true,
    message: "NUBAN successfully created",
    data: present([email, accounts.get(email) ?? ""]),
  });
}

/** An authorization is bound to the e-mail of the payment that gave it, and a reference is taken once. */
async function charge(
  request: IncomingMessage,
  response: ServerResponse,
  { transactions, cards }: Pick<FakeState, "transactions" | "cards">,
): Promise<void> {
  const { email, amount, reference, currency, authorization_code: code } = await readBody(request);
  const card = transactions.get(String(code).replace(/^AUTH_/, ""));
  const { email: owner } = (card?.["customer"] ?? {}) as { email?: unknown };
  if (card?.status !== "success" || owner !== email || !Number.isSafeInteger(amount) || currency !== "NGN")
    return send(response, 400, { status: false, message: "Invalid authorization code", code: "invalid_params" });
  if (typeof reference !== "string" || transactions.has(reference))
    return send(response, 400, {
      status: false,
      message: "Duplicate Transaction Reference",
      code: "duplicate_reference",
    });
  const data: FakeTransaction = {
    id: 1_000 + transactions.size,
    domain: "test",
    status: cards.status,
    reference,
    amount: amount as number,
    currency,
    channel: "card",
    fees: 0,
    customer: { email },
    authorization: authorizationOf(card.reference),
  };
  transactions.set(reference, data);
  send(response, 200, { status: true, message: "Charge attempted", data });
}

async function initialize(
  request: IncomingMessage,
  response: ServerResponse,
  transactions: Map<string, FakeTransaction>,
): Promise<void> {
  const { email, amount, reference, currency, callback_url: callbackUrl } = await readBody(request);
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
