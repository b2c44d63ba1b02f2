import { limits, type AddedAnswer, type ContactAnswer, type WrongContacts } from "@ewebal/contract";
import { describe } from "vitest";
import type { App } from "../../../http/app-type.ts";
import { eachCase, expect, test } from "../../../testing/app.ts";
import { upload } from "../../../testing/contacts-factories.ts";
import { buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { cleanUpWrongRowsQueue } from "./wrong-rows.ts";
import { buildWorkbook, buildZip, type BuiltCell } from "../testing/build-workbook.ts";

type Headers = Record<string, string>;
type Answer = { data: AddedAnswer };
type Refusal = WrongContacts & { code: string; fields: Record<string, string>; sheets?: string[] };
type File = string | Uint8Array<ArrayBuffer>;

const uploadNew = (app: App, user: BuiltUser, headers: Headers, file: File, fields: Headers = {}) =>
  upload(app, `/api/${user.userId}/upload-to-new-tel`, {
    file,
    fileName: "whatever.bin",
    fields: { catalogName: "A", code: "234", ...fields },
    headers,
  });
const list = async (app: App, user: BuiltUser, headers: Headers, id: string): Promise<ContactAnswer[]> =>
  (await app.inject({ url: `/api/${user.userId}/${id}/contacts`, headers })).json<{ data: ContactAnswer[] }>().data;

const one = "+2348030000001";
const two = "+2348050000002";
const old = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"));
const wide = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
const number = (written: string): BuiltCell => ({ number: written });
const mapping = (fields: object): Headers => ({ mapping: JSON.stringify({ phoneNo: 1, ...fields }) });

/** What programs make of a list of two people, and what it is read as. */
describe("what programs make of numbers", () => {
  test("every program's file is read as it was meant", async ({ app, db, signInAs }) => {
    await eachCase<[string, File, Headers, object[], object | undefined]>(
      [
        [
          "Excel in English, saved as CSV: no zero, names in Windows-1252",
          old("Name,Phone\r\nJos\u00e9,8030000001\r\nAda,8050000002\r\n"),
          mapping({ phoneNo: "Phone", fields: { name: "Name" } }),
          [{ name: "Jos\u00e9" }, { name: "Ada" }],
          { leadingZero: 2 },
        ],
        [
          "two programs' lists in one file: lines of UTF-8 among those of Windows-1252",
          new Uint8Array(
            Buffer.concat([
              Buffer.from("Phone,Name\n08030000001,Zoë Ọbí\n"),
              Buffer.from("08050000002,Jos\u00e9\n", "latin1"),
            ]),
          ),
          mapping({ fields: { name: 2 } }),
          [{ name: "Zoë Ọbí" }, { name: "José" }],
          undefined,
        ],
        [
          "Excel in German: semicolons, decimal commas",
          "Name;Telefon\r\nJörg;2348030000001,0\r\nAda;8050000002\r\n",
          mapping({ phoneNo: 2, fields: { name: 1 } }),
          [{ name: "Jörg" }, { name: "Ada" }],
          { leadingZero: 1, decimals: 1 },
        ],
        [
          "Excel's Unicode text: UTF-16, tabs",
          wide("Phone\tName\r\n08030000001\tAda\r\n08050000002\tÌyá\r\n"),
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "Ìyá" }],
          undefined,
        ],
        [
          "Google Sheets: plain UTF-8",
          "Phone,Name\n+234 803 000 0001,Ada\n'08050000002,Bola\n",
          mapping({ fields: { name: "name" } }),
          [{ name: "Ada" }, { name: "Bola" }],
          { apostrophe: 1, blanks: 1 },
        ],
        [
          "LibreOffice: every cell quoted",
          '"Phone","Name"\n"2348030000001.0","Ada ""A"" Obi"\n"002348050000002","B, C"\n',
          mapping({ fields: { name: 2 } }),
          [{ name: 'Ada "A" Obi' }, { name: "B, C" }],
          { decimals: 1, internationalPrefix: 1 },
        ],
        [
          "a bank's export: a heading in row 3, names of its own above",
          "STATEMENT OF CUSTOMERS,,\nPrinted 01/03/2026,,\nS/N,Customer,GSM\n1,Ada,+234 (0) 8030000001\n2,Bola,0805-000-0002\n",
          { mapping: JSON.stringify({ phoneNo: "GSM", fields: { name: "Customer" }, header: 3 }) },
          [{ name: "Ada" }, { name: "Bola" }],
          { trunkZero: 1, blanks: 1 },
        ],
        [
          "a workbook: numbers as numbers, texts shared",
          buildWorkbook({
            People: [
              ["Phone", "Name"],
              [number("2.348030000001E12"), "Ada"],
              [number("8050000002"), "Bola"],
            ],
            Empty: [],
          }),
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "Bola" }],
          { leadingZero: 1 },
        ],
        [
          "a workbook with texts in their cells and formulas",
          buildWorkbook(
            {
              People: [
                ["Phone", "Name"],
                ["08030000001", { formula: 'A1&"x"', value: "Ada" }],
                [{ formula: "1", value: "08050000002" }, "B & <C>"],
              ],
            },
            { isInline: true },
          ),
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "B & <C>" }],
          undefined,
        ],
        [
          "a phone's vCards: 2.1, 3.0 and 4.0",
          'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ob=C3=AC;Ada\r\nTEL;CELL:0803-000-0001\r\nEND:VCARD\r\nBEGIN:VCARD\nVERSION:4.0\nFN:Bola\\, the \n second\nORG:Acme;Sales\nitem1.TEL;VALUE=uri;TYPE="cell,voice":tel:+234-805-000-0002\nEMAIL:b@example.com\nEND:VCARD\n',
          { mapping: JSON.stringify({ phoneNo: "TEL", fields: { name: "FN", org: "ORG" } }) },
          [
            { name: "Ada Obì", org: "" },
            { name: "Bola, the second", org: "Acme, Sales" },
          ],
          undefined,
        ],
        [
          "Excel in English: dates, sums and failed formulas of a workbook as they are shown",
          buildWorkbook(
            {
              People: [
                ["Phone", "Due", "Owes", "Shop"],
                [number("8030000001"), { number: "46082", style: 1 }, number("0.30000000000000004"), { fault: "#N/A" }],
                [number("8050000002"), { number: "46082.604166666664", style: 2 }, number("1250.5"), "Ikeja"],
              ],
            },
            { dateFormats: [14, "[$-409]d\\-mmm\\-yy"] },
          ),
          mapping({ fields: { due: 2, owes: 3, shop: 4 } }),
          [
            { due: "01/03/2026", owes: "0.3", shop: "" },
            { due: "01/03/2026 14:30", owes: "1250.5", shop: "Ikeja" },
          ],
          { leadingZero: 2 },
        ],
        [
          "Excel in German, saved as CSV: failed formulas, a number kept as a text",
          old('Name;Telefon;Saldo\r\nJ\u00f6rg;"=""08030000001""";#NV\r\nAda;0805 000 0002;1.250,50\r\n'),
          mapping({ phoneNo: "Telefon", fields: { name: "Name", owes: "Saldo" } }),
          [
            { name: "Jörg", owes: "" },
            { name: "Ada", owes: "1.250,50" },
          ],
          { blanks: 1 },
        ],
        [
          "LibreOffice: a separator in the first line, tabs",
          "sep=\t\nPhone\tName\n08030000001\tAda\n002348050000002\tBola\n",
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "Bola" }],
          { internationalPrefix: 1 },
        ],
        [
          "Google Sheets: no-break spaces and a mark of direction inside numbers",
          "Phone,Name\n+234\u00a0803\u00a0000\u00a00001,Ada\n\u202a08050000002\u202c,Bola\n",
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "Bola" }],
          { blanks: 1 },
        ],
        [
          "a phone's own list in another script",
          "Phone,Name\n\u0660\u0668\u0660\u0663\u0660\u0660\u0660\u0660\u0660\u0660\u0661,Ada\n08050000002,Bola\n",
          mapping({ fields: { name: 2 } }),
          [{ name: "Ada" }, { name: "Bola" }],
          { digits: 1 },
        ],
        [
          "Google Contacts: headings of many words, the number's kind beside it",
          "First Name,Last Name,Phone 1 - Label,Phone 1 - Value\nAda,Obi,Mobile,+234 803 000 0001\nBola,,Mobile,0805-000-0002\n",
          { mapping: JSON.stringify({ phoneNo: "Phone 1 - Value", fields: { first_name: "First Name" } }) },
          [{ first_name: "Ada" }, { first_name: "Bola" }],
          { blanks: 1 },
        ],
      ],
      async ([_name, file, fields, known, repaired]) => {
        const user = await buildUser(db);
        const headers = await signInAs(user);
        const answer = await uploadNew(app, user, headers, file, fields);
        expect([answer.statusCode, answer.json<Answer>().data]).toMatchObject([
          201,
          { added: 2, existing: 0, wrong: 0 },
        ]);
        expect(answer.json<Answer>().data.repaired).toEqual(repaired);
        const contacts = await list(app, user, headers, answer.json<Answer>().data._id);
        expect(contacts.map(({ phoneNo, fields: own }) => [phoneNo, own])).toEqual([
          [one, known[0]],
          [two, known[1]],
        ]);
      },
    );
  });

  test("without a mapping the numbers alone are taken, of a workbook and of vCards too", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const book = buildWorkbook({
      A: [
        ["Name", "Phone"],
        ["Ada", number("2348030000001")],
      ],
    });
    const made = await uploadNew(app, user, headers, book);
    expect(await list(app, user, headers, made.json<Answer>().data._id)).toEqual([{ index: 0, phoneNo: one }]);
    const cards = await uploadNew(app, user, headers, "BEGIN:VCARD\nFN:A\nTEL:08030000001\nTEL:08050000002\nEND:VCARD");
    expect(cards.json<Answer>().data.added).toBe(2);
  });
});

