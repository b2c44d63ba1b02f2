import { describe, expect, test } from "vitest";
import type { CsvSummary } from "../../../shared/numbers/read-csv.ts";
import { codeOf, findMissing, type ImportForm } from "./import-form.ts";
import { catalogAnswer } from "../testing/catalog-answers.ts";

const filled: ImportForm = {
  target: "new",
  catalogName: "Customers",
  newCode: "234",
  catalog: undefined,
  source: "numbers",
  chosen: undefined,
  wish: undefined,
  phoneNo: "08030000001",
  onlyGood: false,
};
const typed = (good: number, wrong = 0) => ({
  typed: { valid: { length: good }, wrongCount: wrong },
  summary: undefined,
  isReading: false,
});
const column = { column: 1, name: "", sample: "08030000001", isRead: true };
const summary: Extract<CsvSummary, { kind: "read" }> = {
  kind: "read",
  goodCount: 5,
  duplicateCount: 0,
  wrongCount: 0,
  wrong: [],
  hasHeader: false,
  columns: [column],
  match: { numbers: [1], fields: [] },
  rows: [],
  sheets: [],
};
const fileForm: ImportForm = { ...filled, source: "file", chosen: { file: new File(["x"], "a.csv"), isPasted: false } };
const read = (over: Partial<typeof summary> = {}) => ({ ...typed(0), summary: { ...summary, ...over } });

describe("still needed", () => {
  test.each<[string, Partial<ImportForm>, string[]]>([
    ["a new catalog's name", { catalogName: "  " }, ["catalog name"]],
    ["an existing catalog", { target: "existing" }, ["catalog"]],
    ["the file", { source: "file" }, ["a file"]],
    ["everything, in the page's order", { target: "existing", source: "file" }, ["catalog", "a file"]],
  ])("%s", (_, over, missing) => {
    expect(findMissing({ ...filled, ...over }, typed(1))).toEqual(missing);
  });

  test.each([
    [0, 0, ["phone numbers"]],
    [0, 2, ["a valid number"]],
    [1, 1, ["Fix the number above, or choose to add only the valid one."]],
    [5, 1, ["Fix the number above, or choose to add only the 5 valid ones."]],
    [5, 1_200, ["Fix the 1,200 numbers above, or choose to add only the 5 valid ones."]],
  ])("%i good and %i wrong typed numbers", (good, wrong, missing) => {
    expect(findMissing(filled, typed(good, wrong))).toEqual(missing);
  });

  test("a file that is being read, cannot be read, or has no column of numbers", () => {
    expect(findMissing(fileForm, typed(0))).toEqual(["The file is being read."]);
    expect(findMissing(fileForm, { ...read(), isReading: true })).toEqual(["The file is being read."]);
    expect(findMissing(fileForm, { ...typed(0), summary: { kind: "no-text" } })).toEqual(["a file that can be read"]);
    expect(findMissing(fileForm, read({ goodCount: 0, columns: [{ ...column, isRead: false }] }))).toEqual([
      "a column with phone numbers",
    ]);
    expect(findMissing(fileForm, read({ wrongCount: 1 }))).toEqual([
      "Fix the number above, or choose to add only the 5 valid ones.",
    ]);
  });
});

test("nothing, when all is right or the valid ones alone are chosen", () => {
  expect(findMissing(filled, typed(1))).toEqual([]);
  expect(findMissing({ ...filled, onlyGood: true }, typed(1, 7))).toEqual([]);
  expect(findMissing(fileForm, read())).toEqual([]);
  expect(findMissing({ ...fileForm, onlyGood: true }, read({ wrongCount: 3 }))).toEqual([]);
});

test("numbers are judged by the country of the catalog they go to", () => {
  const catalog = catalogAnswer({ code: "233" });
  expect(codeOf({ ...filled, catalog })).toBe("234");
  expect(codeOf({ ...filled, target: "existing", catalog })).toBe("233");
});
