import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { withTransaction } from "../../../db/transaction.ts";
import { topUpUnits } from "../../../ledger/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { readSummaries } from "./view-users.ts";

type UserList = { data: { _id: string; email: string }[]; next: string | null };

describe("one customer", () => {
  test("is refused to visitors and other customers, and an administrator's unknown id is 404", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other, admin] = [await buildUser(db), await buildUser(db), await buildAdmin(db)];
    const look = async (id: string, headers = {}): Promise<[number, string]> => {
      const answer = await app.inject({ method: "GET", url: `/api/${id}/view-one-user`, headers });
      return [answer.statusCode, answer.json<{ code: string }>().code];
    };
    expect(await look(user.userId)).toEqual([401, "AUTH_REQUIRED"]);
    expect(await look(user.userId, await signInAs(other))).toEqual([403, "FORBIDDEN"]);
    expect(await look(uuidv7(), await signInAs(admin))).toEqual([404, "NOT_FOUND"]);
    expect(await look("1", await signInAs(admin))).toEqual([400, "VALIDATION"]);
  });

  test("is shown to themselves and to administrators, without the password", async ({ app, db, signInAs }) => {
    const user = await buildUser(db, {
      userName: "Ada",
      fullName: "Ada Obi",
      email: "ada@gmail.com",
      phoneNo: "8031234567",
      createdAt: new Date("2026-03-01T08:00:00Z"),
    });
    await withTransaction(
      db,
      async (tx) =>
        await topUpUnits(tx, { userId: user.userId, amountMilli: 1_234_567, source: "manual", reference: "1" }),
    );
    for (const person of [user, await buildAdmin(db)]) {
      const answer = await app.inject({
        method: "GET",
        url: `/api/${user.userId}/view-one-user`,
        headers: await signInAs(person),
      });
      expect(answer.statusCode).toBe(200);
      expect(answer.json<{ data: unknown }>().data).toEqual({
        _id: user.userId,
        userName: "Ada",
        fullName: "Ada Obi",
        email: "ada@gmail.com",
        phoneNo: "8031234567",
        units: 1234.56,
        role: "user",
        loginStatus: true,
        verified: true,
        blocked: false,
        isApproved: false,
        hasTwoFactor: false,
        senderID: [],
        createdAt: "2026-03-01T08:00:00.000Z",
        sms: [],
        draft: [],
        phonebook: [],
        transfers: [],
        counts: { sms: 0, draft: 0, phonebook: 0, transfers: 0 },
      });
    }
  });

  test("is not signed in once the last session is idle", async ({ app, db, clock, signInAs }) => {
    const [user, admin] = [await buildUser(db), await buildAdmin(db)];
    await signInAs(user);
    clock.advance(21 * 60_000);
    const answer = await app.inject({
      method: "GET",
      url: `/api/${user.userId}/view-one-user`,
      headers: await signInAs(admin),
    });
    expect(answer.json()).toMatchObject({ data: { loginStatus: false } });
  });

  test("shows what each feature says about them", async ({ db }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const users = [user, other].map(({ userId, email }) => ({ userId, email, isVerified: true }));
    const summaryOf = await readSummaries(
      db,
      [
        () => Promise.resolve(new Map([[user.userId, { senderNames: ["ADA"], sms: { newestIds: ["1"], count: 7 } }]])),
        () => Promise.resolve(new Map([[user.userId, { isAdmin: true }]])),
      ],
      users,
    );
    expect(summaryOf(user.userId)).toMatchObject({
      isAdmin: true,
      senderNames: ["ADA"],
      sms: { newestIds: ["1"], count: 7 },
      draft: { count: 0 },
    });
    expect(summaryOf(other.userId)).toMatchObject({
      isAdmin: false,
      senderNames: [],
      sms: { newestIds: [], count: 0 },
    });
  });
});

