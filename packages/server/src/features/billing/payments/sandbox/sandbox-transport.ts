/**
 * Plays the card provider's API for our own client, from rows instead of over the network, so that whoever asks (a web
 * process, a worker) gets the same answers, also after a restart.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Deps } from "../../../../base/deps.ts";
import { AppError } from "../../../../base/errors.ts";
import type { Queryable } from "../../../../db/pool.ts";
import type { Transport } from "../paystack/paystack-client.ts";
import {
  decideSandboxTransaction,
  findSandboxByAccessCode,
  findSandboxByReference,
  insertSandboxTransaction,
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

export function sandboxTransport(deps: SandboxDeps, secretKey: string): Transport {
  return async (address, init) => {
    const { pathname } = new URL(address);
    if (new Headers(init.headers).get("authorization") !== `Bearer ${secretKey}`) return refuse(401, "Invalid key");
    if (init.method === "POST" && pathname === "/transaction/initialize") return await initialize(deps, init.body);
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
    createdAt: clock.now(),
  });
  if (!isNew) return refuse(400, "Duplicate Transaction Reference", "duplicate_reference");
  const data = {
    authorization_url: `${config.publicUrl}/sandbox-checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  };
  return Response.json({ status: true, message: "Authorization URL created", data });
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
  const { reference, amountKobo, status, email, paidAt, createdAt } = transaction;
  return {
    id: Number.parseInt(transaction.accessCode.slice(0, 8), 16),
    domain: "test",
    status,
    reference,
    amount: amountKobo,
    requested_amount: amountKobo,
    currency: "NGN",
    channel: "card",
    gateway_response: status === "failed" ? "Declined" : "Successful",
    paid_at: paidAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
    metadata: "",
    customer: { email },
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
  status: "failed" | "success",
  now: Date,
): Promise<boolean> {
  return await decideSandboxTransaction(db, accessCode, status, now);
}

function refuse(status: number, message: string, code?: string): Response {
  return Response.json(
    { status: false, message, ...(code !== undefined && { type: "validation_error", code }) },
    { status },
  );
}
