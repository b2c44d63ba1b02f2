// What people and opponents upload. Which cells are numbers is tested where it is decided, in the contract's `ContactFileReader`.
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { limits, type AddedAnswer, type WrongContacts } from "@ewebal/contract";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { eachCase, expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers, upload } from "../../../testing/contacts-factories.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { readCatalogNumbers } from "../catalogs/catalogs.ts";

type Headers = Record<string, string>;
type Refusal = WrongContacts & { code: string; message: string; fields: Record<string, string> };

const numbers = ["2348030000001", "2348050000002"];
const bytes = (...values: number[]) => Uint8Array.from(values);
const utf16 = (text: string, { isLittle, hasMark }: { isLittle: boolean; hasMark: boolean }) => {
  const units = Array.from(hasMark ? `\uFEFF${text}` : text, (character) => character.charCodeAt(0));
  return Uint8Array.from(units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
};
const uploadNew = (
  app: App,
  user: BuiltUser,
  headers: Headers,
  file: string | Uint8Array<ArrayBuffer> | undefined,
  fields: Headers = {},
  fileName?: string,
) =>
  upload(app, `/api/${user.userId}/upload-to-new-tel`, {
    ...(file !== undefined && { file }),
    fields: { catalogName: "A", code: "234", ...fields },
    headers,
    ...(fileName !== undefined && { fileName }),
  });

describe("refused", () => {
  test.for<[string, string | Uint8Array<ArrayBuffer> | undefined, string, string]>([
    ["no file", undefined, "a.csv", "is required"],
    ["an empty file", "", "a.csv", "is empty"],
    ["a file without numbers", "Phone\n\n", "a.csv", "has no number"],
    ["a renamed workbook", bytes(0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0, 0, 0, 33, 0), "a.csv", "is not a whole workbook"],
    [
      "a renamed old workbook",
      bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0),
      "a.csv",
      "is no list of contacts",
    ],
    [
      "a renamed picture",
      bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0, 0, 13),
      "a.csv",
      "is no list of contacts",
    ],
    ["a renamed PDF", "%PDF-1.7\n1 0 obj 08030000001", "a.csv", "is no list of contacts"],
    ["a renamed archive", bytes(0x1f, 0x8b, 8, 8, 1, 2, 3, 4), "a.csv", "is no list of contacts"],
    [
      "an open quotation mark",
      'Phone\n"08030000001\n08050000002',
      "a.csv",
      "has a cell in row 2 with an opening quotation mark",
    ],
    [
      "too many numbers",
      "08030000001\n".repeat(limits.catalogContactsMax + 1),
      "a.csv",
      "has more than 1,000,000 numbers",
    ],
    ["Excel's damage", "Phone\n2.34803E+12\n8030000001", "a.csv", 'row 2 "2.34803E+12" was shortened by a spreadsheet'],
  ])("%s", async ([, file, fileName, reason], { app, db, signInAs }) => {
    const user = await buildUser(db);
    const answer = await uploadNew(app, user, await signInAs(user), file, {}, fileName);
    expect([answer.statusCode, answer.json<Refusal>().code]).toEqual([400, "VALIDATION"]);
    expect(answer.json<Refusal>().fields["csv"]).toContain(reason);
    expect((await db.query("select from catalog")).rowCount).toBe(0);
  });

  test("a form with a wrong field", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        [{ catalogName: "" }, "catalogName"],
        [{ code: "999" }, "code"],
        [{ onlyGood: "yes" }, "onlyGood"],
        [{ columns: "0" }, "columns"],
        [{ columns: "A" }, "columns"],
        [{ catalogName: "x".repeat(1_001) }, "catalogName"],
      ] as const,
      async ([fields, field]) => {
        const user = await buildUser(db);
        const answer = await uploadNew(app, user, await signInAs(user), "08030000001", fields);
        expect([answer.statusCode, Object.keys(answer.json<Refusal>().fields)]).toEqual([400, [field]]);
      },
    );
  });

  test("a file of more than 20 MB is 413; one byte less is read", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const fill = (count: number) => `Phone\n08030000001\n${"\n".repeat(count - 18)}`;
    const tooLarge = await uploadNew(app, user, headers, fill(limits.contactFileBytesMax + 1));
    expect([tooLarge.statusCode, tooLarge.json<Refusal>().code]).toEqual([413, "BODY_TOO_LARGE"]);
    const largest = await uploadNew(app, user, headers, fill(limits.contactFileBytesMax));
    expect(largest.json<{ data: AddedAnswer }>().data).toMatchObject({ added: 1 });
  });

  test("what is no form, or not a whole one", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const url = `/api/${user.userId}/upload-to-new-tel`;
    const send = async (contentType: string, payload: string) =>
      (await app.inject({ method: "POST", url, headers: { ...headers, "content-type": contentType }, payload }))
        .statusCode;
    expect(await send("application/json", '{"csv":"08030000001"}')).toBe(415);
    expect(await send("text/csv", "08030000001")).toBe(415);
    expect(await send("multipart/form-data", "x")).toBe(400);
    const beginning = '--b\r\ncontent-disposition: form-data; name="csv"; filename="a.csv"\r\n\r\n08030000001';
    expect(await send("multipart/form-data; boundary=b", beginning)).toBe(400);
    expect(await send("multipart/form-data; boundary=b", "")).toBe(400);
    expect(
      await send(
        "multipart/form-data; boundary=b",
        '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\n1\r\n--b--',
      ),
    ).toBe(400);
    const file = `${beginning}\r\n`;
    expect(await send("multipart/form-data; boundary=b", `${file}${file}--b--`)).toBe(400);
    expect((await db.query("select from catalog")).rowCount).toBe(0);
  });
});