describe("all customers", () => {
  test("are refused to visitors and customers, and wrong queries are named", async ({ app, db, signInAs }) => {
    const get = async (query: string, headers = {}): Promise<[number, string, string[]]> => {
      const answer = await app.inject({ method: "GET", url: `/api/view-all-users${query}`, headers });
      const body = answer.json<{ code: string; fields?: object }>();
      return [answer.statusCode, body.code, Object.keys(body.fields ?? {})];
    };
    expect(await get("")).toEqual([401, "AUTH_REQUIRED", []]);
    expect(await get("", await signInAs(await buildUser(db)))).toEqual([403, "FORBIDDEN", []]);
    const admin = await signInAs(await buildAdmin(db));
    for (const limit of ["0", "101", "-1", "1.5", "x", "٣"])
      expect(await get(`?limit=${limit}`, admin)).toEqual([400, "VALIDATION", ["limit"]]);
    expect(await get("?limit=1&limit=2", admin)).toEqual([400, "VALIDATION", ["limit"]]);
    expect(await get("?after=7", admin)).toEqual([400, "VALIDATION", ["after"]]);
    expect(await get("?search=%00", admin)).toEqual([400, "VALIDATION", ["search"]]);
    expect(await get("?filter=rich", admin)).toEqual([400, "VALIDATION", ["filter"]]);
    expect(await get("?sort=password_hash", admin)).toEqual([400, "VALIDATION", ["sort"]]);
    expect(await get("?order=up", admin)).toEqual([400, "VALIDATION", ["order"]]);
  });

  test("come newest first, page by page, each once", async ({ app, db, signInAs }) => {
    const users = [];
    for (let index = 0; index < 5; index += 1) users.push(await buildUser(db));
    const headers = await signInAs(await buildAdmin(db));
    const seen: string[] = [];
    let after = "";
    for (let page = 0; page < 3; page += 1) {
      const list = (
        await app.inject({ method: "GET", url: `/api/view-all-users?limit=2${after}`, headers })
      ).json<UserList>();
      seen.push(...list.data.map(({ _id }) => _id));
      expect(list.next === null).toBe(page === 2);
      after = `&after=${list.next}`;
    }
    expect(seen).toEqual(users.map(({ userId }) => userId).toReversed());
  });

  test("are found by a part of name, e-mail or phone, as text and not as a pattern", async ({ app, db, signInAs }) => {
    const ada = await buildUser(db, {
      userName: "Ada",
      fullName: "Ada 100% Obi",
      email: "ada_obi@gmail.com",
      phoneNo: "8031234567",
    });
    await buildUser(db, { userName: "Bola", email: "bola@gmail.com", phoneNo: "8050000000" });
    const headers = await signInAs(await buildAdmin(db));
    const find = async (search: string): Promise<string[]> => {
      const list = (
        await app.inject({ method: "GET", url: `/api/view-all-users?search=${encodeURIComponent(search)}`, headers })
      ).json<UserList>();
      return list.data.map(({ _id }) => _id);
    };
    for (const search of ["ada", "OBI", "100%", "ada_", "0312", "08031234567", "+234 803 123 4567", "2348031"])
      expect(await find(search), search).toEqual([ada.userId]);
    expect(await find("%")).toEqual([ada.userId]);
    expect(await find("nobody")).toEqual([]);
  });

  test("come in the order that is asked for, page by page, each once, also with equal names", async ({
    app,
    db,
    signInAs,
  }) => {
    for (const [userName, email] of [
      ["bola", "c@gmail.com"],
      ["Ada", "b@gmail.com"],
      ["ada", "d@gmail.com"],
      ["Chidi", "a@gmail.com"],
    ] as const) {
      await buildUser(db, { userName, fullName: `${userName} Obi`, email });
    }
    const headers = await signInAs(await buildAdmin(db));
    const read = async (query: string): Promise<string[]> => {
      const emails: string[] = [];
      let after = "";
      do {
        const list = (
          await app.inject({ method: "GET", url: `/api/view-all-users?limit=1${query}${after}`, headers })
        ).json<UserList>();
        emails.push(...list.data.map(({ email }) => email.slice(0, 1)));
        after = list.next === null ? "" : `&after=${list.next}`;
      } while (after !== "");
      return emails;
    };
    for (const sort of ["userName", "fullName"]) {
      expect(await read(`&sort=${sort}`)).toEqual(["b", "d", "c", "a"]);
      expect(await read(`&sort=${sort}&order=desc`)).toEqual(["a", "c", "d", "b"]);
    }
    expect(await read("&sort=email")).toEqual(["a", "b", "c", "d"]);
    expect(await read("&sort=email&order=desc&search=obi")).toEqual(["d", "c", "b", "a"]);
    expect(await read("&sort=createdAt")).toEqual(["a", "d", "b", "c"]);
    expect(await read("&order=asc")).toEqual(["c", "b", "d", "a"]);
  });

  test("can be those who are signed in, blocked, verified or not", async ({ app, db, clock, signInAs }) => {
    const [idle, active] = [await buildUser(db), await buildUser(db)];
    const [blocked, unverified] = [
      await buildUser(db, { isBlocked: true }),
      await buildUser(db, { isVerified: false }),
    ];
    await signInAs(idle);
    clock.advance(21 * 60_000);
    await signInAs(active);
    const headers = await signInAs(await buildAdmin(db));
    const filter = async (name: string): Promise<string[]> => {
      const list = (
        await app.inject({ method: "GET", url: `/api/view-all-users?filter=${name}`, headers })
      ).json<UserList>();
      return list.data.map(({ _id }) => _id);
    };
    expect(await filter("active")).toEqual([active.userId]);
    expect(await filter("blocked")).toEqual([blocked.userId]);
    expect(await filter("unverified")).toEqual([unverified.userId]);
    expect(await filter("verified")).toEqual([blocked.userId, active.userId, idle.userId]);
  });
});

