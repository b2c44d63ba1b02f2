import type { DepositAnswer } from "@ewebal/contract";
import { readBalance } from "../../../../ledger/index.ts";
import { test as base } from "../../../../testing/app.ts";
import { buildDeposit, type BuiltDeposit } from "../../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../../../testing/factories.ts";

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: DepositAnswer };
};
type Decide = (
  call: "credit-user" | "declined-transaction",
  payload?: object,
  options?: { as?: BuiltAdmin; deposit?: Partial<BuiltDeposit> },
) => Promise<Answer>;

type Judge = (call: "approve" | "decline", approvalId: string, as: BuiltAdmin) => Promise<Answer>;

/** A customer with a deposit that waits, and the calls of administrators about it. */
export const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  deposit: BuiltDeposit;
  decide: Decide;
  judge: Judge;
  view: () => Promise<DepositAnswer | undefined>;
  freeUnits: () => Promise<number>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  admin: async ({ db }, use) => await use(await buildAdmin(db, { adminName: "Bola" })),
  deposit: async ({ db, user }, use) => await use(await buildDeposit(db, { userId: user.userId, amountNaira: 10_000 })),
  decide: async ({ app, admin, deposit, signInAs }, use) => {
    await use(async (call, payload = {}, { as = admin, deposit: other = {} } = {}) => {
      const { userId, transferId } = { ...deposit, ...other };
      const url = `/api/${userId}/${transferId}/${as.adminId}/${call}`;
      const answer = await app.inject({ method: "PATCH", url, payload, headers: await signInAs(as) });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  judge: async ({ app, signInAs }, use) => {
    await use(async (call, approvalId, as) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${as.adminId}/${approvalId}/${call}`,
        headers: await signInAs(as),
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  view: async ({ app, admin, deposit, signInAs }, use) => {
    await use(async () => {
      const answer = await app.inject({
        method: "GET",
        url: `/api/${deposit.transferId}/view-one-transaction`,
        headers: await signInAs(admin),
      });
      return answer.json<{ data?: DepositAnswer }>().data;
    });
  },
  freeUnits: async ({ db, user }, use) => await use(async () => (await readBalance(db, user.userId)).freeMilli / 1_000),
});
