import { describe } from "vitest";
import { expect, linkToken, test as base } from "../../../testing/app.ts";
import { type BuiltAdmin, buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

const facts = { adminName: "Ada", adminFullName: "Ada of Lagos", contact: "08031234567", email: "ada@ewebal.com" };

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: Record<string, unknown> };
};

const test = base.extend<{ admin: BuiltAdmin; save: (changes?: object) => Promise<Answer> }>({
  admin: async ({ db }, use) => {
    await use(await buildAdmin(db, { email: facts.email }));
  },
  save: async ({ app, admin, signInAs }, use) => {
    const headers = await signInAs(admin);
    await use(async (changes = {}) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${admin.id}/update-admin-profile`,
        headers,
        payload: { ...facts, ...changes },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
});

describe("refusals", () => {
  test("no session, a customer, another administrator", async ({ app, db, admin, signInAs }) => {
    const ask = async (headers = {}): Promise<string | undefined> =>
      (
        await app.inject({ method: "PATCH", url: `/api/${admin.id}/update-admin-profile`, headers, payload: facts })
      ).json<{ code?: string }>().code;
    expect(await ask()).toBe("AUTH_REQUIRED");
    expect(await ask(await signInAs(await buildUser(db)))).toBe("FORBIDDEN");
    expect(await ask(await signInAs(await buildAdmin(db)))).toBe("FORBIDDEN");
  });

  test.for([
    [{ adminName: " " }, "adminName"],
    [{ adminFullName: 1 }, "adminFullName"],
    [{ contact: "12a" }, "contact"],
    [{ email: "nothing" }, "email"],
  ] as const)("%o names %s", async ([changes, field], { save }) => {
    const { status, body } = await save(changes);
    expect(status).toBe(400);
    expect(Object.keys(body.fields ?? {})).toEqual([field]);
  });

  test("an address outside the company, or of another administrator; a role is not taken at all", async ({
    db,
    save,
  }) => {
    await buildAdmin(db, { email: "other@ewebal.com" });
    expect((await save({ email: "ada@gmail.com" })).body.code).toBe("HOST_NOT_ALLOWED");
    expect((await save({ email: "ada@notewebal.com" })).body.code).toBe("HOST_NOT_ALLOWED");
    expect(await save({ email: "other@ewebal.com", password: FACTORY_PASSWORD })).toMatchObject({
      status: 409,
      body: { code: "EMAIL_TAKEN" },
    });
    expect((await save({ role: "owner" })).body.data).toMatchObject({ role: "admin" });
  });
});

test("a new email needs the administrator's own password", async ({ db, save }) => {
  expect(await save({ email: "new@ewebal.com" })).toMatchObject({ status: 401, body: { code: "PASSWORD_REQUIRED" } });
  expect(await save({ email: "new@ewebal.com", password: "wrong one" })).toMatchObject({
    status: 400,
    body: { code: "PASSWORD_WRONG" },
  });
  expect((await db.query("select email from admin")).rows).toEqual([{ email: facts.email }]);
});

test("nobody takes over the account of who changed to a mailbox that is not proven yet", async ({ app, save }) => {
  await save({ email: "new@ewebal.com", password: FACTORY_PASSWORD });
  const payload = {
    adminName: "Eve",
    adminFullName: "Eve",
    contact: "08031234567",
    email: "new@ewebal.com",
    password: "seven brave goats",
  };
  expect((await app.inject({ method: "POST", url: "/api/create-admin", payload })).json()).toMatchObject({
    code: "EMAIL_TAKEN",
  });
});

test("names and contact are saved, and what changed is on record", async ({ db, save }) => {
  expect(await save()).toMatchObject({
    status: 200,
    body: { message: "Your profile is updated", data: { ...facts, contact: "8031234567" } },
  });
  const { rows } = await db.query("select action, before, after from audit_entry");
  expect(rows).toEqual([
    {
      action: "update-admin-profile",
      before: { adminName: "Admin", adminFullName: "Test Administrator", contact: "8030000001" },
      after: { adminName: "Ada", adminFullName: "Ada of Lagos", contact: "8031234567" },
    },
  ]);
});

test("a new email ends every session, is told to both, and opens only after its link", async ({
  app,
  save,
  mailsTo,
}) => {
  expect((await save({ email: "New@Ewebal.com ", password: FACTORY_PASSWORD })).body.data).toMatchObject({
    email: "new@ewebal.com",
  });
  expect((await save()).body.code).toBe("AUTH_REQUIRED");
  expect((await mailsTo("ada@ewebal.com"))[0]?.subject).toContain("was changed");

  const signIn = async (email: string): Promise<number> =>
    (await app.inject({ method: "POST", url: "/api/sign-in-admin", payload: { email, password: FACTORY_PASSWORD } }))
      .statusCode;
  expect(await signIn("ada@ewebal.com")).toBe(404);
  expect(await signIn("new@ewebal.com")).toBe(401);
  const token = linkToken((await mailsTo("new@ewebal.com"))[0], "verify-admin");
  expect((await app.inject({ method: "GET", url: `/api/${token}/verify-admin` })).statusCode).toBe(200);
  expect(await signIn("new@ewebal.com")).toBe(201);
});