describe("choices", () => {
  test("of several sheets that hold rows one is chosen", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const book = buildWorkbook({ "2025": [["08030000001"]], None: [], "2026": [["08050000002"]] });
    const refused = await uploadNew(app, user, headers, book);
    expect([refused.statusCode, refused.json<Refusal>().sheets, Object.keys(refused.json<Refusal>().fields)]).toEqual([
      400,
      ["2025", "2026"],
      ["sheet"],
    ]);
    const chosen = await uploadNew(app, user, headers, book, mapping({ sheet: "2026" }));
    expect((await list(app, user, headers, chosen.json<Answer>().data._id)).map(({ phoneNo }) => phoneNo)).toEqual([
      two,
    ]);
    expect((await uploadNew(app, user, headers, book, mapping({ sheet: "x" }))).json<Refusal>().fields).toHaveProperty(
      "sheet",
    );
  });

  test("a wrong mapping is refused", async ({ app, db, signInAs }) => {
    await eachCase(
      [
        ["no JSON", "{", "mapping"],
        ["an unknown member", '{"phoneNo":1,"bogus":1}', "mapping.bogus"],
        ["no number's column", "{}", "mapping.phoneNo"],
        ["a heading that is not there", '{"phoneNo":"Fax"}', "mapping"],
        ["a key that is none", '{"phoneNo":1,"fields":{"A b":2}}', "mapping.fields.A b"],
      ],
      async ([_name, text, field]) => {
        const user = await buildUser(db);
        const file = "Phone,Name\n08030000001,Ada";
        const answer = await uploadNew(app, user, await signInAs(user), file, { mapping: text ?? "" });
        expect([answer.statusCode, Object.keys(answer.json<Refusal>().fields)]).toEqual([400, [field]]);
      },
    );
  });
});

