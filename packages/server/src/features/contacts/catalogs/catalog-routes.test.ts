import { contactRoutes, limits, type CatalogAnswer } from "@ewebal/contract";
import type { InjectOptions } from "fastify";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import { eachCase, expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { CHUNK_CONTACTS_MAX } from "../numbers/chunk-store.ts";
import { view, type Refusal } from "../testing/ask-for-contacts.ts";

describe("every call", () => {
  const calls = (userId: string, id: string) =>
    [
      { method: "POST", url: `/api/${userId}/create-catalog`, payload: { catalogName: "A", code: "234" } },
      { method: "GET", url: `/api/${userId}/populate-catalogs` },
      {
        method: "POST",
        url: `/api/${userId}/insert-to-new-tel`,
        payload: { catalogName: "A", code: "234", phoneNo: "08030000001" },
      },
      { method: "POST", url: `/api/${userId}/upload-to-new-tel`, payload: new FormData() },
      { method: "GET", url: `/api/${userId}/find-one-catalog?catalogId=${id}` },
      { method: "GET", url: `/api/${userId}/${id}/contacts` },
      { method: "GET", url: `/api/${userId}/${id}/export-contacts` },
      { method: "PATCH", url: `/api/${userId}/${id}/edit-catalog`, payload: { catalogName: "B" } },
      { method: "POST", url: `/api/${userId}/${id}/insert-to-existing-tel`, payload: { phoneNo: "08030000001" } },
      { method: "POST", url: `/api/${userId}/${id}/add-contacts`, payload: { phoneNo: "08030000001" } },
      { method: "POST", url: `/api/${userId}/${id}/upload-to-existing-tel`, payload: new FormData() },
      { method: "DELETE", url: `/api/${userId}/${id}/delete-catalog` },
      { method: "DELETE", url: `/api/${id}/0/delete-contact` },
      { method: "GET", url: `/api/${id}/find-one-catalog` },
    ] as const;

  test("refuses visitors, other customers and administrators; another's catalog is not found", async ({
    app,
    db,
    signInAs,
  }) => {
    const [user, other] = [await buildUser(db), await buildUser(db)];
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) });
    const [otherHeaders, adminHeaders] = [await signInAs(other), await signInAs(await buildAdmin(db))];
    for (const call of calls(user.userId, catalogId)) {
      expect([call.url, (await app.inject(call)).statusCode]).toEqual([call.url, 401]);
      expect([call.url, (await app.inject({ ...call, headers: adminHeaders })).statusCode]).toEqual([call.url, 403]);
      const namesOnlyTheCatalog = !call.url.includes(user.userId);
      expect([call.url, (await app.inject({ ...call, headers: otherHeaders })).statusCode]).toEqual([
        call.url,
        namesOnlyTheCatalog ? 404 : 403,
      ]);
    }
    for (const id of [catalogId, uuidv7()]) {
      for (const call of calls(other.userId, id).slice(4)) {
        expect([call.url, (await app.inject({ ...call, headers: otherHeaders })).statusCode]).toEqual([call.url, 404]);
      }
    }
    const { rows } = await db.query("select name, contact_count, version from catalog");
    expect(rows).toEqual([{ name: "Friends", contact_count: 3, version: 2 }]);
  });

  test("refuses what is no id", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    for (const call of calls(user.userId, "x").slice(4))
      expect((await app.inject({ ...call, headers })).statusCode).toBe(400);
    const bare = await app.inject({ url: `/api/${user.userId}/find-one-catalog`, headers });
    expect(bare.json()).toMatchObject({ code: "VALIDATION", fields: { catalogId: "is required" } });
  });
});

