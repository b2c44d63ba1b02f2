import type { Deps } from "../../../base/deps.ts";
import { isStandingIn } from "../../../base/trial-parts.ts";
import { getSecret } from "../../accounts/index.ts";
import {
  type Beginning,
  type BeginOutcome,
  beginTransaction,
  type Charge,
  chargeAuthorization,
  type ChargeOutcome,
  type FindOutcome,
  findTransaction,
  isSignedBy,
  type PaystackSettings,
  signBody,
} from "./paystack/paystack-client.ts";
import {
  type AccountHolder,
  listPaidTransactions,
  openDedicatedAccount,
  type OpenOutcome,
} from "./paystack/paystack-accounts.ts";
import type { ProviderTransaction } from "./paystack/paystack-answers.ts";
import { sandboxTransport } from "./sandbox/sandbox-transport.ts";

/** A key belongs to the provider's test or live mode; no money moves in test mode. */
export type ProviderMode = "test" | "live";

export type CardProvider = {
  isSandbox: boolean;
  /** Undefined for a key that does not say. */
  mode: ProviderMode | undefined;
  begin: (beginning: Beginning) => Promise<BeginOutcome>;
  find: (reference: string) => Promise<FindOutcome>;
  charge: (charge: Charge) => Promise<ChargeOutcome>;
  openAccount: (holder: Omit<AccountHolder, "bank">) => Promise<OpenOutcome>;
  /** What was paid since a moment, a page at a time from 1. */
  listPaid: (list: { from: Date; page: number }) => Promise<{ transactions: ProviderTransaction[]; count: number }>;
  isSigned: (body: Buffer, signature: unknown) => boolean;
  /** Signs as the provider does: for the sandbox's own events. */
  sign: (body: Buffer) => string;
};

/**
 * Paystack with the configured key; without one the built-in sandbox where it may stand in, through the same client.
 * @returns undefined without either: then nobody pays by card.
 */
export async function findCardProvider(deps: Pick<Deps, "config" | "db" | "clock">): Promise<CardProvider | undefined> {
  const { paystackSecretKey } = deps.config;
  if (paystackSecretKey === undefined && !isStandingIn(deps.config, "card")) return undefined;
  const settings =
    paystackSecretKey === undefined ? await sandboxSettings(deps) : realSettings(deps, paystackSecretKey);
  const { secretKey } = settings;
  return {
    isSandbox: paystackSecretKey === undefined,
    mode: modeOf(secretKey),
    begin: async (beginning) => await beginTransaction(settings, beginning),
    find: async (reference) => await findTransaction(settings, reference),
    charge: async (charge) => await chargeAuthorization(settings, charge),
    openAccount: async (holder) =>
      await openDedicatedAccount(settings, {
        ...holder,
        // The provider's own name of the bank that plays along in its test mode.
        bank: modeOf(secretKey) === "test" ? "test-bank" : deps.config.paystackBank,
      }),
    listPaid: async (list) => await listPaidTransactions(settings, list),
    isSigned: (body, signature) => isSignedBy(secretKey, body, signature),
    sign: (body) => signBody(secretKey, body),
  };
}

function realSettings({ config }: Pick<Deps, "config">, secretKey: string): PaystackSettings {
  return { secretKey, baseUrl: config.paystackBaseUrl, transport: fetch };
}

async function sandboxSettings(deps: Pick<Deps, "config" | "db" | "clock">): Promise<PaystackSettings> {
  const secretKey = `sk_test_${(await getSecret(deps.db, "card-sandbox-key")).toString("hex")}`;
  const { publicUrl } = deps.config;
  return {
    secretKey,
    baseUrl: "http://sandbox.invalid",
    transport: sandboxTransport(deps, secretKey),
    checkoutUrl: publicUrl,
  };
}

function modeOf(secretKey: string): ProviderMode | undefined {
  if (secretKey.startsWith("sk_test_")) return "test";
  return secretKey.startsWith("sk_live_") ? "live" : undefined;
}
