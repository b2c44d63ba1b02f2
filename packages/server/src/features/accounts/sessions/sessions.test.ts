import { SignJWT, decodeJwt, decodeProtectedHeader } from "jose";
import { describe } from "vitest";
import { buildApp } from "../../../main/app.ts";
import { sessionOf } from "../../../http/session/session.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { getSecret } from "../app-secret.ts";
import { endSession, endSessionsOf, openSession } from "./sessions.ts";

// Sessions of 1,200 s idle and 43,200 s in all, as they are by default.
const MINUTE_MS = 60_000;

/** A route of the test's own says whom the request was taken for. */
const test = base.extend<{ whoAmI: (headers: Record<string, string>, url?: string) => Promise<string> }>({
  whoAmI: async ({ deps }, use) => {
    const app = await buildApp(deps);
    // The stream's own route is the web role's; here its address alone matters.
    for (const url of ["/api/who", "/api/events"]) {
      app.get(url, (request) => {
        const { kind, actorId } = sessionOf(request);
        return { who: `${kind} ${actorId}` };
      });
    }
    await use(async (headers, url = "/api/who") => {
      const answer = await app.inject({ method: "GET", url, headers });
      return answer.statusCode === 200 ? answer.json<{ who: string }>().who : answer.json<{ code: string }>().code;
    });
    await app.close();
  },
});

describe("refusals", () => {
  test("no token, an empty one, nonsense, and another scheme", async ({ whoAmI }) => {
    expect(await whoAmI({})).toBe("AUTH_REQUIRED");
    expect(await whoAmI({ authorization: "Bearer " })).toBe("AUTH_REQUIRED");
    expect(await whoAmI({ authorization: "Bearer a.b.c" })).toBe("AUTH_REQUIRED");
    expect(await whoAmI({ authorization: "Basic YTpi" })).toBe("AUTH_REQUIRED");
    expect(await whoAmI({ cookie: "ewebal_session=" })).toBe("AUTH_REQUIRED");
  });

  test("a token without a signature, of another algorithm, key, type, audience, or without an end", async ({
    db,
    deps,
    whoAmI,
  }) => {
    const user = await buildUser(db);
    const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
    const key = await getSecret(db, "session-token-key");
    const header = decodeProtectedHeader(token) as { alg: string; typ: string; aud: string; sid: string };
    const { id } = decodeJwt<{ id: string }>(token);
    const forge = async (change: object, options: { key?: Uint8Array; isEndless?: boolean } = {}): Promise<string> => {
      const jwt = new SignJWT({ id }).setProtectedHeader({ ...header, ...change }).setIssuedAt();
      if (options.isEndless !== true) jwt.setExpirationTime("1h");
      return await whoAmI({ authorization: `Bearer ${await jwt.sign(options.key ?? key)}` });
    };

    expect(await forge({})).toBe(`user ${id}`);
    expect(await forge({ alg: "HS512" }, { key: Buffer.concat([key, key]) })).toBe("AUTH_REQUIRED");
    expect(await forge({}, { key: Buffer.alloc(32, 1) })).toBe("AUTH_REQUIRED");
    expect(await forge({ typ: "JWT" })).toBe("AUTH_REQUIRED");
    expect(await forge({ typ: "ewebal-admin+jwt" })).toBe("AUTH_REQUIRED");
    expect(await forge({ aud: "other" })).toBe("AUTH_REQUIRED");
    expect(await forge({}, { isEndless: true })).toBe("AUTH_REQUIRED");
    const [head, payload] = [btoa(JSON.stringify({ ...header, alg: "none" })), token.split(".")[1]];
    expect(await whoAmI({ authorization: `Bearer ${head.replaceAll("=", "")}.${payload}.` })).toBe("AUTH_REQUIRED");
  });

  test("a token that names another person than its session's row", async ({ db, deps, whoAmI }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
    const forged = await new SignJWT({ id: other.userId })
      .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(await getSecret(db, "session-token-key"));
    expect(await whoAmI({ authorization: `Bearer ${forged}` })).toBe("AUTH_REQUIRED");
  });

  test("a session that was ended", async ({ db, deps, whoAmI }) => {
    const user = await buildUser(db);
    const actor = { kind: "user", actorId: user.userId } as const;
    const [first, second, third] = [
      await openSession(deps, db, actor),
      await openSession(deps, db, actor),
      await openSession(deps, db, actor),
    ];
    await endSession(db, first.sessionId);
    expect(await whoAmI({ authorization: `Bearer ${first.token}` })).toBe("AUTH_REQUIRED");
    await endSessionsOf(db, actor, third.sessionId);
    expect(await whoAmI({ authorization: `Bearer ${second.token}` })).toBe("AUTH_REQUIRED");
    expect(await whoAmI({ authorization: `Bearer ${third.token}` })).toBe(`user ${user.userId}`);
  });
});