describe("what is no list of contacts", () => {
  const sheet = (contents: string | Buffer): Record<string, string | Buffer> => ({
    "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="1" Target="worksheets/a.xml"/></Relationships>',
    "xl/worksheets/a.xml": contents,
  });
  test("a file of another kind, a broken one and one that grows are refused", async ({ app, db, signInAs }) => {
    await eachCase<[string, File]>(
      [
        ["a zip of something else", buildZip({ "a.txt": "08030000001" })],
        ["half a workbook", buildWorkbook({ A: [["08030000001"]] }).slice(0, 300)],
        ["broken XML", buildZip(sheet("<worksheet><row></worksheet>"))],
        ["entities that grow", buildZip(sheet('<!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><worksheet>&b;</worksheet>'))],
        ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13])],
      ],
      async ([_name, file]) => {
        const user = await buildUser(db);
        const answer = await uploadNew(app, user, await signInAs(user), file);
        expect([answer.statusCode, Object.keys(answer.json<Refusal>().fields)]).toEqual([400, ["csv"]]);
      },
    );
  });

  test("what expands beyond 512 MB is refused while it is read, whatever it says of itself", async ({
    app,
    db,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const contents = Buffer.alloc(513 * 1024 * 1024, " ");
    contents.write("<worksheet>");
    const file = buildZip(sheet(contents), 1_000);
    expect(file.byteLength).toBeLessThan(limits.contactFileBytesMax);
    const answer = await uploadNew(app, user, headers, file);
    expect([answer.statusCode, answer.json<Refusal>().fields]).toEqual([400, { csv: "expands to more than 512 MB" }]);
  });

  test("what is read twice, to find the sheet and for its rows, is counted once", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const contents = Buffer.alloc(260 * 1024 * 1024, " ");
    contents.write(
      '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>08030000001</t></is></c></row></sheetData><!--',
    );
    contents.write("--></worksheet>", contents.byteLength - 15);
    const answer = await uploadNew(app, user, headers, buildZip(sheet(contents)));
    expect([answer.statusCode, answer.json<Answer>().data]).toMatchObject([201, { added: 1 }]);
  });
});

