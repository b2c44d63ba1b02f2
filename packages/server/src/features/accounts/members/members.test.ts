import { describe } from "vitest";
import type { AuditEntryAnswer, MemberAnswer } from "@ewebal/contract";
import { expect, linkToken, overlap, test as base } from "../../../testing/app.ts";
import { buildAdmin, type BuiltUser, buildMember, buildUser, FACTORY_PASSWORD } from "../../../testing/factories.ts";

type Answer<Data = MemberAnswer> = { status: number; code?: string; message: string; data: Data };

const test = base.extend<{
  owner: BuiltUser;
  /** A call about the owner's account. */
  act: (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object, as?: BuiltUser) => Promise<Answer>;
  invite: (email: string, role?: string, as?: BuiltUser) => Promise<Answer>;
  list: () => Promise<MemberAnswer[]>;
  /** Registers a mailbox and follows the link that proves it. */
  register: (email: string) => Promise<void>;
  /** @returns the id in the token; the code of a refusal. */
  signIn: (email: string, password?: string) => Promise<string>;
}>({
  owner: async ({ db }, use) => await use(await buildUser(db, { fullName: "Acme Limited", email: "owner@gmail.com" })),
  act: async ({ app, owner, signInAs }, use) => {
    await use(async (method, path, payload, as = owner) => {
      const url = `/api/${owner.userId}/${path}`;
      const answer = await app.inject({ method, url, headers: await signInAs(as), ...(payload && { payload }) });
      return { status: answer.statusCode, ...answer.json<Omit<Answer, "status">>() };
    });
  },
  invite: async ({ act }, use) => {
    await use(async (email, role = "sender", as?: BuiltUser) => await act("POST", "members", { email, role }, as));
  },
  list: async ({ act }, use) => {
    await use(async () => (await act("GET", "members")).data as unknown as MemberAnswer[]);
  },
  register: async ({ app, mailsTo }, use) => {
    await use(async (email) => {
      const payload = {
        userName: "Ada",
        fullName: "Ada Obi",
        email,
        password: "seven brave goats",
        phoneNo: "8031234567",
      };
      await app.inject({ method: "POST", url: "/api/create-user", payload });
      await app.inject({ url: `/api/${linkToken((await mailsTo(email)).at(-1), "verify-user")}/verify-user` });
    });
  },
  signIn: async ({ app }, use) => {
    await use(async (email, password = "seven brave goats") => {
      const answer = await app.inject({ method: "POST", url: "/api/sign-in-user", payload: { email, password } });
      const { data, code } = answer.json<{ data?: string; code?: string }>();
      const [, payload = ""] = data?.split(".") ?? [];
      return code ?? (JSON.parse(Buffer.from(payload, "base64url").toString()) as { id: string }).id;
    });
  },
});

