import sharp from "sharp";
import { type DepositAnswer, depositSchema } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { openFileStore } from "../../../files/index.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../../testing/factories.ts";
import { hideDeposit, submitDeposit } from "./submit-deposit.ts";

type Page = { data: DepositAnswer[]; next: string | null };
type One = { data: DepositAnswer };
type Get = (
  url: string,
  as?: BuiltUser | BuiltAdmin,
) => Promise<{ status: number; body: unknown; headers: Record<string, unknown>; bytes: Buffer }>;

const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#14377a" } })
  .png()
  .toBuffer();
const pdf = Buffer.from("%PDF-1.4\ntrailer<</Root 1 0 R>>\n%%EOF\n");

const test = base.extend<{
  user: BuiltUser;
  admin: BuiltAdmin;
  get: Get;
  submit: (userId: string, fileName: string, bytes: Buffer) => Promise<string>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  get: async ({ app, signInAs }, use) => {
    await use(async (url, as) => {
      const answer = await app.inject({ url, headers: as === undefined ? {} : await signInAs(as) });
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      return {
        status: answer.statusCode,
        body: isJson ? answer.json<unknown>() : undefined,
        headers: answer.headers,
        bytes: answer.rawPayload,
      };
    });
  },
  submit: async ({ deps }, use) => {
    await use(async (userId, fileName, bytes) => {
      const fields = {
        depositorName: "Ada Obi",
        amountDeposited: "10000",
        phoneNo: "8031234567",
        tellerId: "T1",
        transactionDate: "2026-03-05",
        bankDeposited: "Ewebal Microfinance Bank",
      };
      const { depositId } = await submitDeposit(deps, await openFileStore(deps.config), {
        userId,
        fields,
        receipt: { fileName, bytes },
        idempotencyKey: undefined,
      });
      return depositId;
    });
  },
});

describe("lists are refused", () => {
  test("to visitors, and a customer's to other customers; everybody's to customers", async ({ db, user, get }) => {
    const own = `/api/${user.userId}/user-transfer-details`;
    expect((await get(own)).body).toMatchObject({ code: "AUTH_REQUIRED" });
    expect((await get(own, await buildUser(db))).body).toMatchObject({ code: "FORBIDDEN" });
    expect((await get("/api/view-all-transactions")).body).toMatchObject({ code: "AUTH_REQUIRED" });
    expect((await get("/api/view-all-transactions", user)).body).toMatchObject({ code: "FORBIDDEN" });
  });

  test.for(["after=x", "state=done", "from=5", "to=2026-02-30", "flagged=1", "limit=0", "search=%00"])(
    "with ?%s",
    async (query, { admin, get }) => {
      const { status, body } = await get(`/api/view-all-transactions?${query}`, admin);
      expect([status, Object.keys((body as { fields: object }).fields)]).toEqual([400, [query.split("=")[0]]]);
    },
  );
});

test("a customer sees their own, newest first, page by page, and nothing that is said about them", async ({
  db,
  user,
  get,
}) => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.unshift((await buildDeposit(db, { userId: user.userId, isFlagged: true })).depositId);
  await buildDeposit(db, { userId: (await buildUser(db)).userId });
  await buildDeposit(db, { userId: user.userId, state: "withdrawn" });
  const url = `/api/${user.userId}/user-transfer-details`;
  const first = (await get(`${url}?limit=2`, user)).body as Page;
  const second = (await get(`${url}?limit=2&after=${first.next}`, user)).body as Page;
  expect([...first.data, ...second.data].map(({ _id }) => _id)).toEqual(ids);
  expect(second.next).toBeNull();
  for (const deposit of first.data) expect(depositSchema.strict().parse(deposit).review).toBeUndefined();
  expect(first.data[0]).toMatchObject({
    userID: user.userId,
    amountDeposited: 10_000,
    transactionDate: "2026-03-05",
    image: `/api/receipts/${ids[0]}`,
    verified: false,
    declined: false,
    withdrawn: false,
    creditedUnits: null,
  });
});

