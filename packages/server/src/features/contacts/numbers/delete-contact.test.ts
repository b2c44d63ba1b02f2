import type { App } from "../../../http/app-type.ts";
import { describe } from "vitest";
import { eachCase, expect, overlap, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { lockCatalog } from "../catalogs/catalogs.ts";
import { addNumbers } from "./add-numbers.ts";
import { CHUNK_CONTACTS_MAX } from "./chunk-store.ts";
import { list, view, type Headers, type Refusal } from "../testing/ask-for-contacts.ts";

const remove = (app: App, catalogId: string, index: number | string, headers: Headers, query = "") =>
  app.inject({ method: "DELETE", url: `/api/${catalogId}/${index}/delete-contact?${query}`, headers });

describe("deleting a contact", () => {
  test.for([
    [0, { "if-match": '"1"' }, "", "LIST_CHANGED"],
    [0, { "if-match": "2" }, "", "LIST_CHANGED"],
    [0, { "if-match": 'W/"2"' }, "", "LIST_CHANGED"],
    [0, {}, "phoneNo=2348030000009", "LIST_CHANGED"],
    [0, {}, "phoneNo=abc", "LIST_CHANGED"],
    [0, { "if-match": '"2"' }, "phoneNo=2348030000009", "LIST_CHANGED"],
    [0, { "if-match": '"1"' }, "phoneNo=2348030000000", "LIST_CHANGED"],
    [3, {}, "phoneNo=2348030000000", "LIST_CHANGED"],
    [3, {}, "", "NOT_FOUND"],
    [3, { "if-match": "*" }, "", "NOT_FOUND"],
    ["x", {}, "", "VALIDATION"],
    ["-1", {}, "", "VALIDATION"],
    ["1e1", {}, "", "VALIDATION"],
  ] as const)(
    "index %s with %j %s is %s, and nothing is deleted",
    async ([index, match, query, code], { app, db, signInAs }) => {
      const user = await buildUser(db);
      const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) });
      const answer = await remove(app, catalogId, index, { ...(await signInAs(user)), ...match }, query);
      expect(answer.json<Refusal>().code).toBe(code);
      expect((await db.query("select contact_count, version from catalog")).rows).toEqual([
        { contact_count: 3, version: 2 },
      ]);
    },
  );

  test("whatever says which it was, the one that was seen is deleted", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        [{ "if-match": '"2"' }, ""],
        [{ "if-match": '"0", "2"' }, ""],
        [{ "if-match": "*" }, ""],
        [{}, "phoneNo=%2B2348037654321"],
        [{}, "phoneNo=+2348037654321"],
        [{}, "phoneNo=08037654321"],
        [{ "if-match": '"2"' }, "phoneNo=2348037654321"],
        [{}, ""],
      ] as const,
      async ([match, query]) => {
        const user = await buildUser(db);
        const headers = await signInAs(user);
        const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) });
        expect((await remove(app, catalogId, 1, { ...headers, ...match }, query)).json()).toEqual({
          message: "Deleted Successfully",
        });
        const left = await view(app, user, catalogId, headers);
        expect([left.count, left.contacts, left.etag]).toEqual([2, ["+2348030000000", "+2348035308642"], '"3"']);
      },
    );
  });

  test("an emptied chunk closes the gap, and what is added comes behind the others", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = [...buildNumbers(2 * CHUNK_CONTACTS_MAX + 2)];
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: Float64Array.from(numbers) });
    await db.query(
      "update contact_sheet set phone_nos = split_part(phone_nos, ',', 1), contact_count = 1 where sheet_no = 2",
    );
    await db.query("update catalog set contact_count = 1003");
    const left = [...numbers.slice(0, 1_001), ...numbers.slice(2_000)];
    expect((await remove(app, catalogId, 1_000, headers)).statusCode).toBe(200);
    left.splice(1_000, 1);
    expect((await remove(app, catalogId, 1_001, headers)).statusCode).toBe(200);
    left.splice(1_001, 1);
    await app.inject({
      method: "POST",
      url: `/api/${user.userId}/${catalogId}/add-contacts`,
      headers,
      payload: { phoneNo: "09031234567" },
    });
    left.push(2_349_031_234_567);
    expect((await view(app, user, catalogId, headers)).contacts).toEqual(left.map((number) => `+${number}`));
    expect((await list(app, user, catalogId, headers, "after=998")).data.map(({ index }) => index)).toEqual([
      999, 1_000, 1_001,
    ]);
  });

  // Goal: two pages that press at once never delete what nobody chose. Method: the second waits for the first one's lock.
  test("of two that delete the same index at once, the second deletes nothing", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const key = {
      userId: user.userId,
      catalogId: await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) }),
    };
    const [, second] = await overlap(
      db,
      async (tx) => void (await addNumbers(tx, await lockCatalog(tx, key), Float64Array.of(2_349_031_234_567))),
      async () => await remove(app, key.catalogId, 0, { ...headers, "if-match": '"2"' }),
    );
    expect(second).toMatchObject({ value: { statusCode: 409 } });
    expect((await view(app, user, key.catalogId, headers)).count).toBe(4);
  });
});
