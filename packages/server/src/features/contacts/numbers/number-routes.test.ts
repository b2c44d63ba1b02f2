import { contactRoutes, limits, type AddedAnswer, type WrongContacts } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";
import { expect, overlap, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers, upload } from "../../../testing/contacts-factories.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { addNumbers } from "./add-numbers.ts";
import { lockCatalog, readCatalogNumbers, streamCatalogNumbers } from "../catalogs/catalogs.ts";
type Headers = Record<string, string>;
type Refusal = WrongContacts & { code: string; message: string; fields: Record<string, string> };
type Answer = { message: string; data: AddedAnswer };

const two = ["2348030000001", "2348050000002"];

async function contactsOf(db: Db, user: BuiltUser, catalogId: string): Promise<string[]> {
  const { numbers } = await readCatalogNumbers(db, { userId: user.userId, catalogId });
  return [...numbers].map(String);
}

const insertNew = (app: App, user: BuiltUser, headers: Headers, payload: object, query = "") =>
  app.inject({
    method: "POST",
    url: `/api/${user.userId}/insert-to-new-tel?${query}`,
    headers,
    payload: { catalogName: "A", code: "234", ...payload },
  });
const uploadNew = (
  app: App,
  user: BuiltUser,
  headers: Headers,
  file: string | Uint8Array<ArrayBuffer>,
  fields: Headers = {},
  fileName?: string,
) =>
  upload(app, `/api/${user.userId}/upload-to-new-tel`, {
    file,
    fields: { catalogName: "A", code: "234", ...fields },
    headers,
    ...(fileName !== undefined && { fileName }),
  });

describe("pasted numbers", () => {
  test.for([
    ["", "is required"],
    [" , ", "has no number"],
    [["08030000001"], ""],
    [8_030_000_001, ""],
    ["abc", 'has 1 wrong: number 1 "abc" is not a number'],
    ["08030000001,447911123456", "does not begin with the chosen country code"],
  ] as const)("%j is refused, and no catalog is made", async ([phoneNo, reason], { app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, { userId: user.userId });
    const answers = [
      await insertNew(app, user, headers, { phoneNo }),
      ...(await Promise.all(
        ["insert-to-existing-tel", "add-contacts"].map((path) =>
          app.inject({
            method: "POST",
            url: `/api/${user.userId}/${catalogId}/${path}`,
            headers,
            payload: { phoneNo },
          }),
        ),
      )),
    ];
    for (const refused of answers) {
      expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
      expect(refused.json<Refusal>().fields["phoneNo"]).toContain(reason);
    }
    expect((await db.query("select name, contact_count from catalog")).rows).toEqual([
      { name: "Friends", contact_count: 0 },
    ]);
  });

  test("wrong ones are named with their place; onlyGood adds the others", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const phoneNo = "08030000001, 8001234567, +234 805 000 0002,12,08030000001";
    const refused = await insertNew(app, user, headers, { phoneNo });
    expect(refused.json()).toMatchObject({
      wrong: 2,
      good: 2,
      rows: [
        { row: 2, value: "8001234567", reason: "wrong-code" },
        { row: 4, reason: "too-short" },
      ],
    });
    expect(refused.json<Refusal>().message).toContain('number 4 "12" is too short');
    for (const [payload, query] of [
      [{ phoneNo, onlyGood: true }, ""],
      [{ phoneNo, onlyGood: "true" }, ""],
      [{ phoneNo }, "onlyGood=true"],
    ] as const) {
      const taken = await insertNew(app, user, headers, payload, query);
      const { data } = contactRoutes.insertToNewTel.schema.response[201].parse(taken.json());
      expect([taken.statusCode, data]).toMatchObject([201, { added: 2, existing: 1, wrong: 2 }]);
      expect(await contactsOf(db, user, data._id)).toEqual(two);
    }
    expect((await insertNew(app, user, headers, { phoneNo: "12,abc", onlyGood: true })).statusCode).toBe(400);
    expect((await insertNew(app, user, headers, { phoneNo, onlyGood: "yes" })).statusCode).toBe(400);
  });

  test("a catalog takes what it does not hold yet, and says what it held", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: Float64Array.of(2_348_030_000_001) });
    const add = async (path: string, phoneNo: string) =>
      await app.inject({
        method: "POST",
        url: `/api/${user.userId}/${catalogId}/${path}`,
        headers,
        payload: { phoneNo },
      });
    const inserted = await add("insert-to-existing-tel", "08030000001,08050000002");
    expect(inserted.json<Answer>()).toEqual({
      message: "1 contact added, 1 already there",
      data: { _id: catalogId, added: 1, existing: 1, wrong: 0 },
    });
    const added = await add("add-contacts", "+2348050000002");
    expect([added.statusCode, added.json()]).toMatchObject([
      201,
      { data: { message: "0 contacts added, 1 already there", added: 0, existing: 1 } },
    ]);
    expect(await contactsOf(db, user, catalogId)).toEqual(two);
    expect((await db.query("select version from catalog")).rows).toEqual([{ version: 3 }]);
  });

  test("100,000 numbers in one go are exact, also when half of them were there", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = [...buildNumbers(100_000)].map(String);
    const made = await insertNew(app, user, headers, { phoneNo: numbers.slice(0, 50_300).join(",") });
    const { _id } = made.json<Answer>().data;
    const url = `/api/${user.userId}/${_id}/insert-to-existing-tel`;
    const more = await app.inject({
      method: "POST",
      url,
      headers,
      payload: { phoneNo: numbers.toReversed().join("\n") },
    });
    expect(more.json<Answer>().data).toMatchObject({ added: 49_700, existing: 50_300 });
    expect(await contactsOf(db, user, _id)).toEqual([
      ...numbers.slice(0, 50_300),
      ...numbers.slice(50_300).toReversed(),
    ]);
    let count = 0;
    for await (const chunk of streamCatalogNumbers(db, { userId: user.userId, catalogId: _id })) count += chunk.length;
    expect(count).toBe(100_000);
  });

  test("a million fill a catalog; what is too much is refused whole", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    expect(
      (await insertNew(app, user, headers, { phoneNo: "08030000001,".repeat(limits.catalogContactsMax + 1) })).json(),
    ).toMatchObject({
      fields: { phoneNo: "has more than 1,000,000 numbers" },
    });
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: Float64Array.of(2_349_031_234_567) });
    await db.query("update catalog set contact_count = $1", [limits.catalogContactsMax - 1]);
    const url = `/api/${user.userId}/${catalogId}/add-contacts`;
    const refused = await app.inject({ method: "POST", url, headers, payload: { phoneNo: two.join(",") } });
    expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([409, "STATE_CONFLICT"]);
    expect((await app.inject({ method: "POST", url, headers, payload: { phoneNo: two[0] } })).statusCode).toBe(201);
  });
});

