import { limits } from "@ewebal/contract";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { createEventHub, createListen } from "../../../events/index.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltAdmin, type BuiltUser } from "../../../testing/factories.ts";

type Announcement = {
  _id: string;
  hint: string;
  message: string;
  createdAt: string;
  version: number;
  editedAt?: string;
};
type Answer = { status: number; body: { message: string; code?: string; fields?: object; data?: Announcement } };

const test = base.extend<{
  admin: BuiltAdmin;
  headers: object;
  post: (payload: object) => Promise<Answer>;
  clear: (first: string, second: string) => Promise<[number, string | undefined]>;
  edit: (announcementId: string, payload: object) => Promise<Answer>;
  dismiss: (user: BuiltUser, announcementId: string, payload: object) => Promise<[number, string | undefined]>;
  /** The hints that this person reads. */
  hintsOf: (person: BuiltUser | BuiltAdmin, query?: string) => Promise<string[]>;
}>({
  admin: async ({ db }, use) => {
    await use(await buildAdmin(db));
  },
  headers: async ({ admin, signInAs }, use) => {
    await use(await signInAs(admin));
  },
  post: async ({ app, admin, headers }, use) => {
    await use(async (payload) => {
      const answer = await app.inject({
        method: "POST",
        url: `/api/${admin.adminId}/make-general-announcement`,
        payload,
        headers: { ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  clear: async ({ app, headers }, use) => {
    await use(async (first, second) => {
      const answer = await app.inject({
        method: "DELETE",
        url: `/api/${first}/${second}/clear-general-announcement`,
        headers: { ...headers },
      });
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    });
  },
  edit: async ({ app, admin, headers }, use) => {
    await use(async (announcementId, payload) => {
      const answer = await app.inject({
        method: "PATCH",
        url: `/api/${admin.adminId}/${announcementId}/edit-general-announcement`,
        payload,
        headers: { ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  dismiss: async ({ app, signInAs }, use) => {
    await use(async (user, announcementId, payload) => {
      const answer = await app.inject({
        method: "POST",
        url: `/api/${user.userId}/${announcementId}/dismiss-announcement`,
        payload,
        headers: await signInAs(user),
      });
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    });
  },
  hintsOf: async ({ app, signInAs }, use) => {
    await use(async (person, query = "") => {
      const answer = await app.inject({
        url: `/api/view-general-announcement${query}`,
        headers: await signInAs(person),
      });
      return answer.json<{ data: Announcement[] }>().data.map(({ hint }) => hint);
    });
  },
});

const text = { hint: "New prices", message: "From Monday on.\nSee the rates page." };

describe("refusals", () => {
  test("posting and clearing are for administrators, under their own id; reading is for everybody who is signed in", async ({
    app,
    db,
    admin,
    post,
    signInAs,
  }) => {
    const { body } = await post(text);
    const [user, other] = [await buildUser(db), await buildAdmin(db)];
    const ask = async (
      method: "GET" | "POST" | "DELETE",
      url: string,
      headers = {},
    ): Promise<[number, string | undefined]> => {
      const answer = await app.inject({ method, url, headers, ...(method === "POST" && { payload: text }) });
      return [answer.statusCode, answer.json<{ code?: string }>().code];
    };
    const make = (id: string): string => `/api/${id}/make-general-announcement`;
    const clear = (id: string): string => `/api/${id}/${body.data?._id}/clear-general-announcement`;
    expect(await ask("GET", "/api/view-general-announcement")).toEqual([401, "AUTH_REQUIRED"]);
    expect(await ask("POST", make(admin.adminId))).toEqual([401, "AUTH_REQUIRED"]);
    expect(await ask("DELETE", clear(admin.adminId))).toEqual([401, "AUTH_REQUIRED"]);
    const asUser = await signInAs(user);
    expect(await ask("POST", make(user.userId), asUser)).toEqual([403, "FORBIDDEN"]);
    expect(await ask("DELETE", clear(user.userId), asUser)).toEqual([403, "FORBIDDEN"]);
    const asOther = await signInAs(other);
    expect(await ask("POST", make(admin.adminId), asOther)).toEqual([403, "FORBIDDEN"]);
    expect(await ask("DELETE", clear(admin.adminId), asOther)).toEqual([403, "FORBIDDEN"]);
    expect((await db.query("select from announcement")).rowCount).toBe(1);
  });

  test.for([
    [{}, ["hint", "message"]],
    [{ hint: " ", message: "\n" }, ["hint", "message"]],
    [{ hint: "x".repeat(limits.subjectCharactersMax + 1), message: "y" }, ["hint"]],
    [{ hint: "x", message: "y".repeat(limits.announcementCharactersMax + 1) }, ["message"]],
    [{ hint: "x\u0000", message: "y\u0007" }, ["hint", "message"]],
    [{ hint: ["x"], message: 7 }, ["hint", "message"]],
  ] as const)("%j names its wrong fields", async ([payload, fields], { db, post }) => {
    const { status, body } = await post(payload);
    expect([status, body.code, Object.keys(body.fields ?? {}).toSorted()]).toEqual([400, "VALIDATION", [...fields]]);
    expect((await db.query("select from announcement")).rowCount).toBe(0);
  });

  test("a cursor that is none, and an announcement that there is not", async ({ app, admin, headers, clear }) => {
    const list = await app.inject({
      method: "GET",
      url: "/api/view-general-announcement?after=7",
      headers: { ...headers },
    });
    expect(list.json()).toMatchObject({ code: "VALIDATION", fields: { after: expect.any(String) as string } });
    expect(await clear(admin.adminId, uuidv7())).toEqual([404, "NOT_FOUND"]);
    expect(await clear(admin.adminId, admin.adminId)).toEqual([404, "NOT_FOUND"]);
    expect(await clear(uuidv7(), uuidv7())).toEqual([403, "FORBIDDEN"]);
  });
});

describe("announcements", () => {
  test("are read by customers and administrators, newest first, page by page", async ({
    app,
    db,
    post,
    headers,
    signInAs,
  }) => {
    for (const hint of ["one", "two", "three"]) expect(await post({ ...text, hint })).toMatchObject({ status: 200 });
    for (const person of [headers, await signInAs(await buildUser(db))]) {
      const read = async (query: string): Promise<{ data: Announcement[]; next: string | null }> =>
        (
          await app.inject({ method: "GET", url: `/api/view-general-announcement${query}`, headers: { ...person } })
        ).json();
      const first = await read("?limit=2");
      expect(first.data.map(({ hint }) => hint)).toEqual(["three", "two"]);
      expect(first.data[0]).toEqual({
        _id: expect.any(String) as string,
        hint: "three",
        message: text.message,
        createdAt: expect.any(String) as string,
        version: 1,
      });
      const second = await read(`?limit=2&after=${first.next}`);
      expect([second.data.map(({ hint }) => hint), second.next]).toEqual([["one"], null]);
    }
  });

  test("are cleared with the ids in either order, once, and the audit keeps their text", async ({
    db,
    admin,
    post,
    clear,
  }) => {
    const ids: string[] = [];
    for (let index = 0; index < 2; index += 1) ids.push((await post(text)).body.data?._id ?? "");
    expect(await clear(admin.adminId, ids[0] ?? "")).toEqual([200, undefined]);
    expect(await clear(ids[1] ?? "", admin.adminId)).toEqual([200, undefined]);
    expect(await clear(admin.adminId, ids[0] ?? "")).toEqual([404, "NOT_FOUND"]);
    expect((await db.query("select from announcement")).rowCount).toBe(0);
    const { rows } = await db.query("select action, subject_id, before, after from audit_entry order by audit_id");
    expect(rows).toMatchObject([
      { action: "make-general-announcement", subject_id: ids[0], before: null, after: text },
      { action: "make-general-announcement", subject_id: ids[1] },
      { action: "clear-general-announcement", subject_id: ids[0], before: text, after: null },
      { action: "clear-general-announcement", subject_id: ids[1] },
    ]);
  });

  test("are told to every open page, customers' too", async ({ databaseUrl, post }) => {
    const hub = createEventHub({
      listen: createListen(
        () => databaseUrl,
        () => undefined,
      ),
      log: pino({ level: "silent" }),
      findEndedSessions: () => Promise.resolve([]),
    });
    try {
      const pages = (["user", "admin"] as const).map((kind) =>
        hub.open({ sessionId: uuidv7(), actorId: uuidv7(), accountId: uuidv7(), kind }),
      );
      const heard = pages.map(async (page) => {
        for await (const chunk of page) if (String(chunk).includes('"announcements"')) return;
      });
      await Promise.all(pages.map(async (page) => await new Promise((resolve) => page.once("readable", resolve))));
      await post(text);
      await Promise.all(heard);
    } finally {
      await hub.close();
    }
  });

  test("two who clear one at once: one does, the other finds nothing", async ({ db, admin, post, clear }) => {
    const id = (await post(text)).body.data?._id ?? "";
    const answers = await Promise.all([clear(admin.adminId, id), clear(id, admin.adminId)]);
    expect(answers.map(([status]) => String(status)).toSorted()).toEqual(["200", "404"]);
    expect((await db.query("select from audit_entry where action = 'clear-general-announcement'")).rowCount).toBe(1);
  });
});

describe("an edit", () => {
  test("is for administrators under their own id, of an announcement that there is, with both fields and no other", async ({
    app,
    db,
    admin,
    post,
    edit,
    signInAs,
  }) => {
    const id = (await post(text)).body.data?._id ?? "";
    const [user, other] = [await buildUser(db), await buildAdmin(db)];
    const ask = async (ownId: string, headers = {}): Promise<number> =>
      (
        await app.inject({
          method: "PATCH",
          url: `/api/${ownId}/${id}/edit-general-announcement`,
          payload: { ...text, hint: "Other" },
          headers,
        })
      ).statusCode;
    expect(await ask(admin.adminId)).toBe(401);
    expect(await ask(user.userId, await signInAs(user))).toBe(403);
    expect(await ask(admin.adminId, await signInAs(other))).toBe(403);
    expect(await ask(admin.adminId, await signInAs(await buildAdmin(db, { role: "support" })))).toBe(403);
    expect(await edit(uuidv7(), text)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    for (const payload of [{ hint: "x" }, { ...text, hint: " " }, { ...text, version: 2 }])
      expect(await edit(id, payload)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect((await db.query("select from announcement where version = 1 and hint = $1", [text.hint])).rowCount).toBe(1);
  });

  test("changes the text in place, is its next version, and stands in the audit; the same text again is none", async ({
    db,
    clock,
    post,
    edit,
  }) => {
    const first = (await post(text)).body.data;
    await post({ ...text, hint: "Newer" });
    clock.advance(60_000);
    const changed = { hint: "New prices", message: "From Tuesday on." };
    const answer = await edit(first?._id ?? "", changed);
    const expected = { ...first, ...changed, version: 2, editedAt: clock.now().toISOString() };
    expect(answer).toMatchObject({ status: 200, body: { data: expected } });
    expect(await edit(first?._id ?? "", changed)).toMatchObject({ status: 200, body: { data: expected } });
    const { rows } = await db.query("select before, after from audit_entry where action = 'edit-general-announcement'");
    expect(rows).toEqual([{ before: text, after: changed }]);
  });
});

describe("a dismissal", () => {
  test("is for the customer alone, of an announcement and a version that there are, with no other field", async ({
    app,
    db,
    admin,
    post,
    headers,
    dismiss,
    signInAs,
  }) => {
    const id = (await post(text)).body.data?._id ?? "";
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const url = `/api/${user.userId}/${id}/dismiss-announcement`;
    const payload = { version: 1 };
    expect((await app.inject({ method: "POST", url, payload })).statusCode).toBe(401);
    for (const stranger of [await signInAs(other), { ...headers }])
      expect((await app.inject({ method: "POST", url, payload, headers: stranger })).statusCode).toBe(403);
    const own = `/api/${admin.adminId}/${id}/dismiss-announcement`;
    expect((await app.inject({ method: "POST", url: own, payload, headers: { ...headers } })).statusCode).toBe(403);
    expect(await dismiss(user, uuidv7(), payload)).toEqual([404, "NOT_FOUND"]);
    for (const wrong of [{}, { version: 0 }, { version: "1" }, { version: 2 }, { version: 1, forEver: true }])
      expect(await dismiss(user, id, wrong)).toEqual([400, "VALIDATION"]);
    expect((await db.query("select from announcement_dismissal")).rowCount).toBe(0);
  });

  test("holds for this customer on every device, and pages go on behind it", async ({
    db,
    admin,
    post,
    dismiss,
    hintsOf,
  }) => {
    const ids: string[] = [];
    for (const hint of ["one", "two", "three"]) ids.push((await post({ ...text, hint })).body.data?._id ?? "");
    const [user, other] = [await buildUser(db), await buildUser(db)];
    for (let times = 0; times < 2; times += 1)
      expect(await dismiss(user, ids[2] ?? "", { version: 1 })).toEqual([200, undefined]);
    expect(await hintsOf(user)).toEqual(["two", "one"]);
    expect(await hintsOf(user, "?limit=1")).toEqual(["two"]);
    expect(await hintsOf(user, `?after=${ids[1]}`)).toEqual(["one"]);
    for (const person of [other, admin]) expect(await hintsOf(person)).toEqual(["three", "two", "one"]);
  });

  test("ends with an edit, even one that came before it and was not seen; a new announcement is shown", async ({
    db,
    post,
    edit,
    dismiss,
    hintsOf,
  }) => {
    const id = (await post(text)).body.data?._id ?? "";
    const user = await buildUser(db);
    await dismiss(user, id, { version: 1 });
    expect(await hintsOf(user)).toEqual([]);
    await edit(id, { ...text, hint: "New prices from Tuesday" });
    expect(await hintsOf(user)).toEqual(["New prices from Tuesday"]);
    expect(await dismiss(user, id, { version: 1 })).toEqual([200, undefined]);
    expect(await hintsOf(user)).toEqual(["New prices from Tuesday"]);
    await dismiss(user, id, { version: 2 });
    await dismiss(user, id, { version: 1 });
    expect(await hintsOf(user)).toEqual([]);
    await post({ ...text, hint: "Fresh" });
    expect(await hintsOf(user)).toEqual(["Fresh"]);
  });

  test("goes with its announcement", async ({ db, admin, post, clear, dismiss }) => {
    const [first = "", second = ""] = [(await post(text)).body.data?._id, (await post(text)).body.data?._id];
    const user = await buildUser(db);
    for (const id of [first, second]) await dismiss(user, id, { version: 1 });
    await clear(admin.adminId, first);
    const { rows } = await db.query<{ id: string }>("select announcement_id as id from announcement_dismissal");
    expect(rows).toEqual([{ id: second }]);
  });
});
