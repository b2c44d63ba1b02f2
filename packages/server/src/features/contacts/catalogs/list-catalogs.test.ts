import { contactRoutes, limits, type CatalogAnswer, type ContactAnswer } from "@ewebal/contract";
import { describe } from "vitest";
import { eachCase, expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { CHUNK_CONTACTS_MAX } from "../numbers/chunk-store.ts";
import { list, view, type Refusal } from "../testing/ask-for-contacts.ts";

describe("lists", () => {
  test("catalogs come newest first, page by page, with their first 100 contacts, and are found by name", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const ids: string[] = [];
    for (const name of ["Ikeja", "Aba north", "ABA south"])
      ids.push(await buildCatalog(db, { userId: user.userId, name, numbers: buildNumbers(150) }));
    const read = async (query: string) => {
      const answer = await app.inject({ url: `/api/${user.userId}/populate-catalogs?${query}`, headers });
      return contactRoutes.populateCatalogs.schema.response[200].parse(answer.json());
    };
    const first = await read("limit=2");
    expect(first.data.map(({ _id }) => _id)).toEqual([ids[2], ids[1]]);
    expect(first.data[0]).toMatchObject({ count: 150, contacts: [...buildNumbers(100)].map((number) => `+${number}`) });
    const second = await read(`limit=2&after=${first.next}`);
    expect([second.data.map(({ _id }) => _id), second.next]).toEqual([[ids[0]], null]);
    expect((await read("search=aba")).data.map(({ catalogName }) => catalogName)).toEqual(["ABA south", "Aba north"]);
    expect((await read("search=%25")).data).toEqual([]);
    expect((await app.inject({ url: `/api/${user.userId}/populate-catalogs?after=x`, headers })).statusCode).toBe(400);
  });

  test("one catalog carries its first 10,000 contacts, or as many as are asked for", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = buildNumbers(limits.catalogContactsCarriedMax + 5);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers });
    const catalog = await view(app, user, catalogId, headers);
    expect([catalog.count, catalog.contacts.length, catalog.contacts.at(-1)]).toEqual([
      10_005,
      10_000,
      `+${numbers[9_999]}`,
    ]);
    for (const count of [0, 1, 1_001]) {
      const answer = await app.inject({ url: `/api/${catalogId}/find-one-catalog?contacts=${count}`, headers });
      expect(answer.json<{ data: CatalogAnswer }>().data.contacts).toHaveLength(count);
    }
    expect((await app.inject({ url: `/api/${catalogId}/find-one-catalog?contacts=10001`, headers })).statusCode).toBe(
      400,
    );
  });

  test("contacts come in the order they were added, over the borders of chunks, with their index", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = buildNumbers(2 * CHUNK_CONTACTS_MAX + 30);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers });
    const seen: ContactAnswer[] = [];
    for (let after = ""; ;) {
      const page = await list(app, user, catalogId, headers, `limit=90${after}`);
      seen.push(...page.data);
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(seen).toEqual([...numbers].map((number, index) => ({ index, phoneNo: `+${number}` })));
    expect((await list(app, user, catalogId, headers, "after=999999")).data).toEqual([]);
  });

  test("a wrong search, place or length is refused", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        ["search=80a", "search"],
        ["search=%2B234", "search"],
        ["search=%25", "search"],
        [`search=${"1".repeat(16)}`, "search"],
        ["search=٣", "search"],
        ["after=x", "after"],
        ["after=-1", "after"],
        ["limit=0", "limit"],
        ["limit=101", "limit"],
      ] as const,
      async ([query, field]) => {
        const user = await buildUser(db);
        const catalogId = await buildCatalog(db, { userId: user.userId });
        const answer = await app.inject({
          url: `/api/${user.userId}/${catalogId}/contacts?${query}`,
          headers: await signInAs(user),
        });
        expect([answer.statusCode, Object.keys(answer.json<Refusal>().fields ?? {})]).toEqual([400, [field]]);
      },
    );
  });

  test("a search finds digits anywhere, in the national spelling too, never across two numbers, and keeps the index", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const numbers = buildNumbers(3 * CHUNK_CONTACTS_MAX);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers });
    const expected = (isFound: (phoneNo: string) => boolean) =>
      [...numbers]
        .map((number, index) => ({ index, phoneNo: `+${number}` }))
        .filter(({ phoneNo }) => isFound(phoneNo.slice(1)));
    const read = async (search: string) => {
      const found: ContactAnswer[] = [];
      for (let after = ""; ;) {
        const page = await list(app, user, catalogId, headers, `search=${search}&limit=7${after}`);
        found.push(...page.data);
        if (page.next === null) return found;
        after = `&after=${page.next}`;
      }
    };
    const last = String(numbers.at(-1));
    for (const search of [last, last.slice(-6)])
      expect(await read(search)).toEqual(expected((phoneNo) => phoneNo.includes(search)));
    expect(await read("9876")).toEqual(expected((phoneNo) => phoneNo.includes("9876")));
    const national = `0${last.slice(3, 11)}`;
    expect(await read(national)).toEqual(
      expected((phoneNo) => phoneNo.includes(national) || phoneNo.startsWith(`234${national.slice(1)}`)),
    );
    expect((await read(national)).at(-1)?.index).toBe(2_999);
    // The end of one number and the beginning of the next.
    expect(await read(`${String(numbers[0]).slice(-4)}${String(numbers[1]).slice(0, 6)}`)).toEqual([]);
    expect((await list(app, user, catalogId, headers, "search=")).data).toHaveLength(50);
  });
});