describe("overlapping", () => {
  // Goal: no number twice, none lost, the count exact. Method: the second starts while the first is uncommitted.
  test("two that add the same numbers to one catalog at once add them once", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, { userId: user.userId });
    const key = { userId: user.userId, catalogId };
    const [, second] = await overlap(
      db,
      async (tx) => await addNumbers(tx, await lockCatalog(tx, key), Float64Array.from(two, Number)),
      async () =>
        await upload(app, `/api/${user.userId}/${catalogId}/upload-to-existing-tel`, {
          file: "08050000002\n08070000003",
          headers,
        }),
    );
    expect(second.status === "fulfilled" && second.value.json<Answer>().data).toMatchObject({ added: 1, existing: 1 });
    expect(await contactsOf(db, user, catalogId)).toEqual([...two, "2348070000003"]);
    expect((await db.query("select contact_count from catalog")).rows).toEqual([{ contact_count: 3 }]);
  });

  test("a catalog that is deleted during an upload stays deleted", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(5) });
    const [, second] = await overlap(
      db,
      async (tx) => void (await tx.query("delete from catalog where catalog_id = $1", [catalogId])),
      async () =>
        await upload(app, `/api/${user.userId}/${catalogId}/upload-to-existing-tel`, { file: two.join("\n"), headers }),
    );
    expect(second).toMatchObject({ value: { statusCode: 404 } });
    expect((await db.query("select from contact_sheet")).rowCount).toBe(0);
  });

  // Goal: an upload is there whole or not at all. Method: the database ends its connection while it writes.
  test("an upload that is killed in the middle leaves nothing", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const file = [...buildNumbers(60_000)].join("\n");
    await db.query(`
      create function stop_here() returns trigger language plpgsql as $$
        begin
          if new.sheet_no = 35 then perform pg_terminate_backend(pg_backend_pid()); end if;
          return new;
        end $$`);
    await db.query("create trigger stop_here after insert on contact_sheet for each row execute function stop_here()");
    const answer = await uploadNew(app, user, headers, file);
    expect(answer.json<Refusal>()).toMatchObject({ code: "UNAVAILABLE" });
    for (const table of ["catalog", "contact_sheet", "idempotent_answer"])
      expect((await db.query(`select from ${table}`)).rowCount).toBe(0);
  });
});

describe("a repeated request", () => {
  test("with its key is answered again and adds nothing; another one with this key is refused", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "k" };
    const first = await uploadNew(app, user, headers, two.join("\n"));
    const again = await uploadNew(app, user, headers, two.join("\n"));
    expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
    for (const other of [
      await uploadNew(app, user, headers, "08070000003"),
      await uploadNew(app, user, headers, two.join("\n"), { catalogName: "B" }),
      await uploadNew(app, user, headers, two.join("\n"), { onlyGood: "true" }),
    ]) {
      expect([other.statusCode, other.json<Refusal>().code]).toEqual([422, "IDEMPOTENCY_CONFLICT"]);
    }
    const inserts = await Promise.all([1, 2].map(() => insertNew(app, user, headers, { phoneNo: two.join(",") })));
    expect(inserts[0]?.json()).toEqual(inserts[1]?.json());
    expect((await db.query("select from catalog")).rowCount).toBe(2);
  });

  test("after a refusal the key is free", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "k" };
    expect((await insertNew(app, user, headers, { phoneNo: "abc" })).statusCode).toBe(400);
    expect((await insertNew(app, user, headers, { phoneNo: two[0] })).statusCode).toBe(201);
  });
});

describe("limits of one customer", () => {
  const limited = test.extend({ environment: { RATE_LIMITS: "on" } });

  limited("120 files in ten minutes, 50 inserts a second", async ({ app, db, clock, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const statuses = new Map<number, number>();
    for (let count = 0; count < 121; count += 1) {
      const { statusCode } = await uploadNew(app, user, headers, "x", { code: "?" });
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [400, 120],
      [429, 1],
    ]);
    for (let count = 0; count < 50; count += 1)
      expect((await insertNew(app, user, headers, { phoneNo: "abc" })).statusCode).toBe(400);
    expect((await insertNew(app, user, headers, { phoneNo: "abc" })).json()).toMatchObject({ code: "RATE_LIMITED" });
    clock.advance(1_000);
    expect((await insertNew(app, user, headers, { phoneNo: two[0] })).statusCode).toBe(201);
  });
});
