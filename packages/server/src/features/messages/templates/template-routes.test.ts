import { templateRoutes, type TemplateAnswer } from "@ewebal/contract";
import { expect, test } from "../../../testing/app.ts";
import { buildUser } from "../../../testing/factories.ts";

type Answer = { message: string; data: TemplateAnswer };

test("templates are kept, listed newest first, changed and deleted by their owner alone", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildUser(db);
  const headers = await signInAs(user);
  const other = await buildUser(db);
  const others = await signInAs(other);
  const ask = async (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object, as = headers) =>
    await app.inject({ method, url: `/api/${path}`, headers: as, ...(payload && { payload }) });
  const list = `${user.userId}/templates`;
  for (const [payload, field] of [
    [{ name: "A" }, "message"],
    [{ name: " ", message: "x" }, "name"],
    [{ name: "n".repeat(51), message: "x" }, "name"],
    [{ name: "A", message: "x".repeat(1_601) }, "message"],
    [{ name: "A", message: "x", bogus: 1 }, "bogus"],
  ] as const) {
    const refused = await ask("POST", list, payload);
    expect([refused.statusCode, Object.keys(refused.json<{ fields: object }>().fields)]).toEqual([400, [field]]);
  }
  const first = await ask("POST", list, { name: " Hello ", message: "Dear {{name}}" });
  const second = await ask("POST", list, { name: "Bye", message: "Bye" });
  expect([first.statusCode, first.json<Answer>().data]).toMatchObject([
    201,
    { name: "Hello", message: "Dear {{name}}" },
  ]);
  const page = templateRoutes.templates.schema.response[200].parse((await ask("GET", `${list}?limit=1`)).json());
  expect(page.data.map(({ name }) => name)).toEqual(["Bye"]);
  const rest = await ask("GET", `${list}?limit=1&after=${page.next}`);
  expect(rest.json<{ data: TemplateAnswer[] }>().data.map(({ name }) => name)).toEqual(["Hello"]);

  const one = `${user.userId}/${first.json<Answer>().data._id}/template`;
  const theirs = `${other.userId}/${first.json<Answer>().data._id}/template`;
  expect((await ask("PATCH", theirs, { name: "Mine" }, others)).statusCode).toBe(404);
  expect((await ask("DELETE", theirs, undefined, others)).statusCode).toBe(404);
  expect((await ask("PATCH", one, { name: "Mine" }, others)).statusCode).toBe(403);
  expect((await ask("PATCH", one, {})).statusCode).toBe(400);
  const changed = await ask("PATCH", one, { message: "Hi" });
  expect([changed.statusCode, changed.json<Answer>().data]).toMatchObject([200, { name: "Hello", message: "Hi" }]);
  expect([(await ask("DELETE", one)).statusCode, (await ask("DELETE", one)).statusCode]).toEqual([200, 404]);
  expect(second.statusCode).toBe(201);
});
