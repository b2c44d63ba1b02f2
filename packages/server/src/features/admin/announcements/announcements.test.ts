import { limits } from "@ewebal/contract";
import { pino } from "pino";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { createEventHub, createListen } from "../../../events/index.ts";
import { expect, test as base } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../testing/factories.ts";

type Announcement = { _id: string; hint: string; message: string; createdAt: string };
type Answer = { status: number; body: { message: string; code?: string; fields?: object; data?: Announcement } };

const test = base.extend<{
  admin: BuiltAdmin;
  headers: object;
  post: (payload: object) => Promise<Answer>;
  clear: (first: string, second: string) => Promise<[number, string | undefined]>;
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
        hub.open({ sessionId: uuidv7(), actorId: uuidv7(), kind }),
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