test("administrators see everybody's, hidden ones too, with who and what to look at twice", async ({
  db,
  user,
  admin,
  get,
}) => {
  const shown = await buildDeposit(db, { userId: user.userId, isFlagged: true });
  const hidden = await buildDeposit(db, { userId: (await buildUser(db)).userId, state: "withdrawn" });
  const { data } = (await get("/api/view-all-transactions", admin)).body as Page;
  expect(data.map(({ _id, review }) => [_id, review?.flagged, review?.hidden])).toEqual([
    [hidden.depositId, false, true],
    [shown.depositId, true, false],
  ]);
  expect(data[1]?.review).toMatchObject({ userName: "Ada", email: "ada@gmail.com", proposal: null });
  expect(((await get(`/api/${user.userId}/user-transfer-details`, admin)).body as Page).data).toMatchObject([
    { _id: shown.depositId, review: { userName: "Ada" } },
  ]);
});

test("filters: state, words, days, flagged", async ({ db, user, admin, get }) => {
  const build = async (facts: object) =>
    (await buildDeposit(db, { userId: user.userId, adminId: admin.adminId, ...facts })).depositId;
  const verified = await build({ state: "verified", depositorName: "Bola 100%", transactionDate: "2026-01-31" });
  const declined = await build({ state: "declined", tellerId: "XYZ-9", transactionDate: "2026-02-01" });
  const flagged = await build({ isFlagged: true, phoneNo: "8099999999", transactionDate: "2026-02-28" });
  const idsOf = async (query: string) =>
    ((await get(`/api/view-all-transactions?${query}`, admin)).body as Page).data.map(({ _id }) => _id);
  expect(await idsOf("state=verified")).toEqual([verified]);
  expect(await idsOf("state=declined&search=xyz")).toEqual([declined]);
  expect(await idsOf("state=pending&search=xyz")).toEqual([]);
  expect(await idsOf("search=100%25")).toEqual([verified]);
  expect(await idsOf("search=809999")).toEqual([flagged]);
  expect(await idsOf("search=ADA%40")).toEqual([flagged, declined, verified]);
  expect(await idsOf("from=2026-02-01&to=2026-02-27")).toEqual([declined]);
  expect(await idsOf("flagged=true")).toEqual([flagged]);
});

describe("one deposit", () => {
  test("its customer and administrators; for everybody else there is none", async ({ db, user, admin, get }) => {
    const { depositId } = await buildDeposit(db, { userId: user.userId });
    const url = `/api/${depositId}/view-one-transaction`;
    expect((await get(url)).body).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await get(url, await buildUser(db))).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await get(`/api/${uuidv7()}/view-one-transaction`, admin)).toMatchObject({ status: 404 });
    expect(await get(url, user)).toMatchObject({ status: 200, body: { data: { _id: depositId } } });
    expect(((await get(url, admin)).body as One).data.review).toMatchObject({ doubles: [] });
  });

  test("administrators read which others have the same receipt or teller id", async ({ db, user, admin, get }) => {
    const other = await buildUser(db, { userName: "Bola" });
    const [receiptHash, tellerId] = [Buffer.alloc(32, 7), "SAME"];
    const one = await buildDeposit(db, { userId: user.userId, isFlagged: true, receiptHash, tellerId });
    const both = await buildDeposit(db, {
      userId: other.userId,
      isFlagged: true,
      receiptHash,
      tellerId,
      state: "declined",
      adminId: admin.adminId,
    });
    const teller = await buildDeposit(db, { userId: user.userId, isFlagged: true, tellerId });
    const { data } = (await get(`/api/${one.depositId}/view-one-transaction`, admin)).body as One;
    expect(data.review?.doubles).toMatchObject([
      { _id: teller.depositId, userName: "Ada", same: ["tellerId"], state: "pending" },
      { _id: both.depositId, userName: "Bola", same: ["receipt", "tellerId"], state: "declined" },
    ]);
  });
});

