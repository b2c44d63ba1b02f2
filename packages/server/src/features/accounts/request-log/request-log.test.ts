import type { LoggedCallAnswer, UsageDayAnswer } from "@ewebal/contract";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { createApiKey } from "../api-keys/api-keys.ts";
import { removeOldCalls, RequestLog } from "./request-log.ts";

const test = base.extend<{
  user: BuiltUser;
  list: (query?: string) => Promise<{ status: number; data: LoggedCallAnswer[]; next: string | null }>;
}>({
  user: async ({ db }, use) => {
    await use(await buildUser(db));
  },
  list: async ({ app, user, signInAs }, use) => {
    const headers = await signInAs(user);
    await use(async (query = "") => {
      const answer = await app.inject({ url: `/api/${user.id}/request-log${query}`, headers });
      return { status: answer.statusCode, ...answer.json<{ data: LoggedCallAnswer[]; next: string | null }>() };
    });
  },
});

test("strangers, other customers and wrong filters are refused", async ({ app, db, user, list, signInAs }) => {
  for (const part of ["request-log", "usage"]) {
    const url = `/api/${user.id}/${part}`;
    expect((await app.inject({ url })).statusCode).toBe(401);
    for (const other of [await buildUser(db), await buildAdmin(db)])
      expect((await app.inject({ url, headers: await signInAs(other) })).statusCode).toBe(403);
  }
  for (const query of ["?status=600", "?status=4x", "?key=x", "?after=x", "?limit=0", "?limit=101", "?bogus=1"])
    expect((await list(query)).status, query).toBe(400);
});

test("each call is written with its pattern, status, code and time, without numbers, and counted by key and day", async ({
  app,
  db,
  deps,
  user,
  list,
  signInAs,
}) => {
  const { key, keyId } = await createApiKey(deps, user.userId, { name: "Shop" });
  const narrow = await createApiKey(deps, user.userId, { name: "Narrow", scopes: ["inbox"] });
  const ask = async (url: string, secret: string, payload?: object) =>
    (
      await app.inject({
        method: payload === undefined ? "GET" : "POST",
        url,
        headers: { authorization: `Bearer ${secret}` },
        ...(payload && { payload }),
      })
    ).json<{ requestId?: string }>();
  await ask("/api/v1/balance", key);
  const { requestId } = await ask("/api/v1/messages/01900000-0000-7000-8000-000000000001/recipients", key);
  await ask("/api/v1/messages", key, { senderName: "Acme", message: "Secret text", phoneNo: "08030000001", bogus: 1 });
  await ask("/api/v1/balance", narrow.key);
  await ask("/api/v1/balance", `${key}x`);
  const other = await createApiKey(deps, (await buildUser(db)).userId, { name: "Theirs" });
  await ask("/api/v1/balance", other.key);
  // They are written once a second.
  await expect.poll(async () => (await list()).data.length, { timeout: 10_000 }).toBe(4);

  const { data } = await list();
  expect(data.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
    ["GET", "/api/v1/balance", 403, "SCOPE_MISSING"],
    ["POST", "/api/v1/messages", 400, "VALIDATION"],
    ["GET", "/api/v1/messages/:messageId/recipients", 404, "NOT_FOUND"],
    ["GET", "/api/v1/balance", 200, undefined],
  ]);
  expect(data[2]?._id).toBe(requestId);
  const { rows } = await db.query("select * from program_call");
  expect(JSON.stringify(rows)).not.toMatch(/Secret|8030000001/);
  expect((await list(`?key=${narrow.keyId}`)).data).toMatchObject([{ keyID: narrow.keyId, status: 403 }]);
  expect((await list("?status=4xx")).data).toHaveLength(3);
  expect((await list("?status=404")).data).toHaveLength(1);
  const first = await list("?limit=3");
  expect((await list(`?limit=3&after=${first.next}`)).data.map(({ status }) => status)).toEqual([200]);

  const headers = await signInAs(user);
  const usage = (await app.inject({ url: `/api/${user.id}/usage`, headers })).json<{ data: UsageDayAnswer[] }>();
  expect(usage.data.map(({ keyID, calls, errors }) => ({ keyID, calls, errors }))).toEqual([
    { keyID: narrow.keyId, calls: 1, errors: 1 },
    { keyID: keyId, calls: 3, errors: 2 },
  ]);
});

test("what waits is bounded, a lost database loses the log and nothing else, and old calls go", async ({
  db,
  deps,
  clock,
  user,
}) => {
  const call = (callId: string) => ({
    userId: user.userId,
    callId,
    keyId: user.userId,
    method: "GET",
    path: "/api/v1/balance",
    status: 200,
    code: undefined,
    durationMs: 1,
    calledAt: clock.now(),
  });
  const idOf = (index: number): string => `01900000-0000-7000-8000-${index.toString(16).padStart(12, "0")}`;
  const log = new RequestLog(deps);
  for (let index = 0; index < 10_005; index += 1) log.add(call(idOf(index)));
  await log.close();
  expect((await db.query("select from program_call")).rowCount).toBe(10_000);
  expect(deps.logLines).toContainEqual(expect.objectContaining({ dropped: 5 }));

  const broken = new RequestLog({ ...deps, db: { query: () => Promise.reject(new Error("away")) } as never });
  broken.add(call(idOf(20_000)));
  await broken.close();
  expect(deps.logLines).toContainEqual(expect.objectContaining({ lost: 1 }));

  clock.advance(6 * 24 * 3_600_000);
  await removeOldCalls(deps);
  expect((await db.query("select from program_call")).rowCount).toBe(10_000);
  clock.advance(25 * 3_600_000);
  await removeOldCalls(deps);
  expect((await db.query("select from program_call")).rowCount).toBe(0);
  expect((await db.query("select from program_usage")).rowCount).toBe(1);
});