describe("wrong rows", () => {
  const file = 'Name,Phone,Note\nAda,08030000001,a\n"=cmd()",2.34803E+12,b\nChi,0805,"c, d"\n';
  test("are a file that is corrected and uploaded again, for a day, its owner's only", async ({
    app,
    db,
    deps,
    signInAs,
  }) => {
    const user = await buildUser(db);
    const headers = await signInAs(user);
    const fields = { mapping: JSON.stringify({ phoneNo: "Phone", fields: { name: "Name" } }) };
    const refused = await uploadNew(app, user, headers, file, fields);
    expect([refused.statusCode, refused.json<Refusal>()]).toMatchObject([
      400,
      { code: "VALIDATION", wrong: 2, good: 1 },
    ]);
    const taken = await uploadNew(app, user, headers, file, { ...fields, onlyGood: "true" });
    const { wrongRows = "", added, _id } = taken.json<Answer>().data;
    expect([taken.statusCode, added]).toEqual([201, 1]);
    for (const url of [refused.json<Refusal>().wrongRows ?? "", wrongRows]) {
      const rows = await app.inject({ url, headers });
      expect([rows.statusCode, rows.headers["content-type"], rows.body]).toEqual([
        200,
        "text/csv; charset=utf-8",
        '\uFEFF"Name","Phone","Note","reason"\r\n' +
          `"'=cmd()","2.34803E+12","b","""2.34803E+12"" was shortened by a spreadsheet, its last digits are lost: format the column as a number without decimals and save again"\r\n` +
          '"Chi","0805","c, d","""0805"" is too short"\r\n',
      ]);
    }
    const mended = (await app.inject({ url: wrongRows, headers })).body
      .replace('"2.34803E+12"', '"08050000002"')
      .replace('"0805",', '"08070000003",');
    const again = await upload(app, `/api/${user.userId}/${_id}/upload-to-existing-tel`, {
      file: mended,
      fields,
      headers,
    });
    expect([again.statusCode, again.json<Answer>().data]).toMatchObject([201, { added: 2, wrong: 0 }]);
    expect((await list(app, user, headers, _id)).map((contact) => contact.fields)).toEqual([
      { name: "Ada" },
      { name: "=cmd()" },
      { name: "Chi" },
    ]);
    const stranger = await buildUser(db);
    expect((await app.inject({ url: wrongRows, headers: await signInAs(stranger) })).statusCode).toBe(403);
    await db.query("update wrong_rows set created_at = $1", [new Date(deps.clock.now().getTime() - 24 * 3_600_000)]);
    expect((await app.inject({ url: wrongRows, headers })).statusCode).toBe(404);
    await cleanUpWrongRowsQueue.handle(deps, {});
    expect((await db.query("select from wrong_rows")).rowCount).toBe(0);
  });

  test("a field that is too long makes its row wrong", async ({ app, db, signInAs }) => {
    const user = await buildUser(db);
    const answer = await uploadNew(
      app,
      user,
      await signInAs(user),
      `Phone,Note\n08030000001,${"x".repeat(161)}\n08050000002,y`,
      mapping({ fields: { note: 2 } }),
    );
    expect([answer.statusCode, answer.json<Refusal>().rows]).toMatchObject([
      400,
      [{ row: 2, column: 2, reason: "field-too-long" }],
    ]);
  });
});