describe("changing one's own record", () => {
  const body = { userName: "Ada", fullName: "Ada Òbí", phoneNo: "08031234567" };

  test("is refused to anybody else, administrators included, and with wrong fields", async ({ app, db, signInAs }) => {
    const [user, other, admin] = [await buildUser(db), await buildUser(db), await buildAdmin(db)];
    const url = `/api/${user.userId}/update-personal-info`;
    const patch = async (payload: object, headers = {}): Promise<[number, string, string[]]> => {
      const answer = await app.inject({ method: "PATCH", url, payload, headers });
      const { code, fields } = answer.json<{ code: string; fields?: object }>();
      return [answer.statusCode, code, Object.keys(fields ?? {}).toSorted()];
    };
    expect(await patch(body)).toEqual([401, "AUTH_REQUIRED", []]);
    expect(await patch(body, await signInAs(other))).toEqual([403, "FORBIDDEN", []]);
    expect(await patch(body, await signInAs(admin))).toEqual([403, "FORBIDDEN", []]);
    const mine = await signInAs(user);
    expect(await patch({}, mine)).toEqual([400, "VALIDATION", ["fullName", "phoneNo", "userName"]]);
    expect(await patch({ userName: "Ada7", fullName: "<b>", phoneNo: "8a" }, mine)).toEqual([
      400,
      "VALIDATION",
      ["fullName", "phoneNo", "userName"],
    ]);
    expect((await db.query("select from app_user where user_name = 'Ada'")).rowCount).toBe(0);
  });

  test("takes three fields and no others", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const payload = { ...body, email: "new@gmail.com", role: "admin", units: 5, isApproved: true };
    const answer = await app.inject({
      method: "PATCH",
      url: `/api/${user.userId}/update-personal-info`,
      payload,
      headers: await signInAs(user),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      data: {
        userName: "Ada",
        fullName: "Ada Òbí",
        phoneNo: "8031234567",
        email: user.email,
        isApproved: false,
        units: 0,
      },
    });
  });
});