describe("making and naming", () => {
  test("a wrong name or code is refused at its field", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        [{ catalogName: "" }, "catalogName"],
        [{ catalogName: "  " }, "catalogName"],
        [{ catalogName: "x".repeat(51) }, "catalogName"],
        [{ catalogName: "a\u0000b" }, "catalogName"],
        [{ catalogName: 7 }, "catalogName"],
        [{ code: "" }, "code"],
        [{ code: "+234" }, "code"],
        [{ code: "0" }, "code"],
        [{ code: "999" }, "code"],
        [{ code: "881" }, "code"],
        [{ code: "2348" }, "code"],
        [{ code: 234 }, "code"],
      ] as const,
      async ([change, field]) => {
        const user = await buildUser(db);
        const headers = await signInAs(user);
        const payload = { catalogName: "A", code: "234", phoneNo: "08030000001", ...change };
        const catalogId = await buildCatalog(db, { userId: user.userId });
        for (const path of ["create-catalog", "insert-to-new-tel"]) {
          const refused = await app.inject({ method: "POST", url: `/api/${user.userId}/${path}`, headers, payload });
          expect([refused.statusCode, refused.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
          expect(refused.json<Refusal>().fields).toHaveProperty(field);
        }
        if (field === "catalogName") {
          const url = `/api/${user.userId}/${catalogId}/edit-catalog`;
          expect((await app.inject({ method: "PATCH", url, headers, payload: change })).statusCode).toBe(400);
        }
        expect((await db.query("select from catalog where user_id = $1", [user.userId])).rowCount).toBe(1);
      },
    );
  });

  test("a catalog is made, seen, named, counted in the customer's record, and deleted", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    await buildCatalog(db, { userId: (await buildUser(db)).userId });
    const headers = await signInAs(user);
    const made = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/create-catalog`,
      headers,
      payload: { catalogName: " Café <b>=1 ", code: "234" },
    });
    expect(made.statusCode).toBe(201);
    const { _id } = contactRoutes.createCatalog.schema.response[201].parse(made.json()).data;
    const first = await view(app, user, _id, headers);
    expect(first).toMatchObject({
      _id,
      userID: user.userId,
      catalogName: "Café <b>=1",
      code: "234",
      contacts: [],
      count: 0,
    });

    const url = `/api/${user.userId}/${_id}/edit-catalog`;
    expect((await app.inject({ method: "PATCH", url, headers, payload: { catalogName: "Ẹgbẹ́" } })).statusCode).toBe(
      200,
    );
    const second = await view(app, user, _id, headers);
    expect([second.catalogName, second.etag === first.etag]).toEqual(["Ẹgbẹ́", false]);
    const byItsOwnId = await app.inject({ url: `/api/${_id}/find-one-catalog`, headers });
    expect(byItsOwnId.json<{ data: CatalogAnswer }>().data).toEqual(second);
    const record = await app.inject({ url: `/api/${user.userId}/view-one-user`, headers });
    expect(record.json()).toMatchObject({ data: { phonebook: [_id], counts: { phonebook: 1 } } });

    const gone = { method: "DELETE", url: `/api/${user.userId}/${_id}/delete-catalog`, headers } as const;
    expect([(await app.inject(gone)).statusCode, (await app.inject(gone)).statusCode]).toEqual([200, 404]);
    expect((await db.query("select from catalog")).rowCount).toBe(1);
  });

  test("a key makes one catalog of a double click; used for another it is refused", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = { ...(await signInAs(user)), "idempotency-key": "make-1" };
    const make = (catalogName: string) =>
      app.inject({
        method: "POST",
        url: `/api/${user.userId}/create-catalog`,
        headers,
        payload: { catalogName, code: "234" },
      });
    const [one, again] = await Promise.all([make("A"), make("A")]);
    expect(again.json()).toEqual(one.json());
    expect((await make("B")).json()).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
    expect((await db.query("select from catalog")).rowCount).toBe(1);
  });

  test("nobody keeps more than 1,000, also when several are made at once", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    await db.query(
      "insert into catalog select $1, gen_random_uuid(), 'A', '234', 0, 1, now() from generate_series(1, $2)",
      [user.userId, limits.catalogsMax - 1],
    );
    const headers = await signInAs(user);
    const payload = { catalogName: "A", code: "234", phoneNo: "08030000001" };
    const paths = ["create-catalog", "insert-to-new-tel", "create-catalog"];
    const answers = await Promise.all(
      paths.map((path) => app.inject({ method: "POST", url: `/api/${user.userId}/${path}`, headers, payload })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
    expect((await db.query("select from catalog")).rowCount).toBe(limits.catalogsMax);
  });
});

describe("files that are given", () => {
  test("an export holds every contact in order and can be uploaded again", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = buildNumbers(CHUNK_CONTACTS_MAX + 7);
    const catalogId = await buildCatalog(db, { userId: user.userId, name: 'Ada\'s "=cmd" ọrẹ', numbers });
    const csv = await app.inject({ url: `/api/${user.userId}/${catalogId}/export-contacts`, headers });
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="Ada_s __cmd_ _r_.csv"; filename*=UTF-8''Ada%27s%20%22%3Dcmd%22%20%E1%BB%8Dr%E1%BA%B9.csv`,
      "cache-control": "no-store",
    });
    const lines = csv.body.split("\r\n");
    expect([lines[0], lines[1], lines.length]).toEqual(['"phoneNo"', '"234 803 000 0000"', numbers.length + 2]);
    const payload = new FormData();
    payload.set("csv", new File([csv.body], "again.csv"));
    payload.set("catalogName", "again");
    payload.set("code", "234");
    const again = await app.inject({ method: "POST", url: `/api/${user.userId}/upload-to-new-tel`, headers, payload });
    const copy = await view(app, user, again.json<{ data: { _id: string } }>().data._id, headers);
    expect(copy.contacts).toEqual([...numbers].map((number) => `+${number}`));
  });

  test("the template is for everybody, has three columns of numbers, and is taken", async ({ app, db, signInAs }) => {
    const template = await app.inject({ url: "/api/contacts-template" });
    expect([template.statusCode, template.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(
      template.body
        .trim()
        .split("\r\n")
        .map((line) => line.split(",").length),
    ).toEqual([3, 3, 3]);
    const user = await buildUser(db);
    const payload = new FormData();
    payload.set("csv", new File([template.body], "template.csv"));
    payload.set("catalogName", "A");
    payload.set("code", "234");
    const taken = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/upload-to-new-tel`,
      headers: await signInAs(user),
      payload,
    });
    expect(taken.json()).toMatchObject({ data: { added: 9, existing: 0, wrong: 0 } });
  });
});

describe("open pages", () => {
  test("are told of every change: the catalog, the list of catalogs and the customer's record", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const client = await db.connect();
    const told: { to: string; topics: string[] }[] = [];
    client.on("notification", ({ payload }) =>
      told.push(JSON.parse(payload ?? "{}") as { to: string; topics: string[] }),
    );
    await client.query("listen ewebal_event");
    // Notifications come with the next answer.
    const settle = async () => void (await client.query("select 1"));
    const tellings = async (call: InjectOptions): Promise<string[]> => {
      await settle();
      told.length = 0;
      expect((await app.inject({ headers, ...call })).statusCode).toBeLessThan(300);
      await settle();
      return told.flatMap(({ to, topics }) => (to === user.userId ? topics : []));
    };
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(2) });
    const base = `/api/${user.userId}/${catalogId}`;
    const all = ["catalogs", `catalog:${catalogId}`, "user"];
    expect(
      await tellings({ method: "POST", url: `${base}/add-contacts`, payload: { phoneNo: "09031234567" } }),
    ).toEqual(all);
    expect(
      await tellings({ method: "POST", url: `${base}/add-contacts`, payload: { phoneNo: "09031234567" } }),
    ).toEqual([]);
    expect(await tellings({ method: "PATCH", url: `${base}/edit-catalog`, payload: { catalogName: "B" } })).toEqual(
      all,
    );
    expect(await tellings({ method: "DELETE", url: `/api/${catalogId}/0/delete-contact` })).toEqual(all);
    expect(await tellings({ method: "GET", url: `${base}/contacts` })).toEqual([]);
    expect(await tellings({ method: "DELETE", url: `${base}/delete-catalog` })).toEqual(all);
    const made = await tellings({
      method: "POST",
      url: `/api/${user.userId}/create-catalog`,
      payload: { catalogName: "C", code: "234" },
    });
    expect(made).toMatchObject(["catalogs", expect.stringMatching(/^catalog:/), "user"]);
    client.release(true);
  });
});
