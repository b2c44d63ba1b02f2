import { randomUUID } from "node:crypto";
import * as contract from "@ewebal/contract";
import { describe } from "vitest";
import { z } from "zod";
import { expect, test } from "../../testing/app.ts";
import { buildAdmin } from "../../testing/factories.ts";
import { buildSendBody, buildSender } from "../../testing/messages-factories.ts";
import { compileValidator, findControlCharacter } from "./compile-validator.ts";

type Route = { method: string; url: string; schema: { body?: z.ZodType; querystring?: z.ZodType; params?: z.ZodType } };
const routes = Object.entries(contract)
  .filter(([name]) => name.endsWith("Routes"))
  .flatMap(([, table]) => Object.values(table as Record<string, Route>));

describe("control characters", () => {
  test("are found wherever they stand; line breaks and tabs are none of them", () => {
    expect(findControlCharacter({ a: ["x", { b: "two\nlines\tand\r\nmore" }] })).toBeUndefined();
    expect(findControlCharacter({ a: ["x", { b: "\u0000" }] })).toBe("a.1.b");
    for (const text of ["\u0007", "\u001B[31m", "\u007F", "\u0085"])
      expect(findControlCharacter(text), JSON.stringify(text)).toBe("");
  });

  test("a field whose schema lets them through is refused all the same, by its name", () => {
    const validate = compileValidator({
      schema: z.object({ note: z.string() }),
      method: "POST",
      url: "/",
      httpPart: "body",
    });
    expect(validate({ note: "a\u0000b" })).toMatchObject({
      error: { code: "VALIDATION", fields: { note: "takes no control characters" } },
    });
    expect(validate({ note: "ab" })).toMatchObject({ value: { note: "ab" } });
  });

  // Goal: no call fails on a text that cannot be stored. Method: every text of every call holds a NUL, sent by whom it is for.
  test("break no call: 400, or a refusal that comes before, in query, address and body", async ({
    app,
    db,
    signInAs,
  }) => {
    const [sender, admin] = [await buildSender(db), await buildAdmin(db)];
    const [asSender, asAdmin] = [await signInAs(sender), await signInAs(admin)];
    expect(routes.length).toBeGreaterThan(100);
    for (const { method, url, schema } of routes) {
      if (url === "/api/events") continue;
      const headers = url.includes(":adminId") || url.includes("/view-all") ? asAdmin : asSender;
      const path = url
        .replace(":userId", sender.userId)
        .replace(":adminId", admin.adminId)
        .replaceAll(/:\w*Id\b/g, randomUUID())
        .replaceAll(/:\w+/g, "a%00b");
      const keysOf = (part: z.ZodType | undefined): string[] =>
        Object.keys(
          (z.toJSONSchema(part ?? z.object({}), { unrepresentable: "any", io: "input" })["properties"] as
            | object
            | undefined) ?? {},
        );
      const query = keysOf(schema.querystring)
        .map((key) => `${key}=a%00b`)
        .join("&");
      const payload = Object.fromEntries(keysOf(schema.body).map((key) => [key, "a\u0000b"]));
      const answer = await app.inject({
        method: method as "GET",
        url: query === "" ? path : `${path}?${query}`,
        headers,
        ...(schema.body !== undefined && { payload }),
      });
      expect(answer.statusCode, `${method} ${url}: ${answer.body.slice(0, 200)}`).toBeLessThan(500);
    }
  });

  test("in a sender name, a send is refused by the field's name", async ({ app, db, signInAs }) => {
    const sender = await buildSender(db);
    const answer = await app.inject({
      method: "POST",
      url: `/api/${sender.userId}/send-bulk-sms`,
      headers: await signInAs(sender),
      payload: buildSendBody({ senderName: "Ac\u0000me" }),
    });
    expect([answer.statusCode, answer.json<{ fields: object }>().fields]).toEqual([
      400,
      { senderName: "takes no control characters" },
    ]);
  });

  // Their bodies are read as bytes, past the validator of all others.
  test("in a catalog's name or a draft, too", async ({ app, db, signInAs }) => {
    const sender = await buildSender(db);
    const headers = await signInAs(sender);
    const post = async (call: string, payload: object): Promise<unknown[]> => {
      const answer = await app.inject({ method: "POST", url: `/api/${sender.userId}/${call}`, headers, payload });
      return [answer.statusCode, Object.keys(answer.json<{ fields?: object }>().fields ?? {})];
    };
    const catalog = { catalogName: "My\u0000list", code: "234", phoneNo: "08030000001" };
    expect(await post("insert-to-new-tel", catalog)).toEqual([400, ["catalogName"]]);
    expect(await post("create-catalog", { catalogName: "My\u0000list", code: "234" })).toEqual([400, ["catalogName"]]);
    expect(await post("draft-message", buildSendBody({ senderName: "Ac\u0000me" }))).toEqual([400, ["senderName"]]);
    expect(await post("draft-message", buildSendBody({ message: "Hi\u0000" }))).toEqual([400, ["message"]]);
  });

  test("in the reason of a refusal, the administrator is told", async ({ app, db, signInAs }) => {
    const admin = await buildAdmin(db);
    const answer = await app.inject({
      method: "PATCH",
      url: `/api/${randomUUID()}/decline-whitelist-request`,
      headers: await signInAs(admin),
      payload: { reason: "no\u0000" },
    });
    expect([answer.statusCode, answer.json<{ fields: object }>().fields]).toEqual([
      400,
      { reason: "takes no control characters" },
    ]);
  });
});
