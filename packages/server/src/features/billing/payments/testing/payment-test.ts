import type { PaymentAnswer } from "@ewebal/contract";
import { readBalance } from "../../../../ledger/index.ts";
import { test as base } from "../../../../testing/app.ts";
import { buildUser, type BuiltUser } from "../../../../testing/factories.ts";
import { settlePaymentQueue } from "../settle-payment.ts";
import { FAKE_SECRET_KEY, startFakePaystack, type FakePaystack } from "./fake-paystack.ts";

export { expect, overlap } from "../../../../testing/app.ts";

export type Answer = {
  status: number;
  body: {
    message: string;
    code?: string;
    fields?: Record<string, string>;
    data?: PaymentAnswer & { authorization_url: string };
  };
};

export type PaymentFixtures = {
  paystack: FakePaystack;
  user: BuiltUser;
  /** Begins a payment over HTTP. @returns its reference. */
  begin: (units?: number) => Promise<string>;
  verify: (reference: string, body?: Record<string, unknown>) => Promise<Answer>;
  /** Posts an event as the provider does. */
  post: (event: string, data: unknown, headers?: Record<string, string>) => Promise<{ status: number; body: unknown }>;
  /** Does the jobs that events left behind. */
  work: () => Promise<void>;
  freeMilli: () => Promise<number>;
};

const withProvider = base.extend<Pick<PaymentFixtures, "paystack">>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  paystack: async ({}, use) => {
    const paystack = await startFakePaystack();
    await use(paystack);
    await paystack.close();
  },
});

const configured = withProvider.extend({
  environment: async ({ paystack }, use) => {
    await use({
      PAYSTACK_SECRET_KEY: FAKE_SECRET_KEY,
      PAYSTACK_BASE_URL: paystack.url,
      PUBLIC_URL: "http://shop.example",
    });
  },
});

/** The whole app with a customer and a provider that answers on a port of its own. */
export const test = configured.extend<Omit<PaymentFixtures, "paystack">>({
  user: async ({ db }, use) => {
    await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com", fullName: "Ọlá Ẹwà" }));
  },
  begin: async ({ app, user, signInAs }, use) => {
    await use(async (units = 500) => {
      const payload = { email: user.email, amount: 1, proposedUnits: units };
      const answer = await app.inject({
        method: "POST",
        url: "/api/paystack-payment",
        payload,
        headers: await signInAs(user),
      });
      return answer.json<{ data: { reference: string } }>().data.reference;
    });
  },
  verify: async ({ app, user, signInAs }, use) => {
    await use(async (reference, payload = { units: 999_999 }) => {
      const url = `/api/transaction/verify/${reference}/${user.userId}`;
      const answer = await app.inject({ method: "POST", url, payload, headers: await signInAs(user) });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  post: async ({ app, paystack }, use) => {
    await use(async (event, data, headers = {}) => {
      const signed = paystack.event(event, data);
      const answer = await app.inject({
        method: "POST",
        url: "/api/paystack-webhook",
        payload: signed.payload,
        headers: { ...signed.headers, ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  work: async ({ deps }, use) => {
    await use(async () => {
      const jobs = deps.jobs.enqueued.splice(0).filter(({ name }) => name === settlePaymentQueue.name);
      for (const { ids } of jobs) await settlePaymentQueue.handle(deps, ids);
    });
  },
  freeMilli: async ({ db, user }, use) => {
    await use(async () => (await readBalance(db, user.userId)).freeMilli);
  },
});