describe("wrong rows", () => {
  test("the file is refused as a whole and its rows are named; onlyGood adds the good ones", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: Float64Array.of(2_348_030_000_001) });
    const file = `Name,Phone\r\nAda,08030000001\r\nBola,abc\r\n\r\nChi,8007000003\r\nDayo,08050000002\r\n${"Efe,12\r\n".repeat(150)}`;
    const url = `/api/${user.userId}/${catalogId}/upload-to-existing-tel`;
    const refused = await upload(app, url, { file, headers });
    const { rows, ...refusal } = refused.json<Refusal>();
    expect([refused.statusCode, refusal]).toMatchObject([400, { code: "VALIDATION", wrong: 152, good: 2 }]);
    expect(rows.slice(0, 2)).toMatchObject([
      { row: 3, column: 2, value: "abc", reason: "not-digits", text: "is not a number" },
      { row: 5, column: 2, value: "8007000003", reason: "wrong-code" },
    ]);
    expect(rows).toHaveLength(100);
    expect(refusal.message).toMatch(
      /^Nothing was added: 152 wrong: row 3 "abc" is not a number; row 5 .*; and 147 more$/,
    );
    for (const [query, fields] of [
      ["?onlyGood=true", {}],
      ["", { onlyGood: "true" }],
    ] as const) {
      const taken = await upload(app, `${url}${query}`, { file, headers, fields });
      expect([taken.statusCode, taken.json<{ data: AddedAnswer }>().data.wrong]).toEqual([201, 152]);
    }
    const { numbers: stored } = await readCatalogNumbers(db, { userId: user.userId, catalogId });
    expect([...stored].map(String)).toEqual(numbers);
  });

  test("a spreadsheet's lost zeros come back, and are counted, repetitions included", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const answer = await uploadNew(
      app,
      user,
      await signInAs(user),
      "Name,Phone\nAda,8030000001\nBola,08030000001\nChi,8050000002",
    );
    expect(answer.json()).toMatchObject({
      message: "2 contacts added, 1 already there. 2 numbers got back the 0 that a spreadsheet had dropped",
      data: { added: 2, existing: 1, wrong: 0, repaired: { leadingZero: 2 } },
    });
  });

  test("the columns that were chosen are read", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const file = "Home phone,Phone\n08030000001,abc\n08050000002,def";
    expect((await uploadNew(app, user, headers, file)).statusCode).toBe(400);
    expect((await uploadNew(app, user, headers, file, { columns: "1" })).json()).toMatchObject({
      data: { added: 2, wrong: 0 },
    });
    expect((await uploadNew(app, user, headers, file, { columns: "9" })).json()).toMatchObject({
      fields: { csv: "has no number" },
    });
  });
});

describe("taken", () => {
  const text = "Phone;Ọjọ́\r\n08030000001;Ada\r\n+234 805 000 0002;Bọ́lá\r\n";
  test.for<[string, string | Uint8Array<ArrayBuffer>]>([
    ["UTF-8", text],
    ["UTF-8 with a mark", `\uFEFF${text}`],
    ["UTF-16 little-endian with a mark", utf16(text, { isLittle: true, hasMark: true })],
    ["UTF-16 big-endian with a mark", utf16(text, { isLittle: false, hasMark: true })],
    [
      "UTF-16 without a mark",
      utf16("Phone;Name\n08030000001;Ada\n08050000002;Bola\n", { isLittle: true, hasMark: false }),
    ],
    [
      "an old Windows alphabet",
      Uint8Array.from("Phone,Name\n08030000001,Ad\u00e9\n08050000002,B\u00f2l\u00e1\n", (character) =>
        character.charCodeAt(0),
      ),
    ],
  ])("%s", async ([, file], { app, db, signInAs }) => {
    const user = await buildUser(db);
    const answer = await uploadNew(app, user, await signInAs(user), file, {}, "CONTACTS.CSV");
    const { _id } = answer.json<{ data: AddedAnswer }>().data;
    expect([...(await readCatalogNumbers(db, { userId: user.userId, catalogId: _id })).numbers].map(String)).toEqual(
      numbers,
    );
  });

  test("a large file, in UTF-16 and with quotes, is read over the borders of its pieces; nothing stays on the disk", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const expected = [...buildNumbers(30_000)];
    const file = utf16(expected.map((number) => `"Ọ ""x"", y";"${number}"`).join("\r\n"), {
      isLittle: true,
      hasMark: true,
    });
    const answer = await uploadNew(app, user, await signInAs(user), file);
    const { _id } = answer.json<{ data: AddedAnswer }>().data;
    expect([...(await readCatalogNumbers(db, { userId: user.userId, catalogId: _id })).numbers]).toEqual(expected);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith("ewebal-upload-"))).toEqual([]);
  });
});
