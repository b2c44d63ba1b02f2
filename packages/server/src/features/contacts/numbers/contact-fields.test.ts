import { contactRoutes, type AddedAnswer, type CatalogAnswer, type ContactAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import type { Db } from "../../../db/pool.ts";
import type { App } from "../../../http/app-type.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";

type Headers = Record<string, string>;
type Page = { data: ContactAnswer[]; next: string | null };
type Contact = { phoneNo: string; fields?: Record<string, string> };

const people: Contact[] = [
  { phoneNo: "08030000001", fields: { full_name: "Ada Obi", city: "Lagos" } },
  { phoneNo: "+234 803 000 0002", fields: { full_name: 'Chidi "C" Eze' } },
  { phoneNo: "8030000003", fields: { full_name: "bola ahmed", city: "Ìbàdàn" } },
];

const makeCatalog = async (app: App, user: BuiltUser, headers: Headers, columns: object[]): Promise<string> => {
  const payload = { catalogName: "Members", code: "234", columns };
  const answer = await app.inject({ method: "POST", url: `/api/${user.userId}/create-catalog`, headers, payload });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ data: { _id: string } }>().data._id;
};
const two = [{ label: "Full Name" }, { label: "City" }];

const addTo = (app: App, path: string, headers: Headers, payload: object) =>
  app.inject({ method: "POST", url: `/api/${path}/add-contacts`, headers, payload });
const list = async (app: App, path: string, headers: Headers, query = "") => {
  const answer = await app.inject({ url: `/api/${path}/contacts?${query}`, headers });
  expect(answer.statusCode).toBe(200);
  return contactRoutes.contacts.schema.response[200].parse(answer.json<Page>());
};
const names = ({ data }: Page) => data.map(({ fields }) => fields?.["full_name"]);

describe("columns", () => {
  test("get keys of their labels, are listed, and take their values along when they go", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const columns = [
      { label: "Full Name" },
      { label: "full-name" },
      { label: "2nd №" },
      { key: "town", label: "City" },
    ];
    const id = await makeCatalog(app, user, headers, columns);
    const path = `${user.userId}/${id}`;
    const view = async () =>
      (await app.inject({ url: `/api/${user.userId}/find-one-catalog?catalogId=${id}`, headers })).json<{
        data: CatalogAnswer;
      }>().data.columns;
    expect((await view()).map(({ key }) => key)).toEqual(["full_name", "full_name_2", "nd", "town"]);
    await addTo(app, path, headers, { contacts: [{ phoneNo: "08030000001", fields: { town: "Aba", nd: "x" } }] });
    const edit = (payload: object) =>
      app.inject({ method: "PATCH", url: `/api/${path}/edit-catalog`, headers, payload });
    expect((await edit({})).json<{ fields: object }>().fields).toEqual({ catalogName: "is required" });
    expect((await edit({ columns: [{ key: "town", label: "Town" }, { label: "Age" }] })).statusCode).toBe(200);
    expect(await view()).toEqual([
      { key: "town", label: "Town" },
      { key: "age", label: "Age" },
    ]);
    expect((await list(app, path, headers)).data).toEqual([
      { index: 0, phoneNo: "+2348030000001", fields: { town: "Aba", age: "" } },
    ]);
    await edit({
      columns: [
        { key: "town", label: "Town" },
        { key: "nd", label: "Second" },
      ],
    });
    expect((await list(app, path, headers)).data[0]?.fields).toEqual({ town: "Aba", nd: "" });
  });

  test.for([
    [[{ label: "A", key: "1a" }], "columns.0.key"],
    [[{ label: " " }], "columns.0.label"],
    [
      [
        { key: "a", label: "A" },
        { key: "a", label: "B" },
      ],
      "columns.1.key",
    ],
    [Array.from({ length: 21 }, (_, index) => ({ label: `C${index}` })), "columns"],
  ] as const)("%j is refused at %s", async ([columns, field], { app, db, signInAs }) => {
    const user = await buildUser(db);
    const payload = { catalogName: "A", code: "234", columns };
    const answer = await app.inject({
      method: "POST",
      url: `/api/${user.userId}/create-catalog`,
      headers: await signInAs(user),
      payload,
    });
    expect([answer.statusCode, Object.keys(answer.json<{ fields: object }>().fields)]).toEqual([400, [field]]);
  });
});

