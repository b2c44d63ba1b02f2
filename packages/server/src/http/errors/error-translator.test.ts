import { idSchema, limits } from "@ewebal/contract";
import { describe } from "vitest";
import { z } from "zod";
import { isUniqueViolation } from "../../db/sql-state.ts";
import { expect, test as base } from "../../testing/app.ts";
import type { App } from "../app-type.ts";

/** An app with a route that fails as the test wants it to. */
const test = base.extend<{
  failWith: (failure: () => unknown) => Promise<{ status: number; text: string; code: string }>;
}>({
  failWith: async ({ app: _app, deps }, use) => {
    const { buildApp } = await import("../../main/app.ts");
    let fail: () => unknown = () => undefined;
    const app: App = await buildApp(deps);
    app.get("/api/fail", async () => await fail());
    await use(async (failure) => {
      fail = failure;
      const answer = await app.inject({ method: "GET", url: "/api/fail" });
      return { status: answer.statusCode, text: answer.body, code: answer.json<{ code: string }>().code };
    });
    await app.close();
  },
});

const signIn = { method: "POST", url: "/api/sign-in-user" } as const;
const json = { "content-type": "application/json" };

describe("what is not a request", () => {
  test("broken JSON, an empty body and a list are answered with what is wrong", async ({ app }) => {
    for (const payload of ["{", "", "[]", "null", `"text"`]) {
      const answer = await app.inject({ ...signIn, headers: json, payload });
      expect([answer.statusCode, answer.json<{ code: string }>().code], payload).toEqual([400, "VALIDATION"]);
    }
  });

  test("keys that would reach a prototype are refused", async ({ app }) => {
    const payload = `{"email":"a@gmail.com","password":"secret","__proto__":{"isAdmin":true}}`;
    expect((await app.inject({ ...signIn, headers: json, payload })).statusCode).toBe(400);
  });

  test("another kind of content is refused", async ({ app }) => {
    const answer = await app.inject({ ...signIn, headers: { "content-type": "text/xml" }, payload: "<a/>" });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([415, "MEDIA_TYPE_REFUSED"]);
  });

  test("a body beyond the limit is refused without being read", async ({ app }) => {
    const payload = JSON.stringify({ email: "a@gmail.com", password: "x".repeat(limits.jsonBodyBytesMax) });
    const answer = await app.inject({ ...signIn, headers: json, payload });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  test("all wrong fields are named at once", async ({ app }) => {
    const answer = await app.inject({ method: "POST", url: "/api/create-user", payload: { email: "x", password: 5 } });
    expect(Object.keys(answer.json<{ fields: Record<string, string> }>().fields).toSorted()).toEqual([
      "email",
      "fullName",
      "password",
      "phoneNo",
      "userName",
    ]);
  });
});

describe("what a refusal says", () => {
  type Refusal = { message: string; fields: Record<string, string> };

  test("each field is refused in our own words, none in the schema library's", async ({ app }) => {
    const payload = { userName: "", fullName: "x".repeat(500), email: "nobody", phoneNo: ["1"] };
    const { fields } = (await app.inject({ method: "POST", url: "/api/create-user", payload })).json<Refusal>();
    expect(fields).toMatchObject({
      userName: "is required",
      fullName: expect.stringMatching(/^must have at most [0-9]+ characters$/) as unknown,
      phoneNo: expect.stringMatching(/^(?:must be text|is not)/) as unknown,
      password: "is required",
    });
    expect(Object.values(fields).join("\n")).not.toMatch(/invalid|expected|received|too (?:small|big)|pattern/i);
  });

  test("a broken id in an address is called a broken address, and no field of a form", async ({ app: _app, deps }) => {
    const { buildApp } = await import("../../main/app.ts");
    const app = await buildApp(deps);
    app.get("/api/things/:thingId", { schema: { params: z.object({ thingId: idSchema }) } }, () => "found");
    const answer = await app.inject({ method: "GET", url: "/api/things/7" });
    expect([answer.statusCode, answer.json<Refusal>()]).toMatchObject([
      400,
      {
        code: "VALIDATION",
        message: "This address is incomplete or contains a mistake",
        fields: { thingId: "is not an id" },
      },
    ]);
    await app.close();
  });

  test.for([
    [z.enum(["week", "month"]), "day", "must be week or month"],
    [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
    [z.int().min(5), 3, "must be at least 5"],
    [z.int(), 2.5, "must be a whole number"],
    [z.number().gt(0), 0, "must be more than 0"],
    [z.string().max(1_000), "x".repeat(1_001), "must have at most 1,000 characters"],
    [z.string().regex(/^x$/), "y", "has the wrong format"],
    [
      z.iso.datetime({ offset: true }),
      "tomorrow",
      "must be a date and time with offset, such as 2026-11-22T09:30:00+01:00",
    ],
    [z.strictObject({}), { bogus: 1 }, "has unknown fields: bogus"],
  ] as const)("%$: a refused value is told what is expected", ([schema, value, words], { app: _app }) => {
    expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([words]);
  });
});

describe("what is not the caller's fault", () => {
  test("an unforeseen error tells nothing but a request id", async ({ failWith }) => {
    const { status, text, code } = await failWith(() => {
      throw new Error("select secret from /etc/passwd");
    });
    expect([status, code]).toEqual([500, "INTERNAL"]);
    expect(text).not.toMatch(/secret|passwd|stack|\.ts/);
    expect(text).toContain("requestId");
  });

  test("a full disk is 507, and so is a database that has no room", async ({ failWith, db }) => {
    const noRoom = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    expect(await failWith(() => Promise.reject(noRoom))).toMatchObject({ status: 507, code: "STORAGE_FULL" });
    const raise = () => db.query("do $$ begin raise exception 'no room' using errcode = '53100'; end $$");
    expect(await failWith(raise)).toMatchObject({ status: 507, code: "STORAGE_FULL" });
  });

  test("a session that the database ended is 503", async ({ failWith, db }) => {
    const answer = await failWith(() => db.query("select pg_terminate_backend(pg_backend_pid())"));
    expect(answer).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  });

  test("another fault of the database is ours, and its SQL stays inside", async ({ failWith, db }) => {
    await db.query("create table once (id int primary key)");
    await db.query("insert into once values (1)");
    const { status, text, code } = await failWith(async () => {
      await db.query("insert into once values (1)").catch((error: unknown) => {
        expect(isUniqueViolation(error)).toBe(true);
        throw error;
      });
    });
    expect([status, code]).toEqual([500, "INTERNAL"]);
    expect(text).not.toMatch(/once|duplicate|23505/);
  });
});
