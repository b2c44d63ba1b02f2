import type { ServerResponse } from "node:http";
import type { InvoiceAnswer, VirtualAccountAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { readConfig } from "../../../base/config.ts";
import { readBalance } from "../../../ledger/index.ts";
import { test as plain } from "../../../testing/app.ts";
import { buildMember, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { expect, overlap, test as base } from "../payments/testing/payment-test.ts";
import { checkTransfers, settleTransfer, settleTransferQueue } from "./settle-transfer.ts";
import { openVirtualAccount, viewVirtualAccount } from "./virtual-account.ts";
import { insertTransfer } from "./virtual-account-store.ts";

type Opened = { status: number; code: string | undefined; data: VirtualAccountAnswer };

const test = base.extend<{
  open: (as?: BuiltUser) => Promise<Opened>;
  /** Does the jobs that events left behind. */
  settle: () => Promise<void>;
}>({
  open: async ({ app, user, signInAs }, use) => {
    await use(async (as = user) => {
      const url = `/api/${user.userId}/virtual-account`;
      const answer = await app.inject({ method: "POST", url, headers: await signInAs(as) });
      const { code, data } = answer.json<{ code?: string; data: VirtualAccountAnswer }>();
      return { status: answer.statusCode, code, data };
    });
  },
  settle: async ({ deps }, use) => {
    await use(async () => {
      for (const { name, ids } of deps.jobs.enqueued.splice(0))
        if (name === settleTransferQueue.name) await settleTransferQueue.handle(deps, ids);
    });
  },
});

describe("an account number", () => {
  test("is the owner's to open, and there is one, however often it is asked for", async ({
    app,
    db,
    user,
    open,
    paystack,
    signInAs,
  }) => {
    const url = `/api/${user.userId}/virtual-account`;
    expect((await app.inject({ method: "POST", url })).statusCode).toBe(401);
    const approver = await buildMember(db, { accountId: user.userId, role: "approver" });
    for (const other of [approver, await buildUser(db)]) expect((await open(other)).code).toBe("FORBIDDEN");
    const view = async () => (await app.inject({ url, headers: await signInAs(user) })).json<{ data: unknown }>().data;
    expect(await view()).toEqual({ isOffered: true, account: null, sandboxUrl: null });

    const answers = await Promise.all(Array.from({ length: 8 }, async () => await open()));
    const opened = answers.filter(({ status }) => status === 201);
    expect(opened.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const account = { bank: "Test Bank", accountName: `EWEBAL / ${user.email}`, accountNumber: "9910000000" };
    expect((await open()).data).toEqual(account);
    expect(await view()).toEqual({ isOffered: true, account, sandboxUrl: null });
    expect(paystack.calls.filter((call) => call === "POST /dedicated_account")).toHaveLength(1);
  });

  test("that was opened before its answer was lost is found, and not opened twice", async ({
    open,
    paystack,
    user,
  }) => {
    paystack.misbehave((request) => request.socket.destroy());
    expect(await open()).toMatchObject({ status: 503, code: "UNAVAILABLE" });
    paystack.misbehave(undefined);
    paystack.accounts.set(user.email, "9900000001");
    expect((await open()).data.accountNumber).toBe("9900000001");
    expect(paystack.calls.filter((call) => call === "POST /dedicated_account")).toHaveLength(0);
  });

  test("that the provider is being asked for is refused until the answer is there or lost", async ({
    open,
    paystack,
  }) => {
    const asked = Promise.withResolvers<ServerResponse>();
    paystack.misbehave((_, response) => asked.resolve(response));
    const first = open();
    const response = await asked.promise;
    expect(await open()).toMatchObject({ status: 409, code: "STATE_CONFLICT" });
    paystack.misbehave(undefined);
    response.destroy();
    expect((await first).code).toBe("UNAVAILABLE");
    expect((await open()).status).toBe(201);
  });

  test("is not offered where the provider opens none", async ({ open, paystack, db }) => {
    paystack.misbehave((_, response) => response.writeHead(400).end(`{"status":false,"message":"not available"}`));
    expect(await open()).toMatchObject({ status: 503, code: "CARDS_OFF" });
    expect((await db.query("select from virtual_account")).rowCount).toBe(0);
  });
});

describe("a transfer", () => {
  test("is credited once less its fee by 20 events, 20 jobs and 20 looks at once, with one invoice and one mail", async ({
    app,
    deps,
    db,
    user,
    open,
    post,
    paystack,
    freeMilli,
    mailsTo,
    signInAs,
  }) => {
    const { accountNumber } = (await open()).data;
    const transfer = paystack.transfer(accountNumber, { amount: "1000050", fees: 10_001 });
    const { reference } = transfer;
    const twenty = <Result>(work: () => Promise<Result>) => Array.from({ length: 20 }, work);
    const events = await Promise.all(twenty(async () => (await post("charge.success", transfer)).status));
    expect(new Set(events)).toEqual(new Set([200]));
    expect(await freeMilli(), "an event alone credits nothing").toBe(0);
    const jobs = deps.jobs.enqueued.splice(0).filter(({ name }) => name === settleTransferQueue.name);
    expect(jobs).toHaveLength(20);
    await Promise.all([
      ...jobs.map(async ({ ids }) => await settleTransferQueue.handle(deps, ids)),
      ...twenty(async () => await checkTransfers(deps)),
      ...twenty(async () => await settleTransfer(deps, { userId: user.userId, reference })),
    ]);
    expect(await freeMilli()).toBe(9_900_490);
    expect((await db.query("select from journal")).rowCount).toBe(1);
    expect(await mailsTo(user.email)).toHaveLength(1);
    const url = `/api/${user.userId}/invoices`;
    const invoices = (await app.inject({ url, headers: await signInAs(user) })).json<{ data: InvoiceAnswer[] }>().data;
    expect(invoices).toMatchObject([{ kind: "transfer", reference, gross: 10_000.5, units: 9_900.49 }]);
  });

  test("that no event tells of is found by the look, also behind a page of card payments", async ({
    deps,
    open,
    paystack,
    freeMilli,
  }) => {
    const { accountNumber } = (await open()).data;
    paystack.transfer(accountNumber);
    for (let count = 0; count < 120; count += 1)
      paystack.transfer("", { channel: "card", reference: `other-${count}` });
    await checkTransfers(deps);
    expect(await freeMilli()).toBe(9_900_000);
  });

  test.for([
    ["is not paid yet", { status: "pending" }],
    ["is in dollars", { currency: "USD" }],
    ["is of the provider's other mode", { domain: "live" }],
    ["has no fee yet", { fees: null }],
    ["is less than its fee", { amount: 10_000 }],
    ["came by card", { channel: "card" }],
    ["went to another account", { authorization: { receiver_bank_account_number: "9999999999" } }],
  ] as const)("that %s is not credited", async ([, facts], { deps, user, open, paystack, post, settle, freeMilli }) => {
    const { accountNumber } = (await open()).data;
    const transfer = paystack.transfer(accountNumber, facts);
    await post("charge.success", { ...transfer, channel: "dedicated_nuban", authorization: null });
    await settle();
    await checkTransfers(deps);
    expect(await settleTransfer(deps, { userId: user.userId, reference: transfer.reference })).toBe(false);
    expect(await freeMilli()).toBe(0);
  });

  test("to a number of nobody is passed over", async ({ deps, open, paystack, post, freeMilli }) => {
    await open();
    const transfer = paystack.transfer("9876543210");
    expect((await post("charge.success", transfer)).status).toBe(200);
    expect(deps.jobs.enqueued.filter(({ name }) => name === settleTransferQueue.name)).toEqual([]);
    await checkTransfers(deps);
    expect(await freeMilli()).toBe(0);
  });

  test("that two report at once: the second waits, and credits it when the first is undone", async ({
    deps,
    db,
    user,
    open,
    paystack,
    freeMilli,
  }) => {
    const { accountNumber } = (await open()).data;
    const { reference } = paystack.transfer(accountNumber);
    const key = { userId: user.userId, reference };
    const [first, second] = await overlap(
      db,
      async (tx) => {
        const facts = { amountKobo: 1_000_000, feeKobo: 10_000, isSandbox: false, providerId: null };
        await insertTransfer(tx, { ...key, ...facts, creditedAt: new Date() });
        throw new Error("undone");
      },
      async () => await settleTransfer(deps, key),
    );
    expect([first.status, second]).toMatchObject(["rejected", { value: true }]);
    expect(await freeMilli()).toBe(9_900_000);
  });
});

describe("the sandbox", () => {
  plain("plays an account number, a transfer to it and the look", async ({ app, db, deps, signInAs }) => {
    const user = await buildUser(db, { email: "ada@gmail.com" });
    const url = `/api/${user.userId}/virtual-account`;
    const headers = await signInAs(user);
    const opened = await app.inject({ method: "POST", url, headers });
    expect(opened.statusCode, opened.body).toBe(201);
    const account = opened.json<{ data: VirtualAccountAnswer }>().data;
    expect(account).toEqual({
      bank: "Sandbox Bank",
      accountName: "EWEBAL / ada@gmail.com",
      accountNumber: expect.stringMatching(/^999[0-9]{7}$/) as unknown,
    });
    const { sandboxUrl } = (await app.inject({ url, headers })).json<{ data: { sandboxUrl: string } }>().data;
    const page = await app.inject({ url: sandboxUrl });
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining(account.accountNumber)]);
    expect((await app.inject({ url: "/sandbox-transfer/9990000000" })).statusCode).toBe(404);
    const send = async (amount: string) =>
      await app.inject({
        method: "POST",
        url: sandboxUrl,
        payload: `amount=${amount}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    for (const wrong of ["", "0", "-5", "1e99"]) expect((await send(wrong)).statusCode, wrong).toBe(400);
    const sent = await send("50000.50");
    expect([sent.statusCode, sent.headers.location]).toEqual([
      303,
      expect.stringMatching(/\/user-dashboard\/buy-sms$/),
    ]);
    const jobs = deps.jobs.enqueued.filter(({ name }) => name === settleTransferQueue.name);
    expect(jobs).toHaveLength(1);
    await Promise.all([
      ...jobs.map(async ({ ids }) => await settleTransferQueue.handle(deps, ids)),
      checkTransfers(deps),
      checkTransfers(deps),
    ]);
    expect((await readBalance(db, user.userId)).freeMilli).toBe(49_700_500);
  });

  plain("and every account number are gone without a provider", async ({ db, deps }) => {
    const { userId } = await buildUser(db);
    const off = { ...deps, config: readConfig({ TRIAL_PARTS: "none" }) };
    await expect(openVirtualAccount(off, userId)).rejects.toMatchObject({ code: "CARDS_OFF" });
    expect(await viewVirtualAccount(off, userId)).toEqual({ isOffered: false, account: null, sandboxUrl: null });
    await checkTransfers(off);
  });
});
