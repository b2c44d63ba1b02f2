import { dndRoutes, type ErrorBody } from "@ewebal/contract";
import { describe } from "vitest";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { expect, test } from "../../../testing/app.ts";

const listSchema = dndRoutes.viewDndNumbers.schema.response[200];

describe("every call", () => {
  test("is for administrators, and each for their own id", async ({ app, db, signInAs }) => {
    const [admin, other, user] = [await buildAdmin(db), await buildAdmin(db), await buildUser(db)];
    const payload = { phoneNo: "2348030000001" };
    const calls = [
      { method: "GET", url: "/api/view-dnd-numbers" },
      { method: "POST", url: `/api/${admin.adminId}/add-dnd-numbers`, payload },
      { method: "DELETE", url: `/api/${admin.adminId}/remove-dnd-numbers`, payload },
    ] as const;
    for (const call of calls) {
      expect((await app.inject(call)).statusCode).toBe(401);
      expect((await app.inject({ ...call, headers: await signInAs(user) })).statusCode).toBe(403);
      if (call.method !== "GET")
        expect((await app.inject({ ...call, headers: await signInAs(other) })).statusCode).toBe(403);
    }
    expect((await db.query("select from dnd_number")).rowCount).toBe(0);
  });

  test.for(["", " , ", "hello", "2348030000001,08", "234803000000100000"])(
    "%j is refused as a whole",
    async (phoneNo, { app, db, signInAs }) => {
      const admin = await buildAdmin(db);
      const headers = await signInAs(admin);
      for (const [method, call] of [
        ["POST", "add-dnd-numbers"],
        ["DELETE", "remove-dnd-numbers"],
      ] as const) {
        const response = await app.inject({
          method,
          url: `/api/${admin.adminId}/${call}`,
          headers,
          payload: { phoneNo },
        });
        expect([response.statusCode, Object.keys(response.json<ErrorBody>().fields ?? {})]).toEqual([400, ["phoneNo"]]);
      }
      expect((await db.query("select from dnd_number")).rowCount).toBe(0);
    },
  );
});

test("numbers are added once, listed newest first, searched by how they begin, and taken off again", async ({
  app,
  db,
  signInAs,
}) => {
  const admin = await buildAdmin(db);
  const headers = await signInAs(admin);
  const add = async (phoneNo: string) =>
    await app.inject({ method: "POST", url: `/api/${admin.adminId}/add-dnd-numbers`, headers, payload: { phoneNo } });
  const list = async (query = "") =>
    listSchema.parse((await app.inject({ url: `/api/view-dnd-numbers?${query}`, headers })).json());

  const first = await add("0803 000 0001, +234-803-000-0002\n2348030000002");
  expect([first.statusCode, first.json<{ data: object }>().data]).toEqual([201, { added: 2, existing: 0 }]);
  expect((await add("2348030000002;447911123456")).json<{ data: object }>().data).toEqual({ added: 1, existing: 1 });
  const page = await list("limit=2");
  expect(page.data.map(({ phoneNo, source }) => [phoneNo, source])).toEqual([
    ["447911123456", "admin"],
    ["2348030000002", "admin"],
  ]);
  expect(
    (await list(`limit=2&after=${encodeURIComponent(page.next ?? "")}`)).data.map(({ phoneNo }) => phoneNo),
  ).toEqual(["2348030000001"]);
  expect((await list("search=0803")).data).toHaveLength(2);
  expect((await list("search=2348030000001")).data).toHaveLength(1);
  expect((await list("search=44")).data).toHaveLength(1);
  expect((await list("search=9")).data).toEqual([]);

  const removed = await app.inject({
    method: "DELETE",
    url: `/api/${admin.adminId}/remove-dnd-numbers`,
    headers,
    payload: { phoneNo: "08030000001,2349999999999" },
  });
  expect([removed.statusCode, removed.json<{ data: object }>().data]).toEqual([200, { removed: 1 }]);
  const { rows } = await db.query<{ action: string; after: object | null; before: object | null }>(
    "select action, before, after from audit_entry order by created_at, audit_id",
  );
  expect(rows).toMatchObject([
    { action: "add-dnd-numbers", after: { count: 2, added: 2, phoneNos: [2_348_030_000_001, 2_348_030_000_002] } },
    { action: "add-dnd-numbers", after: { count: 2, added: 1 } },
    { action: "remove-dnd-numbers", before: { count: 2, removed: 1 } },
  ]);
});
