/**
 * Plays the card provider's API for our own client, from rows instead of over the network, so that whoever asks (a web
 * process, a worker) gets the same answers, also after a restart.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Deps } from "../../../../base/deps.ts";
import { AppError } from "../../../../base/errors.ts";
import type { Queryable } from "../../../../db/pool.ts";
import { answerAccounts } from "./sandbox-accounts.ts";
import { ACCOUNT_CHANNEL } from "../paystack/paystack-answers.ts";
import type { Transport } from "../paystack/paystack-client.ts";
import {
  decideSandboxTransaction,
  findSandboxByAccessCode,
  findSandboxByReference,
  insertSandboxTransaction,
  selectPaidSandboxTransactions,
  type SandboxTransaction,
} from "./sandbox-store.ts";

type SandboxDeps = Pick<Deps, "config" | "db" | "clock">;

const initializeSchema = z.object({
  email: z.email(),
  amount: z.int().min(1),
  currency: z.literal("NGN"),
  reference: z.string().regex(/^[A-Za-z0-9.=-]+$/),
  callback_url: z.url(),
});

/** A card is known by the checkout that it paid. */
const AUTHORIZATION = /^AUTH_([0-9a-f]{24})$/;

const chargeSchema = initializeSchema
  .omit({ callback_url: true })
  .extend({ authorization_code: z.string().regex(AUTHORIZATION) });

export function sandboxTransport(deps: SandboxDeps, secretKey: string): Transport {
  return async (address, init) => {
    const { pathname, searchParams } = new URL(address);
    if (new Headers(init.headers).get("authorization") !== `Bearer ${secretKey}`) return refuse(401, "Invalid key");
    if (init.method === "POST" && pathname === "/transaction/initialize") return await initialize(deps, init.body);
    if (init.method === "POST" && pathname === "/transaction/charge_authorization")
      return await charge(deps, init.body);
    if (init.method === "GET" && pathname === "/transaction") return await list(deps, searchParams);
    const accounts = await answerAccounts(deps, { method: init.method, pathname, searchParams, body: init.body });
    if (accounts !== undefined) return accounts;
    const [, reference] = /^\/transaction\/verify\/([^/]+)$/.exec(pathname) ?? [];
    if (init.method === "GET" && reference !== undefined) return await verify(deps, decodeURIComponent(reference));
    return refuse(404, "Entity not found");
  };
}

async function initialize({ config, db, clock }: SandboxDeps, body: RequestInit["body"]): Promise<Response> {
  const request = initializeSchema.safeParse(typeof body === "string" ? JSON.parse(body) : undefined);
  if (!request.success) return refuse(400, "Invalid parameters", "invalid_params");
  const { email, amount, reference, callback_url: callbackUrl } = request.data;
  const accessCode = randomBytes(12).toString("hex");
  const isNew = await insertSandboxTransaction(db, {
    accessCode,
    reference,
    email,
    amountKobo: amount,
    callbackUrl,
    status: "abandoned",
    createdAt: clock.now(),
    paidAt: null,
  });
  if (!isNew) return refuse(400, "Duplicate Transaction Reference", "duplicate_reference");
  const data = {
    authorization_url: `${config.publicUrl}/sandbox-checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  };
  return Response.json({ status: true, message: "Authorization URL created", data });
}

/** A kept card: it pays, or is declined when its owner chose that on the checkout page. */
async function charge({ config, db, clock }: SandboxDeps, body: RequestInit["body"]): Promise<Response> {
  const request = chargeSchema.safeParse(typeof body === "string" ? JSON.parse(body) : undefined);
  if (!request.success) return refuse(400, "Invalid parameters", "invalid_params");
  const { email, amount, reference, authorization_code: code } = request.data;
  const card = await findSandboxByAccessCode(db, AUTHORIZATION.exec(code)?.[1] ?? "");
  // As with the provider, the authorization belongs to the e-mail that it was given for.
  if (card?.status !== "success" || card.email !== email) return refuse(400, "Invalid authorization code");
  const now = clock.now();
  const transaction: SandboxTransaction = {
    accessCode: randomBytes(12).toString("hex"),
    reference,
    email,
    amountKobo: amount,
    callbackUrl: config.publicUrl,
    status: card.declinesLater ? "failed" : "success",
    createdAt: now,
    paidAt: card.declinesLater ? null : now,
    declinesLater: card.declinesLater,
    accountNumber: null,
    feeKobo: 0,
  };
  if (!(await insertSandboxTransaction(db, transaction)))
    return refuse(400, "Duplicate Transaction Reference", "duplicate_reference");
  const data = { ...presentSandboxTransaction(transaction), authorization: authorizationOf(card.accessCode) };
  return Response.json({ status: true, message: "Charge attempted", data });
}

async function list({ db }: SandboxDeps, search: URLSearchParams): Promise<Response> {
  const limit = Number(search.get("perPage") ?? 50);
  const offset = (Number(search.get("page") ?? 1) - 1) * limit;
  const rows = await selectPaidSandboxTransactions(db, { from: new Date(search.get("from") ?? 0), limit, offset });
  const message = "Transactions retrieved";
  return Response.json({ status: true, message, data: rows.map(presentSandboxTransaction) });
}

async function verify({ db }: SandboxDeps, reference: string): Promise<Response> {
  const transaction = await findSandboxByReference(db, reference);
  if (transaction === undefined) return refuse(400, "Transaction reference not found.", "transaction_not_found");
  return Response.json({
    status: true,
    message: "Verification successful",
    data: presentSandboxTransaction(transaction),
  });
}

/** As the provider describes a transaction, in its answers and its events. */
export function presentSandboxTransaction(transaction: SandboxTransaction): Record<string, unknown> {
  const { reference, amountKobo, status, email, paidAt, createdAt, accountNumber, feeKobo } = transaction;
  const card = status === "success" ? authorizationOf(transaction.accessCode) : {};
  return {
    id: Number.parseInt(transaction.accessCode.slice(0, 8), 16),
    domain: "test",
    status,
    reference,
    amount: amountKobo,
    requested_amount: amountKobo,
    currency: "NGN",
    channel: accountNumber === null ? "card" : ACCOUNT_CHANNEL,
    fees: feeKobo,
    gateway_response: status === "failed" ? "Declined" : "Successful",
    paid_at: paidAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    metadata: "",
    customer: { email },
    authorization:
      accountNumber === null
        ? card
        : { channel: ACCOUNT_CHANNEL, reusable: false, receiver_bank_account_number: accountNumber },
  };
}

function authorizationOf(accessCode: string): Record<string, unknown> {
  return {
    authorization_code: `AUTH_${accessCode}`,
    bin: "408408",
    last4: "4081",
    exp_month: "12",
    exp_year: "2030",
    channel: "card",
    card_type: "visa",
    brand: "visa",
    reusable: true,
  };
}

/** @throws AppError `NOT_FOUND`. */
export async function getTransaction(db: Queryable, accessCode: string): Promise<SandboxTransaction> {
  const transaction = await findSandboxByAccessCode(db, accessCode);
  if (transaction === undefined) throw new AppError("NOT_FOUND");
  return transaction;
}

/** A person chose on the checkout page. A paid transaction stays paid. @returns whether something changed. */
export async function decideTransaction(
  db: Queryable,
  accessCode: string,
  decision: { status: "failed" | "success"; declinesLater: boolean; now: Date },
): Promise<boolean> {
  return await decideSandboxTransaction(db, accessCode, decision);
}

function refuse(status: number, message: string, code?: string): Response {
  return Response.json(
    { status: false, message, ...(code !== undefined && { type: "validation_error", code }) },
    { status },
  );
}
