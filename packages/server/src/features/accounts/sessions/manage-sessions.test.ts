import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

const PHONE =
  "Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";

type Headers = { authorization: string };

async function list(
  app: App,
  id: string,
  headers: Headers,
): Promise<{ _id: string; isCurrent: boolean; device: string; address: string }[]> {
  const answer = await app.inject({ method: "GET", url: `/api/${id}/sessions`, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ data: { _id: string; isCurrent: boolean; device: string; address: string }[] }>().data;
}

describe("refusals", () => {
  test("no session, and another person's id", async ({ app, db, signInAs }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const headers = await signInAs(other);
    for (const [method, url] of [
      ["GET", `/api/${user.id}/sessions`],
      ["DELETE", `/api/${user.id}/${user.id}/end-session`],
      ["POST", `/api/${user.id}/end-other-sessions`],
    ] as const) {
      expect((await app.inject({ method, url })).json()).toMatchObject({ code: "AUTH_REQUIRED" });
      expect((await app.inject({ method, url, headers })).json()).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  test("somebody else's session is not found, and goes on", async ({ app, db, signInAs }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const [mine, theirs] = [await signInAs(user), await signInAs(other)];
    const sessionId = (await list(app, other.id, theirs))[0]?._id ?? "";
    const answer = await app.inject({
      method: "DELETE",
      url: `/api/${user.id}/${sessionId}/end-session`,
      headers: mine,
    });
    expect(answer.json()).toMatchObject({ code: "NOT_FOUND" });
    expect(await list(app, other.id, theirs)).toHaveLength(1);
  });

  test("a cursor that is none", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const answer = await app.inject({
      method: "GET",
      url: `/api/${user.id}/sessions?after=1`,
      headers: await signInAs(user),
    });
    expect(answer.json()).toMatchObject({ code: "VALIDATION", fields: { after: expect.any(String) as string } });
  });
});

test("signing in leaves where from and with what, newest first, and says which one is asking", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildUser(db);
  const headers = await signInAs(user);
  await app.inject({
    method: "POST",
    url: "/api/sign-in-user",
    headers: { "user-agent": PHONE },
    remoteAddress: "203.0.113.9",
    payload: { email: user.email, password: FACTORY_PASSWORD },
  });
  expect(await list(app, user.id, headers)).toMatchObject([
    { device: "Chrome on Android", address: "203.0.113.9", isCurrent: false },
    { device: "Unknown device", address: "", isCurrent: true },
  ]);
});

test("a session that is idle for too long is not listed", async ({ app, db, clock, signInAs }) => {
  const user = await buildUser(db);
  await signInAs(user);
  clock.advance(25 * 60_000);
  expect(await list(app, user.id, await signInAs(user))).toHaveLength(1);
});

test("ending one session ends that one; ending the others leaves this one; administrators have theirs", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildUser(db);
  const [first, second, third] = [await signInAs(user), await signInAs(user), await signInAs(user)];
  const secondId = (await list(app, user.id, second)).find(({ isCurrent }) => isCurrent)?._id ?? "";
  expect(
    (await app.inject({ method: "DELETE", url: `/api/${user.id}/${secondId}/end-session`, headers: first })).statusCode,
  ).toBe(200);
  expect((await app.inject({ method: "GET", url: `/api/${user.id}/sessions`, headers: second })).statusCode).toBe(401);

  const ended = await app.inject({ method: "POST", url: `/api/${user.id}/end-other-sessions`, headers: first });
  expect(ended.json()).toMatchObject({ data: { ended: 1 } });
  expect((await app.inject({ method: "GET", url: `/api/${user.id}/sessions`, headers: third })).statusCode).toBe(401);
  expect(await list(app, user.id, first)).toHaveLength(1);

  const admin = await buildAdmin(db);
  const [here] = [await signInAs(admin), await signInAs(admin)];
  expect(
    (await app.inject({ method: "POST", url: `/api/${admin.id}/end-other-sessions`, headers: here })).json(),
  ).toMatchObject({ data: { ended: 1 } });
});