describe("inviting", () => {
  test("is refused to other roles and other accounts, and for what is no e-mail, no role and no news", async ({
    db,
    owner,
    invite,
  }) => {
    for (const role of ["viewer", "sender", "approver"] as const)
      expect(
        await invite("new@gmail.com", "sender", await buildMember(db, { accountId: owner.userId, role })),
      ).toMatchObject({ code: "FORBIDDEN" });
    expect(await invite("new@gmail.com", "sender", await buildUser(db))).toMatchObject({ code: "FORBIDDEN" });
    expect(await invite("new@ewebal.com")).toMatchObject({ code: "HOST_NOT_ALLOWED" });
    expect(await invite("nobody")).toMatchObject({
      code: "VALIDATION",
      fields: { email: expect.any(String) as string },
    });
    expect(await invite("new@gmail.com", "king")).toMatchObject({ code: "VALIDATION" });
    expect(await invite(owner.email)).toMatchObject({ status: 409, code: "EMAIL_TAKEN" });
    expect(await invite("new@gmail.com")).toMatchObject({
      status: 201,
      data: { state: "invited", role: "sender", isYou: false },
    });
    expect(await invite(" NEW@gmail.com ")).toMatchObject({ status: 409, code: "EMAIL_TAKEN" });
  });

  test("a mailbox without an account: registering lets it in, for the account that invited it", async ({
    db,
    owner,
    invite,
    list,
    mailsTo,
    register,
    signIn,
  }) => {
    await invite("ada@gmail.com", "approver");
    expect((await mailsTo("ada@gmail.com"))[0]?.text).toMatch(/Acme Limited invites you[^]*\/register/);
    await register("ada@gmail.com");
    expect(await list()).toMatchObject([
      { _id: owner.userId, role: "owner", isYou: true },
      { email: "ada@gmail.com", role: "approver", state: "active", fullName: "Ada Obi" },
    ]);
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual([expect.stringContaining("Ada Obi")]);
    expect(await signIn("ada@gmail.com")).toBe(owner.userId);
    await db.query("update app_user set blocked_at = now() where user_id = $1", [owner.userId]);
    expect(await signIn("ada@gmail.com")).toBe("BLOCKED");
  });

  test("a customer is in at once, keeps the own account, and goes on in the other one with the same session's rights", async ({
    app,
    db,
    owner,
    invite,
    signIn,
    signInAs,
  }) => {
    const customer = await buildUser(db, { email: "ada@gmail.com" });
    const switchTo = async (accountId: string, userId = customer.userId) =>
      await app.inject({
        method: "POST",
        url: `/api/${userId}/switch-account`,
        headers: await signInAs(customer),
        payload: { accountId },
      });
    expect((await switchTo(owner.userId)).statusCode).toBe(403);
    expect(await invite("ada@gmail.com", "viewer")).toMatchObject({ status: 201, data: { state: "active" } });
    expect(await signIn("ada@gmail.com", FACTORY_PASSWORD)).toBe(customer.userId);
    const { data: token } = (await switchTo(owner.userId)).json<{ data: string }>();
    const headers = { authorization: `Bearer ${token}` };
    expect((await app.inject({ url: `/api/${owner.userId}/statement`, headers })).statusCode).toBe(200);
    expect((await app.inject({ method: "POST", url: "/api/paystack-payment", headers, payload: {} })).statusCode).toBe(
      403,
    );
    expect((await switchTo(customer.userId, owner.userId)).statusCode).toBe(200);
  });

  test("an invitation is over after seven days, and a new one takes its place", async ({
    clock,
    db,
    invite,
    list,
    register,
    signIn,
  }) => {
    await invite("ada@gmail.com");
    clock.advance(7 * 86_400_000);
    expect(await list()).toHaveLength(1);
    await register("ada@gmail.com");
    const { rows } = await db.query<{ id: string }>("select user_id as id from app_user where email = 'ada@gmail.com'");
    expect(await signIn("ada@gmail.com")).toBe(rows[0]?.id);
    expect(await invite("ada@gmail.com")).toMatchObject({ status: 201, data: { state: "active" } });
  });

  test("a mailbox that a member has no more is another person's, and can be invited", async ({
    app,
    db,
    owner,
    invite,
    list,
    signInAs,
  }) => {
    const member = await buildMember(db, { accountId: owner.userId, role: "viewer", email: "ada@gmail.com" });
    const headers = await signInAs(await buildAdmin(db));
    const url = `/api/${member.userId}/update-user`;
    const payload = { email: "ada.obi@gmail.com" };
    expect((await app.inject({ method: "PATCH", url, headers, payload })).statusCode).toBe(200);
    expect(await invite("ada.obi@gmail.com")).toMatchObject({ status: 409, code: "EMAIL_TAKEN" });
    await buildUser(db, { email: "ada@gmail.com" });
    expect(await invite("ada@gmail.com", "sender")).toMatchObject({ status: 201, data: { state: "active" } });
    expect((await list()).map(({ email }) => email)).toEqual([owner.email, "ada.obi@gmail.com", "ada@gmail.com"]);
  });

  // Goal: one mailbox is not invited twice. Method: the second invitation waits for the account's row.
  test("two invitations of a mailbox at once: the second is refused", async ({ db, owner, invite }) => {
    const [, late] = await overlap(
      db,
      async (tx) => {
        await tx.query("select from app_user where user_id = $1 for no key update", [owner.userId]);
        await tx.query(
          `insert into account_member (user_id, member_id, email, role, invited_by, created_at, expires_at)
           values ($1, gen_random_uuid(), 'ada@gmail.com', 'viewer', $1, now(), now() + interval '1 day')`,
          [owner.userId],
        );
      },
      () => invite("ada@gmail.com"),
    );
    expect(late).toMatchObject({ value: { status: 409, code: "EMAIL_TAKEN" } });
  });
});

