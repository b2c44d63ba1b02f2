import { describe } from "vitest";
import { expect } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";
import { ask, codeOf, test, wrongCode, type Headers } from "./testing/second-factor-test.ts";

const required = test.extend({ environment: { REQUIRE_2FA: "administrators" } });

describe("what needs a fresh second factor", () => {
  test("asks who has one and did not show it lately, and nobody else", async ({
    app,
    clock,
    db,
    turnOn,
    signInAs,
    signIn,
  }) => {
    const user = await buildUser(db);
    const makeKey = (headers: Headers) => ask(app, "POST", `/api/${user.id}/api-keys`, headers, { name: "till" });
    expect((await makeKey(await signInAs(user))).status).toBe(201);
    const { secret } = await turnOn(user);
    const { headers } = await signIn(user, codeOf(secret, clock));
    clock.advance(10 * 60_000 - 1);
    expect((await makeKey(headers)).status).toBe(201);
    clock.advance(1);
    expect(await makeKey(headers)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
    expect(await makeKey({ ...headers, "x-second-factor": wrongCode(secret, clock) })).toMatchObject({
      status: 400,
      body: { code: "CODE_WRONG" },
    });
    expect((await makeKey({ ...headers, "x-second-factor": codeOf(secret, clock) })).status).toBe(201);
    clock.advance(9 * 60_000);
    expect((await makeKey(headers)).status).toBe(201);
    // Another session of the same person has shown nothing.
    expect((await makeKey(await signInAs(user))).body.code).toBe("CODE_REQUIRED");
    expect((await db.query("select from api_key")).rowCount).toBe(4);
  });

  test("is every call for credit, carriers, keys, e-mail and passwords", async ({ app, db, turnOn, signInAs }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    await turnOn(user);
    await turnOn(admin);
    const any = "01900000-0000-7000-8000-000000000000";
    const [asUser, asAdmin] = [await signInAs(user), await signInAs(admin)];
    for (const [headers, method, url] of [
      [asUser, "POST", `/api/${user.id}/api-keys`],
      [asUser, "PATCH", `/api/${user.id}/${any}/edit-api-key`],
      [asUser, "DELETE", `/api/${user.id}/${any}/revoke-api-key`],
      [asUser, "PATCH", `/api/${user.id}/change-user-password`],
      [asAdmin, "PATCH", `/api/${admin.id}/credit-a-user`],
      [asAdmin, "PATCH", `/api/${admin.id}/update-admin-profile`],
      [asAdmin, "PATCH", `/api/${user.id}/update-user`],
      [asAdmin, "DELETE", `/api/${admin.id}/${any}/revoke-user-api-key`],
      [asAdmin, "POST", `/api/${admin.id}/add-carrier`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/edit-carrier`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/switch-carrier`],
      [asAdmin, "DELETE", `/api/${admin.id}/${any}/remove-carrier`],
      [asAdmin, "POST", `/api/${admin.id}/test-carrier`],
      [asAdmin, "PATCH", `/api/${user.id}/${any}/${admin.id}/credit-user`],
      [asAdmin, "PATCH", `/api/${admin.id}/${any}/approve`],
    ] as const) {
      expect([url, (await ask(app, method, url, headers, {})).body.code]).toEqual([url, "CODE_REQUIRED"]);
    }
  });

  test("the GET form takes no password any more, and a key as before", async ({ app, clock, db, turnOn, signIn }) => {
    const user = await buildUser(db);
    const { secret } = await turnOn(user);
    const call = (password: string) =>
      ask(app, "GET", `/api/send-bulk-sms/${user.email}/${encodeURIComponent(password)}/Hi/ACME/08030000001/234`, {});
    expect(await call(FACTORY_PASSWORD)).toMatchObject({ status: 401, body: { code: "CODE_REQUIRED" } });
    const { headers } = await signIn(user, codeOf(secret, clock));
    const { key } = (await ask(app, "POST", `/api/${user.id}/api-keys`, headers, { name: "till" })).body.data as {
      key: string;
    };
    // The key opens; what is missing now is an approved address.
    expect((await call(key)).body.code).toBe("ADDRESS_NOT_APPROVED");
  });
});

describe("REQUIRE_2FA=administrators", () => {
  required(
    "an administrator without it can set it up, sign out, and nothing else; a customer is asked for nothing",
    async ({ app, clock, db, signIn }) => {
      const [admin, user] = [await buildAdmin(db), await buildUser(db)];
      const { headers } = await signIn(admin);
      for (const [method, url] of [
        ["GET", "/api/view-all-users"],
        ["GET", `/api/${admin.id}/view-one-admin`],
        ["PATCH", `/api/${user.id}/block-user`],
        ["POST", `/api/${admin.id}/switch-to-user`],
        ["GET", `/api/${admin.id}/sessions`],
        ["GET", `/api/${user.id}/view-one-user`],
      ] as const) {
        expect([url, await ask(app, method, url, headers)]).toMatchObject([
          url,
          { status: 403, body: { code: "TWO_FACTOR_REQUIRED" } },
        ]);
      }
      expect((await ask(app, "GET", "/readyz", headers)).body).not.toHaveProperty("details");
      expect((await ask(app, "GET", "/api/brand", headers)).status).toBe(200);
      expect((await ask(app, "GET", `/api/${user.id}/view-one-user`, (await signIn(user)).headers)).status).toBe(200);

      const { secret } = (await ask(app, "POST", `/api/${admin.id}/start-two-factor`, headers)).body.data as {
        secret: string;
      };
      expect((await ask(app, "GET", "/api/view-all-users", headers)).body.code).toBe("TWO_FACTOR_REQUIRED");
      await ask(app, "POST", `/api/${admin.id}/confirm-two-factor`, headers, { code: codeOf(secret, clock) });
      expect((await ask(app, "GET", "/api/view-all-users", headers)).status).toBe(200);
      expect((await ask(app, "POST", `/api/${admin.id}/sign-out`, headers)).status).toBe(200);
    },
  );

  required("signing out needs no set-up", async ({ app, db, signIn }) => {
    const admin = await buildAdmin(db);
    const { headers } = await signIn(admin);
    expect((await ask(app, "POST", `/api/${admin.id}/sign-out`, headers)).status).toBe(200);
    expect((await ask(app, "GET", `/api/${admin.id}/two-factor`, headers)).body.code).toBe("AUTH_REQUIRED");
  });
});
