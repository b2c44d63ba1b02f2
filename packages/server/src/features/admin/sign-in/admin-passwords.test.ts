import { describe } from "vitest";
import { expect, linkToken, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

const NEW_PASSWORD = "eight calm rivers";

type Answer = { status: number; body: { code?: string; data?: { role: string } } };

const test = base.extend<{
  ask: (email: string) => Promise<number>;
  /** The tokens of all mails to a mailbox, oldest first. */
  tokensTo: (email: string) => Promise<string[]>;
  change: (token: string, password?: string) => Promise<Answer>;
  signIn: (call: "sign-in-user" | "sign-in-admin", email: string, password: string) => Promise<number>;
}>({
  ask: async ({ app }, use) => {
    await use(
      async (email) =>
        (await app.inject({ method: "PATCH", url: "/api/reset-user-password", payload: { email } })).statusCode,
    );
  },
  tokensTo: async ({ mailsTo }, use) => {
    await use(async (email) => (await mailsTo(email)).map((mail) => linkToken(mail, "reset-user-password") ?? "none"));
  },
  change: async ({ app }, use) => {
    await use(async (token, password = NEW_PASSWORD) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${token}/change-user-password`,
        payload: { password },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  signIn: async ({ app }, use) => {
    await use(
      async (call, email, password) =>
        (await app.inject({ method: "POST", url: `/api/${call}`, payload: { email, password } })).statusCode,
    );
  },
});

describe("an administrator's new password by mail", () => {
  test("is not for who never proved the mailbox", async ({ db, ask, tokensTo }) => {
    const admin = await buildAdmin(db);
    await db.query("update admin set verified_at = null");
    expect(await ask(admin.email)).toBe(404);
    expect(await tokensTo(admin.email)).toEqual([]);
  });

  test("replaces the old one, ends every session, works once, is told by mail and stands in the audit", async ({
    app,
    db,
    ask,
    tokensTo,
    change,
    signIn,
    signInAs,
    mailsTo,
  }) => {
    const admin = await buildAdmin(db);
    const headers = await signInAs(admin);
    expect(await ask(admin.email)).toBe(401);
    const [token = ""] = await tokensTo(admin.email);
    expect(await change(token)).toMatchObject({ status: 200, body: { data: { role: "admin" } } });
    expect(await change(token)).toMatchObject({ status: 400, body: { code: "LINK_INVALID" } });

    expect((await app.inject({ url: "/api/view-all-payments", headers })).statusCode).toBe(401);
    expect(await signIn("sign-in-admin", admin.email, FACTORY_PASSWORD)).toBe(400);
    expect(await signIn("sign-in-admin", admin.email, NEW_PASSWORD)).toBe(201);
    expect((await mailsTo(admin.email)).map(({ subject }) => subject)).toEqual([
      "Choose a new Ewebal administrator password",
      "Your Ewebal administrator password was changed",
    ]);
    const { rows } = await db.query("select action, admin_id, subject_id from audit_entry");
    expect(rows).toEqual([{ action: "change-user-password", admin_id: admin.adminId, subject_id: admin.adminId }]);
  });

  test("is another than the customer's at the same mailbox: a mail for each, and each changes its own", async ({
    db,
    ask,
    tokensTo,
    change,
    signIn,
  }) => {
    const admin = await buildAdmin(db);
    await buildUser(db, { email: admin.email });
    await ask(admin.email);
    const tokens = await tokensTo(admin.email);
    expect(tokens).toHaveLength(2);
    const answers: unknown[] = [];
    for (const [index, token] of tokens.entries())
      answers.push((await change(token, `${NEW_PASSWORD} ${index}`)).body.data?.role);
    expect(answers).toEqual(["admin", "user"]);
    expect(await signIn("sign-in-admin", admin.email, `${NEW_PASSWORD} 0`)).toBe(201);
    expect(await signIn("sign-in-user", admin.email, `${NEW_PASSWORD} 1`)).toBe(201);
  });

  test("dies with the mailbox that it was sent to", async ({ app, db, ask, tokensTo, change, signInAs }) => {
    const admin = await buildAdmin(db);
    await ask(admin.email);
    const [token = ""] = await tokensTo(admin.email);
    const headers = await signInAs(admin);
    const payload = {
      adminName: "Ada",
      adminFullName: "Ada Obi",
      email: "other@ewebal.com",
      contact: "8031234567",
      password: FACTORY_PASSWORD,
    };
    expect(
      (await app.inject({ method: "PATCH", url: `/api/${admin.adminId}/update-admin-profile`, payload, headers }))
        .statusCode,
    ).toBe(200);
    await db.query("update admin set verified_at = now()");
    expect(await change(token)).toMatchObject({ status: 400, body: { code: "LINK_INVALID" } });
  });
});
