import { describe } from "vitest";
import type { ListedAdminAnswer } from "@ewebal/contract";
import { expect, linkToken, overlap, test as base } from "../../../testing/app.ts";
import { type BuiltAdmin, buildAdmin, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

type Answer = { status: number; code: string; message: string; data: { _id?: string } | undefined };
type Method = "PATCH" | "DELETE" | "POST";

const test = base.extend<{
  owner: BuiltAdmin;
  /** A call by an owner, `approve-admin` of somebody. */
  act: (call: string, other: BuiltAdmin, payload?: object, as?: BuiltAdmin) => Promise<Answer>;
  invite: (email: string, role?: string) => Promise<Answer>;
  list: () => Promise<ListedAdminAnswer[]>;
  /** Registers and proves a mailbox. @returns the message of the last step. */
  join: (email: string) => Promise<string>;
  signIn: (email: string, password?: string) => Promise<string>;
}>({
  owner: async ({ db }, use) =>
    await use(await buildAdmin(db, { role: "owner", email: "owner@ewebal.com", adminName: "Owner" })),
  act: async ({ app, owner, signInAs }, use) => {
    await use(async (call, other, payload, as = owner) => {
      const method: Method = call.startsWith("remove") ? "DELETE" : "PATCH";
      const url = `/api/${as.adminId}/${other.adminId}/${call}`;
      const answer = await app.inject({
        method,
        url,
        headers: await signInAs(as),
        ...(payload !== undefined && { payload }),
      });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  invite: async ({ app, owner, signInAs }, use) => {
    await use(async (email, role = "admin") => {
      const answer = await app.inject({
        method: "POST",
        url: `/api/${owner.adminId}/invite-admin`,
        payload: { email, role },
        headers: await signInAs(owner),
      });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  list: async ({ app, owner, signInAs }, use) => {
    await use(
      async () =>
        (await app.inject({ url: "/api/view-admins", headers: await signInAs(owner) })).json<{
          data: ListedAdminAnswer[];
        }>().data,
    );
  },
  join: async ({ app, mailsTo }, use) => {
    await use(async (email) => {
      const payload = {
        adminName: "New",
        adminFullName: "New Person",
        email,
        contact: "08031234567",
        password: "seven brave goats",
      };
      const registered = await app.inject({ method: "POST", url: "/api/create-admin", payload });
      if (registered.statusCode !== 201) return registered.json<{ code: string }>().code;
      const mail = (await mailsTo(email)).at(-1);
      const otp = /^\d{4}$/m.exec(mail?.text ?? "")?.[0];
      await app.inject({ method: "POST", url: `/api/${linkToken(mail, "verify-otp")}/verify-otp`, payload: { otp } });
      const token = linkToken((await mailsTo(email)).at(-1), "verify-admin");
      return (await app.inject({ url: `/api/${token}/verify-admin` })).json<{ message: string }>().message;
    });
  },
  signIn: async ({ app }, use) => {
    await use(async (email, password = "seven brave goats") => {
      const answer = await app.inject({ method: "POST", url: "/api/sign-in-admin", payload: { email, password } });
      return answer.statusCode === 201 ? "in" : answer.json<{ code: string }>().code;
    });
  },
});

const withApproval = test.extend({ environment: { ADMIN_REGISTRATION: "approval" } });

const you = "You can login to your dashboard";

describe("who becomes an administrator", () => {
  test("the first is owner, the next is admin at once where registration is open", async ({ db, join, signIn }) => {
    expect([await join("first@ewebal.com"), await join("second@ewebal.com")]).toEqual([you, you]);
    expect((await db.query("select email, role from admin order by created_at, admin_id")).rows).toEqual([
      { email: "first@ewebal.com", role: "owner" },
      { email: "second@ewebal.com", role: "admin" },
    ]);
    expect(await signIn("second@ewebal.com")).toBe("in");
  });

  withApproval(
    "the first is owner, and the next waits for an owner where registration needs approval",
    async ({ act, db, join, list, mailsTo, owner, signIn }) => {
      expect(await join("new@ewebal.com")).toMatch(/owner must approve you first/);
      expect(await signIn("new@ewebal.com")).toBe("APPROVAL_REQUIRED");
      expect(await signIn("new@ewebal.com", "wrong one")).toBe("PASSWORD_WRONG");
      expect((await mailsTo(owner.email)).map(({ text }) => text)).toEqual([expect.stringContaining("new@ewebal.com")]);
      const [waiting] = await list();
      expect(waiting).toMatchObject({
        email: "new@ewebal.com",
        role: "admin",
        state: "waiting",
        hasTwoFactor: false,
        lastSignInAt: null,
      });
      // Their customer's side does not open the administrators' either.
      const other = { ...owner, adminId: waiting?._id ?? "" };
      expect(await act("approve-admin", other)).toMatchObject({ status: 200 });
      expect(await signIn("new@ewebal.com")).toBe("in");
      expect((await list())[0]).toMatchObject({ state: "active", lastSignInAt: expect.any(String) as string });
      expect((await db.query("select admin_id, action from audit_entry order by audit_id")).rows).toEqual([
        { admin_id: other.adminId, action: "verify-admin" },
        { admin_id: owner.adminId, action: "approve-admin" },
      ]);
    },
  );

  withApproval(
    "an invited mailbox is let in as what it was invited, once",
    async ({ db, invite, join, mailsTo, signIn }) => {
      expect(await invite("stranger@gmail.com")).toMatchObject({ status: 403, code: "HOST_NOT_ALLOWED" });
      expect(await invite("owner@ewebal.com")).toMatchObject({ status: 409, code: "EMAIL_TAKEN" });
      expect(await invite("new@ewebal.com", "king")).toMatchObject({ status: 400, code: "VALIDATION" });
      expect(await invite("new@ewebal.com", "support")).toMatchObject({ status: 201 });
      expect((await mailsTo("new@ewebal.com"))[0]?.text).toContain("/admin-register");
      expect(await join("new@ewebal.com")).toBe(you);
      expect(await signIn("new@ewebal.com")).toBe("in");
      expect((await db.query("select role from admin where email = 'new@ewebal.com'")).rows).toEqual([
        { role: "support" },
      ]);
      expect((await db.query("select from admin_invitation")).rowCount).toBe(0);
    },
  );

  withApproval("an invitation is over after seven days", async ({ clock, invite, join }) => {
    await invite("new@ewebal.com");
    clock.advance(7 * 86_400_000);
    expect(await join("new@ewebal.com")).toMatch(/owner must approve you first/);
  });
});

describe("an owner", () => {
  test("blocks: every session of both sides ends, and nothing opens until the block is taken back", async ({
    act,
    app,
    db,
    signIn,
    signInAs,
    list,
  }) => {
    const email = "other@ewebal.com";
    const [other, customer] = [await buildAdmin(db, { email }), await buildUser(db, { email })];
    const [asAdmin, asUser] = [await signInAs(other), await signInAs(customer)];
    expect(await act("block-admin", other)).toMatchObject({ status: 200 });
    expect((await app.inject({ url: `/api/${other.adminId}/view-one-admin`, headers: asAdmin })).statusCode).toBe(401);
    expect((await app.inject({ url: `/api/${customer.userId}/view-one-user`, headers: asUser })).statusCode).toBe(401);
    expect([await signIn(email, FACTORY_PASSWORD), await signIn(email, "wrong one")]).toEqual([
      "BLOCKED",
      "PASSWORD_WRONG",
    ]);
    const switched = await app.inject({
      method: "POST",
      url: `/api/${customer.userId}/switch-to-admin`,
      headers: await signInAs(customer),
      payload: { password: FACTORY_PASSWORD },
    });
    expect(switched.json()).toMatchObject({ code: "BLOCKED" });
    expect((await list())[0]).toMatchObject({ state: "blocked" });
    expect(await act("unblock-admin", other)).toMatchObject({ status: 200 });
    expect(await signIn(email, FACTORY_PASSWORD)).toBe("in");
    expect((await db.query("select action, subject_id from audit_entry order by audit_id")).rows).toEqual([
      { action: "block-admin", subject_id: other.adminId },
      { action: "unblock-admin", subject_id: other.adminId },
    ]);
  });

  test("removes: the account is gone, and only an invitation lets the mailbox register again", async ({
    act,
    app,
    db,
    invite,
    join,
    list,
    signIn,
    signInAs,
  }) => {
    const other = await buildAdmin(db, { email: "other@ewebal.com", role: "owner" });
    const headers = await signInAs(other);
    expect(await act("remove-admin", other)).toMatchObject({ status: 200 });
    expect((await app.inject({ url: `/api/${other.adminId}/view-one-admin`, headers })).statusCode).toBe(401);
    expect(await signIn("other@ewebal.com", FACTORY_PASSWORD)).toBe("EMAIL_UNKNOWN");
    expect((await list()).map(({ email }) => email)).toEqual(["owner@ewebal.com"]);
    for (const call of ["approve-admin", "block-admin", "unblock-admin", "remove-admin"])
      expect(await act(call, other)).toMatchObject({ status: 404 });
    expect(await join("other@ewebal.com")).toBe("EMAIL_TAKEN");
    await invite("other@ewebal.com", "viewer");
    expect(await join("other@ewebal.com")).toBe(you);
    expect((await db.query("select role from admin where email = 'other@ewebal.com'")).rows).toEqual([
      { role: "viewer" },
    ]);
  });

  test("gives roles; the last owner stays", async ({ act, db, list, owner }) => {
    const other = await buildAdmin(db);
    expect(await act("set-admin-role", other, { role: "king" })).toMatchObject({ status: 400, code: "VALIDATION" });
    expect(await act("set-admin-role", other, { role: "finance" })).toMatchObject({ status: 200 });
    expect((await list())[0]).toMatchObject({ role: "finance" });
    for (const [call, payload] of [["set-admin-role", { role: "admin" }], ["block-admin"], ["remove-admin"]] as const) {
      expect(await act(call, owner, payload), call).toMatchObject({ status: 409, code: "LAST_OWNER" });
    }
    expect((await db.query("select action, before, after from audit_entry")).rows).toEqual([
      { action: "set-admin-role", before: { role: "admin" }, after: { role: "finance" } },
    ]);
    expect(await act("set-admin-role", other, { role: "owner" })).toMatchObject({ status: 200 });
    expect(await act("block-admin", owner, undefined, other)).toMatchObject({ status: 200 });
    expect(await act("remove-admin", other, undefined, other)).toMatchObject({ status: 409, code: "LAST_OWNER" });
  });

  test("is made and unmade by two owners, when there is a second one to sign", async ({
    act,
    app,
    db,
    owner,
    signInAs,
  }) => {
    const [second, other] = [await buildAdmin(db, { role: "owner", email: "second@ewebal.com" }), await buildAdmin(db)];
    const asked = await act("set-admin-role", other, { role: "owner" });
    expect(asked).toMatchObject({ status: 202 });
    const decide = async (as: BuiltAdmin) =>
      (
        await app.inject({
          method: "PATCH",
          url: `/api/${as.adminId}/${asked.data?._id}/approve`,
          headers: await signInAs(as),
        })
      ).statusCode;
    expect([await decide(owner), await decide(await buildAdmin(db)), await decide(second)]).toEqual([409, 403, 200]);
    expect((await db.query("select role from admin where admin_id = $1", [other.adminId])).rows).toEqual([
      { role: "owner" },
    ]);
  });
});

// Goal: two owners cannot undo each other at one moment. Method: the second waits until the first has committed.
test("two owners who remove each other at once: one stays", async ({ act, db, owner }) => {
  const second = await buildAdmin(db, { role: "owner", email: "second@ewebal.com" });
  const [, late] = await overlap(
    db,
    async (tx) => {
      await tx.query("select pg_advisory_xact_lock(4217004)");
      await tx.query(
        "update admin set removed_at = now(), verified_at = null, approved_at = null where admin_id = $1",
        [second.adminId],
      );
    },
    () => act("remove-admin", owner),
  );
  expect(late).toMatchObject({ value: { status: 409, code: "LAST_OWNER" } });
});
