import { describe, expect, test } from "vitest";
import { buildPhoneNos, buildSendBody } from "../../../testing/messages-factories.ts";
import { readDraftJson, readSendFields, readSendJson } from "./read-send.ts";

const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const wrong = (...fields: string[]) => ({
  kind: "wrong",
  fields: Object.fromEntries(fields.map((field) => [field, expect.any(String)])),
});

describe("a body that is no form", () => {
  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["two values", "{} {}"],
    ["a text", '"2348030000001"'],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "7"],
  ])("%s is refused", (_name, text) => {
    expect(readSendJson(bytes(text))).toMatchObject({ kind: "wrong" });
    expect(readDraftJson(bytes(text))).toMatchObject({ kind: "wrong" });
  });

  test("bytes that are not UTF-8 are refused", () => {
    expect(readSendJson(Buffer.concat([bytes('{"message":"'), Buffer.from([0xff]), bytes('"}')]))).toEqual(
      wrong("body"),
    );
  });

  test.each(["__proto__", "constructor", "prototype", "\\u005f_proto__"])("the key %s is refused", (key) => {
    const text = JSON.stringify(buildSendBody()).replace("{", `{"${key}":{"isAdmin":true},`);
    expect(readSendJson(bytes(text))).toEqual(wrong("body"));
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });
});

describe("the form", () => {
  test("all missing fields are named at once", () => {
    expect(readSendJson(bytes({}))).toEqual(wrong("senderName", "message", "phoneNo", "code"));
  });

  test.each([
    ["senderName", ""],
    ["senderName", "TwelveLetter"],
    ["senderName", "x".repeat(19)],
    ["senderName", ["Acme Ltd"]],
    ["senderName", { $ne: "" }],
    ["message", ""],
    ["message", " \n\t"],
    ["message", 7],
    ["message", null],
    ["message", "nul \u0000"],
    ["message", "half \ud800"],
    ["message", "x".repeat(1_601)],
    ["message", "x".repeat(100_000)],
    ["phoneNo", ""],
    ["phoneNo", ",, \n"],
    ["phoneNo", 2_348_030_000_001],
    ["phoneNo", ["2348030000001"]],
    ["phoneNo", "0803"],
    ["phoneNo", "2348030000001,abc"],
    ["phoneNo", "2.34803E+12"],
    ["phoneNo", "2341234567890"],
    ["code", ""],
    ["code", "0234"],
    ["code", "+234"],
    ["code", "23456"],
    ["code", 234],
    ["code", "２３４"],
  ])("%s %j is refused", (field, value) => {
    expect(readSendFields({ ...buildSendBody(), [field]: value })).toEqual(wrong(field));
  });

  test("1,600 characters are fine also when each is two units", () => {
    expect(readSendFields(buildSendBody({ message: "😀".repeat(1_600) }))).toMatchObject({ kind: "read" });
  });

  test("fields that nobody asked for change nothing", () => {
    const read = readSendFields({ ...buildSendBody(), userID: "x", units: 7, role: "admin" });
    expect(read).toMatchObject({ kind: "read" });
    expect(JSON.stringify(read)).not.toContain("admin");
  });

  test("numbers of another country are left for later; they come after address and sender name", () => {
    expect(readSendFields(buildSendBody({ phoneNo: "2348030000001,447911123456" }))).toMatchObject({
      kind: "read",
      value: { recipients: { receivedCount: 2, wrongCount: 1 } },
    });
  });

  test("pasted numbers are cleaned, and each is kept once", () => {
    const read = readSendFields(buildSendBody({ phoneNo: "0803 000 0001\n+234-803-000-0001, 2348030000002;" }));
    if (read.kind === "wrong") throw new Error(JSON.stringify(read.fields));
    expect([...read.value.recipients.valid]).toEqual([2_348_030_000_001, 2_348_030_000_002]);
    expect(read.value.recipients).toMatchObject({ receivedCount: 3, duplicateCount: 1, wrongCount: 0 });
  });

  test("1,000,001 numbers are too many", () => {
    expect(readSendFields(buildSendBody({ phoneNo: buildPhoneNos(1_000_001) }))).toEqual(wrong("phoneNo"));
  });

  test("the fingerprint is the same for the same four fields only", () => {
    const print = (body: object) => {
      const read = readSendFields(body);
      return read.kind === "read" ? Buffer.from(read.value.fingerprint).toString("hex") : "";
    };
    const same = print(buildSendBody());
    expect(print({ ...buildSendBody(), extra: 1 })).toBe(same);
    for (const other of [{ message: "Good night" }, { senderName: "Acme Lt" }, { phoneNo: "2348030000002" }]) {
      expect(print(buildSendBody(other))).not.toBe(same);
    }
  });

  test("runs of consecutive numbers are counted", () => {
    const runOf = (phoneNo: string) => {
      const read = readSendFields(buildSendBody({ phoneNo }));
      return read.kind === "read" ? read.value.longestRun : undefined;
    };
    expect(runOf("2348030000001,2348030000007")).toBe(1);
    expect(runOf(`2348030000900,${buildPhoneNos(300)},2348030000950`)).toBe(300);
  });
});

describe("a draft", () => {
  test("may hold numbers and names that could not be sent", () => {
    const draft = { senderName: "Not approved yet", message: "Hello", phoneNo: "080 to be completed", code: "234" };
    expect(readDraftJson(bytes(draft))).toEqual({ kind: "read", value: draft });
  });

  test.each(["senderName", "message", "phoneNo", "code"])("without %s is refused", (field) => {
    expect(readDraftJson(bytes({ ...buildSendBody(), [field]: "" }))).toEqual(wrong(field));
  });

  test.each(["senderName", "message", "phoneNo"])("what the database cannot keep is refused in %s", (field) => {
    for (const text of ["a\u0000b", "a\udc00b"])
      expect(readDraftJson(bytes(JSON.stringify({ ...buildSendBody(), [field]: text })))).toEqual(wrong(field));
  });
});