test("the payload holds the id and times, and nothing else", async ({ db, deps, clock }) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  const issuedSeconds = Math.floor(clock.now().getTime() / 1000);
  expect(decodeJwt(token)).toEqual({ id: user.userId, iat: issuedSeconds, exp: issuedSeconds + 43_200 });
});

test("the token opens as a bearer and as a cookie, for customers and administrators", async ({ db, deps, whoAmI }) => {
  const user = await buildUser(db);
  const admin = await buildAdmin(db);
  const userSession = await openSession(deps, db, { kind: "user", actorId: user.userId });
  const adminSession = await openSession(deps, db, { kind: "admin", actorId: admin.adminId });
  expect(await whoAmI({ authorization: `Bearer ${userSession.token}` })).toBe(`user ${user.userId}`);
  expect(await whoAmI({ cookie: `ewebal_session=${adminSession.token}` })).toBe(`admin ${admin.adminId}`);
  // A program that names its token means it, even when a browser adds a cookie.
  expect(
    await whoAmI({ authorization: `Bearer ${userSession.token}`, cookie: `ewebal_session=${adminSession.token}` }),
  ).toBe(`user ${user.userId}`);
});

test("20 minutes without an action end a session; an action keeps it, a background read does not", async ({
  db,
  deps,
  clock,
  whoAmI,
}) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  const acting = { authorization: `Bearer ${token}` };
  const reading = { ...acting, "x-background": "1" };

  clock.advance(15 * MINUTE_MS);
  expect(await whoAmI(acting)).toBe(`user ${user.userId}`);
  clock.advance(15 * MINUTE_MS);
  expect(await whoAmI(reading)).toBe(`user ${user.userId}`);
  clock.advance(5 * MINUTE_MS);
  expect(await whoAmI(reading)).toBe(`user ${user.userId}`);
  clock.advance(11_000);
  expect(await whoAmI(reading)).toBe("AUTH_REQUIRED");
  expect(await whoAmI(acting)).toBe("AUTH_REQUIRED");
});

test("an open stream of events does not keep a session", async ({ db, deps, clock, whoAmI }) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  const acting = { authorization: `Bearer ${token}` };
  clock.advance(15 * MINUTE_MS);
  expect(await whoAmI(acting, "/api/events")).toBe(`user ${user.userId}`);
  clock.advance(6 * MINUTE_MS);
  expect(await whoAmI(acting, "/api/events?again=1")).toBe("AUTH_REQUIRED");
});

test("nobody is signed out before their 20 minutes because actions are noted rarely", async ({
  db,
  deps,
  clock,
  whoAmI,
}) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  const acting = { authorization: `Bearer ${token}` };
  clock.advance(9_999); // Too soon after the last note for another.
  await whoAmI(acting);
  clock.advance(20 * MINUTE_MS);
  expect(await whoAmI(acting)).toBe(`user ${user.userId}`);
});

test("12 hours end a session however busy it was", async ({ db, deps, clock, whoAmI }) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  for (let minute = 10; minute < 720; minute += 10) {
    clock.advance(10 * MINUTE_MS);
    expect(await whoAmI({ authorization: `Bearer ${token}` })).toBe(`user ${user.userId}`);
  }
  clock.advance(10 * MINUTE_MS);
  expect(await whoAmI({ authorization: `Bearer ${token}` })).toBe("AUTH_REQUIRED");
});

test("many actions within ten seconds write the row once", async ({ db, deps, clock, whoAmI }) => {
  const user = await buildUser(db);
  const { token } = await openSession(deps, db, { kind: "user", actorId: user.userId });
  clock.advance(MINUTE_MS);
  const readVersion = async (): Promise<string | undefined> =>
    (await db.query<{ xmin: string }>("select xmin::text from session")).rows[0]?.xmin;
  const before = await readVersion();
  await whoAmI({ authorization: `Bearer ${token}` });
  const first = await readVersion();
  clock.advance(9_000);
  await whoAmI({ authorization: `Bearer ${token}` });
  expect(first).not.toBe(before);
  expect(await readVersion()).toBe(first);
});

test("processes that start together agree on one key", async ({ db }) => {
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => getSecret({ query: db.query.bind(db) }, "session-token-key")),
  );
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
  expect(keys[0]).toHaveLength(32);
});