test("roles change and members go; the account's own user stays owner", async ({
  app,
  db,
  owner,
  act,
  list,
  signInAs,
}) => {
  const [member, other] = [
    await buildMember(db, { accountId: owner.userId, role: "viewer" }),
    await buildMember(db, { accountId: (await buildUser(db)).userId, role: "viewer" }),
  ];
  expect(await act("PATCH", `${other.memberId}/member`, { role: "owner" })).toMatchObject({ code: "NOT_FOUND" });
  expect(await act("DELETE", `${other.memberId}/member`)).toMatchObject({ code: "NOT_FOUND" });
  expect(await act("PATCH", `${member.memberId}/member`, { role: "owner", bogus: 1 })).toMatchObject({
    code: "VALIDATION",
  });
  expect(await act("PATCH", `${member.memberId}/member`, { role: "owner" })).toMatchObject({
    status: 200,
    data: { role: "owner" },
  });
  for (const as of [owner, member]) {
    expect(await act("PATCH", `${owner.userId}/member`, { role: "viewer" }, as)).toMatchObject({
      status: 409,
      code: "LAST_OWNER",
    });
    expect(await act("DELETE", `${owner.userId}/member`, undefined, as)).toMatchObject({
      status: 409,
      code: "LAST_OWNER",
    });
  }
  const headers = await signInAs(member);
  const read = async () => (await app.inject({ url: `/api/${owner.userId}/statement`, headers })).statusCode;
  expect(await read()).toBe(200);
  expect(await act("DELETE", `${member.memberId}/member`)).toMatchObject({ status: 200 });
  expect(await read()).toBe(401);
  expect((await db.query("select from session where actor_id = $1", [member.userId])).rowCount).toBe(0);
  expect(await list()).toHaveLength(1);
});

test("blocking an account ends what its members opened for it, and leaves their other sessions", async ({
  app,
  db,
  owner,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  const member = await buildMember(db, { accountId: owner.userId, role: "sender" });
  const headers = await signInAs(member);
  await app.inject({ method: "PATCH", url: `/api/${owner.userId}/block-user`, headers: await signInAs(admin) });
  expect((await app.inject({ url: `/api/${owner.userId}/statement`, headers })).statusCode).toBe(401);
  const outsider = await buildMember(db, { accountId: owner.userId, role: "sender", isHome: false });
  const theirs = await signInAs(outsider);
  expect((await app.inject({ url: `/api/${owner.userId}/statement`, headers: theirs })).statusCode).toBe(403);
  expect((await app.inject({ url: `/api/${outsider.userId}/statement`, headers: theirs })).statusCode).toBe(200);
});

test("what owners do about members is in the audit under their names, once; what was refused is not", async ({
  app,
  db,
  owner,
  act,
  invite,
  signInAs,
}) => {
  const second = await buildMember(db, { accountId: owner.userId, role: "owner", userName: "Bola" });
  const { data } = await invite("ada@gmail.com", "viewer", second);
  expect((await invite("ada@gmail.com", "viewer", second)).code).toBe("EMAIL_TAKEN");
  await act("PATCH", `${data._id}/member`, { role: "approver" }, second);
  await act("DELETE", `${data._id}/member`);
  await act("PATCH", "approval-limit", { recipients: 5 }, second);
  const headers = await signInAs(await buildAdmin(db));
  const read = async (query: string) =>
    (await app.inject({ url: `/api/view-audit-entries?${query}`, headers })).json<{ data: AuditEntryAnswer[] }>().data;
  const entries = await read(`subjectId=${owner.userId}`);
  expect(
    entries.map(({ action, adminName, isCustomer, before, after }) => [action, adminName, isCustomer, before, after]),
  ).toEqual([
    ["set-approval-limit", "Bola", true, { recipients: null }, { recipients: 5 }],
    ["remove-member", owner.userName, true, { email: "ada@gmail.com", role: "approver" }, undefined],
    [
      "edit-member",
      "Bola",
      true,
      { email: "ada@gmail.com", role: "viewer" },
      { email: "ada@gmail.com", role: "approver" },
    ],
    ["invite-member", "Bola", true, undefined, { email: "ada@gmail.com", role: "viewer" }],
  ]);
  expect(await read(`adminId=${second.userId}`)).toHaveLength(3);
  expect(await read("person=BOLA&kind=accounts")).toHaveLength(3);
  const state = (await app.inject({ url: "/api/view-audit-state", headers })).json<{ data: { isWhole: boolean } }>();
  expect(state.data.isWhole).toBe(true);
});
