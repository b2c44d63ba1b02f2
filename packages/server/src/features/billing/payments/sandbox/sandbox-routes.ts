import { z } from "zod";
import type { Deps } from "../../../../base/deps.ts";
import { AppError, fieldError } from "../../../../base/errors.ts";
import type { App } from "../../../../http/app-type.ts";
import { isStandingIn } from "../../../../base/trial-parts.ts";
import { findCardProvider } from "../card-provider.ts";
import { getSandboxAccount, playTransfer } from "./sandbox-accounts.ts";
import { sandboxPage, transferPage } from "./sandbox-page.ts";
import { decideTransaction, getTransaction, presentSandboxTransaction } from "./sandbox-transport.ts";

type SandboxTransaction = Awaited<ReturnType<typeof getTransaction>>;

const FORM_BYTES_MAX = 1_000;

/** Like the provider's page, it needs no session: whoever has the access code may pay. */
const paramsSchema = z.object({ accessCode: z.string().regex(/^[0-9a-f]{24}$/) });
const accountParamsSchema = z.object({ accountNumber: z.string().regex(/^[0-9]{10}$/) });
const transferSchema = z.object({ amount: z.coerce.number().min(1).max(10_000_000) });
const formSchema = z.object({ choice: z.enum(["pay", "pay-once", "decline", "leave"]) });

/** The checkout page of the built-in card sandbox. It exists only while the sandbox stands in for a card provider. */
export async function sandboxRoutes(app: App, deps: Deps): Promise<void> {
  if (!isStandingIn(deps.config, "card")) return;
  await app.register(async (scope: App) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body: string, done) => {
        done(null, Object.fromEntries(new URLSearchParams(body)));
      },
    );
    scope.get("/sandbox-checkout/:accessCode", { schema: { hide: true } }, async (request, reply) => {
      const page = sandboxPage(deps.config, await getTransaction(deps.db, accessCodeOf(request.params)));
      // Under the usual referrer policy the form would be sent without its origin, and be refused.
      void reply.header("referrer-policy", "same-origin").header("cache-control", "no-store");
      return await reply.type("text/html; charset=utf-8").send(page);
    });
    scope.post("/sandbox-checkout/:accessCode", { schema: { hide: true } }, async (request, reply) => {
      const transaction = await getTransaction(deps.db, accessCodeOf(request.params));
      const form = formSchema.safeParse(request.body);
      if (!form.success) throw fieldError("choice", "is not one of the buttons");
      const { choice } = form.data;
      if (choice !== "leave")
        await decide(deps, app, transaction, {
          status: choice === "decline" ? "failed" : "success",
          declinesLater: choice === "pay-once",
        });
      if (choice === "decline") return await reply.redirect(`/sandbox-checkout/${transaction.accessCode}`, 303);
      return await reply.redirect(returnAddress(transaction), 303);
    });
    scope.get("/sandbox-transfer/:accountNumber", { schema: { hide: true } }, async (request, reply) => {
      const page = transferPage(deps.config, await getAccount(deps, request.params));
      void reply.header("referrer-policy", "same-origin").header("cache-control", "no-store");
      return await reply.type("text/html; charset=utf-8").send(page);
    });
    scope.post("/sandbox-transfer/:accountNumber", { schema: { hide: true } }, async (request, reply) => {
      const account = await getAccount(deps, request.params);
      const form = transferSchema.safeParse(request.body);
      if (!form.success) throw fieldError("amount", "must be between 1 and 10,000,000 naira");
      const { publicUrl } = deps.config;
      const amountKobo = Math.round(form.data.amount * 100);
      const transaction = await playTransfer(deps.db, account, { amountKobo, now: deps.clock.now(), publicUrl });
      await tell(deps, app, transaction);
      return await reply.redirect(`${publicUrl}/user-dashboard/buy-sms`, 303);
    });
  });
}

async function getAccount(deps: Deps, params: unknown): ReturnType<typeof getSandboxAccount> {
  const read = accountParamsSchema.safeParse(params);
  if (!read.success) throw new AppError("NOT_FOUND");
  return await getSandboxAccount(deps.db, read.data.accountNumber);
}

function accessCodeOf(params: unknown): string {
  const read = paramsSchema.safeParse(params);
  if (!read.success) throw new AppError("NOT_FOUND");
  return read.data.accessCode;
}

async function decide(
  deps: Deps,
  app: App,
  transaction: SandboxTransaction,
  { status, declinesLater }: { status: "success" | "failed"; declinesLater: boolean },
): Promise<void> {
  const now = deps.clock.now();
  const isChanged = await decideTransaction(deps.db, transaction.accessCode, { status, declinesLater, now });
  if (!isChanged || status === "failed") return;
  await tell(deps, app, { ...transaction, status, paidAt: now, declinesLater });
}

/** Sends the signed event to our own webhook, so that trials exercise the same way as real events. */
async function tell(deps: Deps, app: App, transaction: SandboxTransaction): Promise<void> {
  const provider = await findCardProvider(deps);
  if (provider === undefined) return;
  const data = presentSandboxTransaction(transaction);
  const payload = Buffer.from(JSON.stringify({ event: "charge.success", data }));
  const headers = { "content-type": "application/json", "x-paystack-signature": provider.sign(payload) };
  const answer = await app.inject({ method: "POST", url: "/api/paystack-webhook", payload, headers });
  if (answer.statusCode !== 200) deps.log.warn({ status: answer.statusCode }, "the sandbox's event was refused");
}

/** The provider names the reference twice. */
function returnAddress({ callbackUrl, reference }: SandboxTransaction): string {
  const address = new URL(callbackUrl);
  address.searchParams.set("trxref", reference);
  address.searchParams.set("reference", reference);
  return address.toString();
}
