/** Plays the provider's calls about account numbers, and a transfer to one. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import type { Deps } from "../../../../base/deps.ts";
import { AppError } from "../../../../base/errors.ts";
import type { Queryable } from "../../../../db/pool.ts";
import {
  findSandboxAccount,
  insertSandboxAccount,
  insertSandboxTransaction,
  type SandboxAccount,
  type SandboxTransaction,
} from "./sandbox-store.ts";

const customerSchema = z.object({ email: z.email(), first_name: z.string(), last_name: z.string(), phone: z.string() });
const accountSchema = z.object({ customer: z.string(), preferred_bank: z.string() });

type Call = { method: string | undefined; pathname: string; searchParams: URLSearchParams; body: RequestInit["body"] };

/** @returns undefined for other calls. */
export async function answerAccounts(
  { db, config }: Pick<Deps, "db" | "config">,
  { method, pathname, searchParams, body }: Call,
): Promise<Response | undefined> {
  const present = ({ accountNumber, email }: SandboxAccount) => ({
    bank: { name: "Sandbox Bank", id: 1, slug: "test-bank" },
    account_name: `${config.brand.name.toUpperCase()} / ${email}`,
    account_number: accountNumber,
    active: true,
  });
  if (pathname === "/customer" && method === "POST") {
    const { email } = customerSchema.parse(read(body));
    return Response.json({ status: true, message: "Customer created", data: customerOf(email) });
  }
  if (pathname !== "/dedicated_account") return undefined;
  if (method === "GET") {
    const known = await findSandboxAccount(db, { customerCode: `CUS_${searchParams.get("customer") ?? ""}` });
    const data = known === undefined ? [] : [present(known)];
    return Response.json({ status: true, message: "Managed accounts successfully retrieved", data });
  }
  const { customer } = accountSchema.parse(read(body));
  const [, id = ""] = /^CUS_([0-9]+)/.exec(customer) ?? [];
  const account = { accountNumber: newNumber(), customerCode: `CUS_${id}`, email: customer.slice(`CUS_${id}-`.length) };
  await insertSandboxAccount(db, account);
  return Response.json({ status: true, message: "NUBAN successfully created", data: present(account) });
}

function read(body: RequestInit["body"]): unknown {
  return typeof body === "string" ? JSON.parse(body) : undefined;
}

/** The same for an e-mail each time, as at the provider. The code carries the e-mail, so that no table of customers is needed. */
function customerOf(email: string): { id: number; customer_code: string; email: string } {
  const id = createHash("sha256").update(email).digest().readUIntBE(0, 6);
  return { id, customer_code: `CUS_${id}-${email}`, email };
}

/** Ten digits as Nigerian account numbers have, and nobody's: no bank's begin with 999. */
function newNumber(): string {
  return `999${String(randomInt(10_000_000)).padStart(7, "0")}`;
}

/** As the provider takes it: 1 %, and 300 naira at most. */
function feeOf(amountKobo: number): number {
  return Math.min(Math.ceil(amountKobo / 100), 30_000);
}

/** @throws AppError `NOT_FOUND`. */
export async function getSandboxAccount(db: Queryable, accountNumber: string): Promise<SandboxAccount> {
  const account = await findSandboxAccount(db, { accountNumber });
  if (account === undefined) throw new AppError("NOT_FOUND");
  return account;
}

/** Somebody transfers money to the account. @returns what the provider tells of it. */
export async function playTransfer(
  db: Queryable,
  account: SandboxAccount,
  { amountKobo, now, publicUrl }: { amountKobo: number; now: Date; publicUrl: string },
): Promise<SandboxTransaction> {
  const accessCode = randomBytes(12).toString("hex");
  const transaction: SandboxTransaction = {
    accessCode,
    amountKobo,
    reference: `T${accessCode}`,
    email: account.email,
    callbackUrl: publicUrl,
    status: "success",
    createdAt: now,
    paidAt: now,
    declinesLater: false,
    accountNumber: account.accountNumber,
    feeKobo: feeOf(amountKobo),
  };
  await insertSandboxTransaction(db, transaction);
  return transaction;
}