describe("a receipt", () => {
  test("is the owner's and administrators'; for everybody else there is none", async ({
    db,
    user,
    admin,
    get,
    submit,
  }) => {
    const url = `/api/receipts/${await submit(user.userId, "a.png", png)}`;
    expect((await get(url)).body).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await get(url, await buildUser(db))).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await get(url, user)).status).toBe(200);
    expect((await get(url, admin)).status).toBe(200);
    expect((await get(`/api/receipts/${uuidv7()}`, admin)).status).toBe(404);
    for (const trick of ["..%2f..%2fetc%2fpasswd", "x", `${uuidv7()}%00.png`])
      expect((await get(`/api/receipts/${trick}`, admin)).status, trick).toBe(400);
  });

  test("an image comes as what we made of it, under our name, and runs nothing", async ({ user, get, submit }) => {
    const depositId = await submit(
      user.userId,
      "<b>photo</b>.PNG",
      Buffer.concat([png, Buffer.from("<script>alert(1)</script>")]),
    );
    const { headers, bytes } = await get(`/api/receipts/${depositId}`, user);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": `inline; filename="receipt-${depositId}.png"`,
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    });
    expect(bytes.includes("script")).toBe(false);
    expect((await sharp(bytes).metadata()).width).toBe(60);
  });

  test("a PDF comes as it is, with a policy under which browsers show it, in our own frames only", async ({
    user,
    get,
    submit,
  }) => {
    const { headers, bytes } = await get(`/api/receipts/${await submit(user.userId, "a.pdf", pdf)}`, user);
    expect(headers).toMatchObject({
      "content-type": "application/pdf",
      "content-security-policy": "frame-ancestors 'self'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    expect(bytes.equals(pdf)).toBe(true);
  });

  test("that the store has lost is our fault, and says no more", async ({ db, user, get }) => {
    const { depositId } = await buildDeposit(db, { userId: user.userId });
    expect(await get(`/api/receipts/${depositId}`, user)).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
  });
});

describe("deleting", () => {
  test.for(["delete-details", "disapprove"])(
    "%s: visitors, other customers, administrators, another's deposit",
    async (call, { app, db, user, admin, signInAs }) => {
      const { depositId } = await buildDeposit(db, { userId: user.userId });
      const other = await buildUser(db);
      const remove = async (userId: string, headers = {}) =>
        (await app.inject({ method: "DELETE", url: `/api/${userId}/${depositId}/${call}`, headers })).json<{
          code: string;
        }>();
      expect(await remove(user.userId)).toMatchObject({ code: "AUTH_REQUIRED" });
      expect(await remove(user.userId, await signInAs(other))).toMatchObject({ code: "FORBIDDEN" });
      expect(await remove(user.userId, await signInAs(admin))).toMatchObject({ code: "FORBIDDEN" });
      expect(await remove(other.userId, await signInAs(other))).toMatchObject({ code: "NOT_FOUND" });
      expect((await db.query("select from deposit where hidden_at is null")).rowCount).toBe(1);
    },
  );

  test.for(["delete-details", "disapprove"])(
    "%s: a pending one is withdrawn; twice is fine; record and receipt stay",
    async (call, { app, user, admin, signInAs, get, submit }) => {
      const depositId = await submit(user.userId, "a.png", png);
      const remove = async () =>
        await app.inject({
          method: "DELETE",
          url: `/api/${user.userId}/${depositId}/${call}`,
          headers: await signInAs(user),
        });
      for (const answer of [await remove(), await remove()])
        expect([answer.statusCode, answer.json()]).toEqual([202, { message: "Deleted Successfully" }]);
      expect(((await get(`/api/${user.userId}/user-transfer-details`, user)).body as Page).data).toEqual([]);
      expect((await get(`/api/${depositId}/view-one-transaction`, user)).status).toBe(404);
      expect((await get(`/api/receipts/${depositId}`, user)).status).toBe(404);
      expect(((await get(`/api/${depositId}/view-one-transaction`, admin)).body as One).data).toMatchObject({
        withdrawn: true,
        review: { hidden: true },
      });
      expect((await get(`/api/receipts/${depositId}`, admin)).status).toBe(200);
    },
  );

  test("a verified or declined one keeps its state", async ({ db, deps, user, admin }) => {
    for (const state of ["verified", "declined"] as const) {
      const key = await buildDeposit(db, { userId: user.userId, adminId: admin.adminId, state });
      await hideDeposit(deps, key);
      expect(
        (
          await db.query("select state, hidden_at is not null as hidden from deposit where deposit_id = $1", [
            key.depositId,
          ])
        ).rows,
      ).toEqual([{ state, hidden: true }]);
    }
  });
});

test("a customer's record names the newest deposits and counts those that are shown", async ({ db, user, get }) => {
  const ids: string[] = [];
  for (let count = 0; count < 51; count += 1) ids.unshift((await buildDeposit(db, { userId: user.userId })).depositId);
  await buildDeposit(db, { userId: user.userId, isHidden: true });
  const { data } = (await get(`/api/${user.userId}/view-one-user`, user)).body as {
    data: { transfers: string[]; counts: { transfers: number } };
  };
  expect([data.transfers, data.counts.transfers]).toEqual([ids.slice(0, 50), 51]);
});