describe("contacts with fields", () => {
  const built = async (app: App, db: Db, signInAs: (user: BuiltUser) => Promise<Headers>) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const id = await makeCatalog(app, user, headers, two);
    return { path: `${user.userId}/${id}`, headers, user, id };
  };

  test("are added, listed whole, and changed by adding them again", async ({ app, db, signInAs }) => {
    const { path, headers } = await built(app, db, signInAs);
    const first = await addTo(app, path, headers, { contacts: people });
    expect([first.statusCode, first.json<{ data: AddedAnswer }>().data]).toMatchObject([
      201,
      { added: 3, existing: 0, wrong: 0, repaired: { leadingZero: 1, blanks: 1 } },
    ]);
    expect((await list(app, path, headers)).data).toEqual([
      { index: 0, phoneNo: "+2348030000001", fields: { full_name: "Ada Obi", city: "Lagos" } },
      { index: 1, phoneNo: "+2348030000002", fields: { full_name: 'Chidi "C" Eze', city: "" } },
      { index: 2, phoneNo: "+2348030000003", fields: { full_name: "bola ahmed", city: "Ìbàdàn" } },
    ]);
    const again = await addTo(app, path, headers, {
      contacts: [
        { phoneNo: "2348030000002", fields: { city: " Enugu\tNorth " } },
        { phoneNo: "08030000009", fields: { full_name: "Zik" } },
      ],
    });
    expect(again.json<{ data: AddedAnswer }>().data).toMatchObject({ added: 1, existing: 1 });
    expect((await list(app, path, headers)).data.map(({ fields }) => fields?.["city"])).toEqual([
      "Lagos",
      "Enugu North",
      "Ìbàdàn",
      "",
    ]);
  });

  test("an unknown key, a long value and two sources are refused by path, and nothing is added", async ({
    app,
    db,
    signInAs,
  }) => {
    const { path, headers } = await built(app, db, signInAs);
    const contact = (fields: object) => ({ phoneNo: "08030000001", fields });
    const refused = async (payload: object) => {
      const answer = await addTo(app, path, headers, payload);
      expect(answer.statusCode).toBe(400);
      return Object.keys(answer.json<{ fields: object }>().fields);
    };
    expect(await refused({ contacts: [people[0], contact({ bogus: "x" })] })).toEqual(["contacts.1.fields.bogus"]);
    expect(await refused({ contacts: [contact({ city: "x".repeat(161) })] })).toEqual(["contacts.0.fields.city"]);
    expect(await refused({ contacts: people, phoneNo: "08030000001" })).toEqual(["contacts"]);
    expect(await refused({})).toEqual(["phoneNo"]);
    expect(await refused({ contacts: [{ phoneNo: "abc" }] })).toEqual(["phoneNo"]);
    expect((await list(app, path, headers)).data).toEqual([]);
    expect((await addTo(app, path, headers, { contacts: [contact({ city: "😀".repeat(160) })] })).statusCode).toBe(201);
  });

  test("are searched by number and field, sorted either way, empty values last", async ({ app, db, signInAs }) => {
    const { path, headers } = await built(app, db, signInAs);
    await addTo(app, path, headers, { contacts: people });
    expect(names(await list(app, path, headers, "search=OBI"))).toEqual(["Ada Obi"]);
    expect(names(await list(app, path, headers, `search=${encodeURIComponent('"c"')}`))).toEqual(['Chidi "C" Eze']);
    expect(names(await list(app, path, headers, "search=0803000000"))).toHaveLength(3);
    expect(names(await list(app, path, headers, "sort=full_name"))).toEqual(["Ada Obi", "bola ahmed", 'Chidi "C" Eze']);
    expect(names(await list(app, path, headers, "sort=city&order=desc"))).toEqual([
      "bola ahmed",
      "Ada Obi",
      'Chidi "C" Eze',
    ]);
    const first = await list(app, path, headers, "sort=phoneNo&order=desc&limit=2");
    expect(names(first)).toEqual(["bola ahmed", 'Chidi "C" Eze']);
    const rest = await list(app, path, headers, `sort=phoneNo&order=desc&limit=2&after=${first.next}`);
    expect([names(rest), rest.next]).toEqual([["Ada Obi"], null]);
    expect(names(await list(app, path, headers, "sort=city&search=ob"))).toEqual(["Ada Obi"]);
    const answer = await app.inject({ url: `/api/${path}/contacts?sort=bogus`, headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { fields: { sort: expect.any(String) } }]);
  });

  test("one is edited; an unknown number is 404, an unknown key 400", async ({ app, db, signInAs }) => {
    const { path, headers } = await built(app, db, signInAs);
    await addTo(app, path, headers, { contacts: people });
    const edit = (payload: object) =>
      app.inject({ method: "PATCH", url: `/api/${path}/edit-contact`, headers, payload });
    const edited = await edit({ phoneNo: "08030000002", fields: { city: "Jos" } });
    expect([edited.statusCode, edited.json<{ data: ContactAnswer }>().data]).toEqual([
      200,
      { index: 1, phoneNo: "+2348030000002", fields: { full_name: 'Chidi "C" Eze', city: "Jos" } },
    ]);
    expect((await edit({ phoneNo: "08030000008", fields: { city: "Jos" } })).statusCode).toBe(404);
    const unknown = await edit({ phoneNo: "08030000002", fields: { bogus: "Jos" } });
    expect([unknown.statusCode, unknown.json()]).toMatchObject([
      400,
      { fields: { "fields.bogus": expect.any(String) } },
    ]);
    const extra = await edit({ phoneNo: "08030000002", fields: {}, bogus: 1 });
    expect([extra.statusCode, extra.json()]).toMatchObject([400, { fields: { bogus: expect.any(String) } }]);
  });

  test("keep their fields when another is deleted, and over many sheets", async ({ app, db, signInAs }) => {
    const { path, headers, id } = await built(app, db, signInAs);
    const contacts = Array.from(buildNumbers(2_500), (number, index) => ({
      phoneNo: String(number),
      fields: { full_name: `Name ${index}` },
    }));
    await addTo(app, path, headers, { contacts: contacts.slice(0, 1_500) });
    await addTo(app, path, headers, { contacts: contacts.slice(1_000) });
    await app.inject({ method: "DELETE", url: `/api/${id}/0/delete-contact`, headers });
    const at = async (after: number) => (await list(app, path, headers, `after=${after}&limit=2`)).data;
    expect(await at(997)).toMatchObject([
      { fields: { full_name: "Name 999" } },
      { fields: { full_name: "Name 1000" } },
    ]);
    expect(await at(1_497)).toMatchObject([
      { index: 1_498, fields: { full_name: "Name 1499" } },
      { index: 1_499, fields: { full_name: "Name 1500" } },
    ]);
    expect(names(await list(app, path, headers, "search=name%202499"))).toEqual(["Name 2499"]);
    const file = await app.inject({ url: `/api/${path}/export-contacts`, headers });
    expect(file.body.split("\r\n").slice(0, 2)).toEqual([
      '\uFEFF"phoneNo","Full Name","City"',
      `"234 ${contacts[1]?.phoneNo.slice(3).replace(/(...)(...)/, "$1 $2 ")}","Name 1",""`,
    ]);
  });
});

test("a catalog without columns has rows without fields, and a plain contact takes no more room", async ({
  app,
  db,
  signInAs,
}) => {
  const user = await buildUser(db);
  const headers = await signInAs(user);
  const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(3) });
  expect((await list(app, `${user.userId}/${catalogId}`, headers)).data[0]).not.toHaveProperty("fields");
  const letters = await app.inject({ url: `/api/${user.userId}/${catalogId}/contacts?search=abc`, headers });
  expect([letters.statusCode, letters.json()]).toMatchObject([400, { fields: { search: expect.any(String) } }]);
  // The row's five columns and an absent sixth: the null takes a bit that the header's padding has room for.
  const { rows } = await db.query<{ now: number; before: number }>(
    `select pg_column_size(sheet.*) as now,
       pg_column_size(row(user_id, catalog_id, sheet_no, phone_nos, contact_count)) as before
     from contact_sheet sheet where catalog_id = $1`,
    [catalogId],
  );
  expect(rows[0]?.now).toBe(rows[0]?.before);
});
