import { describe } from "vitest";
import { readConfig } from "../../../../base/config.ts";
import { buildApp } from "../../../../main/app.ts";
import { readBalance } from "../../../../ledger/index.ts";
import { expect, test as base } from "../../../../testing/app.ts";
import { buildUser, type BuiltUser } from "../../../../testing/factories.ts";
import { checkOpenPayments } from "../check-open-payments.ts";
import { settlePaymentQueue } from "../settle-payment.ts";

type Choice = { status: number; location: string | undefined };

const test = base.extend<{
  user: BuiltUser;
  begin: () => Promise<{ reference: string; checkout: string }>;
  choose: (checkout: string, choice: string) => Promise<Choice>;
}>({
  user: async ({ db }, use) => {
    await use(await buildUser(db, { email: "ada@gmail.com" }));
  },
  begin: async ({ app, user, signInAs }, use) => {
    await use(async () => {
      const payload = { email: user.email, amount: 657.5, proposedUnits: 500 };
      const answer = await app.inject({
        method: "POST",
        url: "/api/paystack-payment",
        payload,
        headers: await signInAs(user),
      });
      const { reference, authorization_url: address } = answer.json<{
        data: { reference: string; authorization_url: string };
      }>().data;
      return { reference, checkout: new URL(address).pathname };
    });
  },
  choose: async ({ app }, use) => {
    await use(async (url, choice) => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await app.inject({ method: "POST", url, payload: `choice=${choice}`, headers });
      return { status: answer.statusCode, location: answer.headers.location };
    });
  },
});

describe("refused", () => {
  test("a checkout that nobody began, and a choice that is none", async ({ app, begin, choose }) => {
    for (const code of ["0".repeat(24), "x", "..%2f"])
      expect((await app.inject({ url: `/sandbox-checkout/${code}` })).statusCode).toBe(404);
    const { checkout } = await begin();
    expect((await choose(checkout, "steal")).status).toBe(400);
    expect(
      (
        await app.inject({
          method: "POST",
          url: checkout,
          payload: "x".repeat(2_000),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      ).statusCode,
    ).toBe(413);
  });

  test("everything, once a card provider is configured: the two never play together", async ({ deps, begin, db }) => {
    const { checkout } = await begin();
    const app = await buildApp({
      ...deps,
      config: readConfig({ PAYSTACK_SECRET_KEY: "sk_live_x", DATA_DIR: deps.config.dataDir }),
    });
    expect((await app.inject({ url: checkout })).statusCode).toBe(404);
    await app.close();
    expect((await db.query("select status from sandbox_transaction")).rows).toEqual([{ status: "abandoned" }]);
  });
});

test("the checkout page says plainly what it is, and shows the amount and the payer as text", async ({
  app,
  begin,
  db,
}) => {
  const { checkout, reference } = await begin();
  await db.query("update sandbox_transaction set email = '<b>ada</b>@gmail.com'");
  const page = await app.inject({ url: checkout });
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
  });
  for (const text of ["Sandbox", "no money moves", "NGN 657.50", reference, "&lt;b&gt;ada"])
    expect(page.body).toContain(text);
  expect(page.body).not.toContain("<b>ada");
  expect(page.body).not.toContain("<script");
});

test("paying leads back with the reference twice, sends a signed event, and credits through the same way as real money", async ({
  deps,
  db,
  user,
  begin,
  choose,
}) => {
  const { checkout, reference } = await begin();
  const back = `http://localhost:8080/user-dashboard/buy-sms?trxref=${reference}&reference=${reference}`;
  expect(await choose(checkout, "pay")).toEqual({ status: 303, location: back });
  expect(deps.jobs.enqueued.filter(({ name }) => name === "settle-payment")).toEqual([
    { name: "settle-payment", ids: { reference } },
  ]);
  await settlePaymentQueue.handle(deps, { reference });
  expect((await readBalance(db, user.userId)).freeMilli).toBe(500_000);
  for (const choice of ["pay", "decline", "leave"]) await choose(checkout, choice);
  await settlePaymentQueue.handle(deps, { reference });
  expect((await readBalance(db, user.userId)).freeMilli).toBe(500_000);
});

test("a declined card may try again; leaving leaves it open, and the reconciler ends it", async ({
  deps,
  db,
  user,
  begin,
  choose,
  clock,
}) => {
  const { checkout, reference } = await begin();
  expect(await choose(checkout, "decline")).toEqual({ status: 303, location: checkout });
  await settlePaymentQueue.handle(deps, { reference });
  const state = async () =>
    (await db.query("select state from card_payment where reference = $1", [reference])).rows[0];
  expect(await state()).toEqual({ state: "failed" });
  expect((await choose(checkout, "leave")).location).toContain(`reference=${reference}`);
  clock.advance(73 * 3_600_000);
  await checkOpenPayments(deps);
  expect(await state()).toEqual({ state: "ended" });
  // Whoever pays after all is credited after all.
  await choose(checkout, "pay");
  await settlePaymentQueue.handle(deps, { reference });
  expect((await readBalance(db, user.userId)).freeMilli).toBe(500_000);
});

test("another process knows the same payments: they are rows", async ({ deps, begin, choose, db, user }) => {
  const { checkout, reference } = await begin();
  await choose(checkout, "pay");
  const other = { ...deps, config: readConfig({ DATA_DIR: deps.config.dataDir }) };
  await settlePaymentQueue.handle(other, { reference });
  expect((await readBalance(db, user.userId)).freeMilli).toBe(500_000);
});
