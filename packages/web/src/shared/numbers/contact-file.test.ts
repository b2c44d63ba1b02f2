import { limits } from "@ewebal/contract";
import { expect, test } from "vitest";
import { fileFromPaste, fileSizeInWords, refuseFile } from "./contact-file.ts";

test.each([
  [{ name: "contacts.xls", size: 10 }, /^Save the list as an Excel workbook/],
  [{ name: "csv", size: 10 }, /^CSV, Excel/],
  [{ name: "contacts.csv", size: 0 }, /empty/],
  [{ name: "contacts.csv", size: limits.contactFileBytesMax + 1 }, /larger than 20 MB/],
])("%j is refused with the reason", (file, reason) => {
  expect(refuseFile(file)).toMatch(reason);
});

test.each([
  { name: "contacts.csv", size: 1 },
  { name: "contacts.xlsx", size: 1 },
  { name: "contacts.vcf", size: 1 },
  { name: "CONTACTS.CSV", size: limits.contactFileBytesMax },
])("$name of $size bytes is taken", (file) => {
  expect(refuseFile(file)).toBeUndefined();
});

test("a long paste is a file like any other", async () => {
  const { file, isPasted } = fileFromPaste("08030000001\n08050000002");
  expect(isPasted).toBe(true);
  expect(refuseFile(file)).toBeUndefined();
  expect(await file.text()).toBe("08030000001\n08050000002");
});

test.each([
  [1, "1 kB"],
  [320 * 1024, "320 kB"],
  [1.44 * 1024 * 1024, "1.4 MB"],
  [20 * 1024 * 1024, "20 MB"],
])("%d bytes are %s", (bytes, words) => {
  expect(fileSizeInWords(bytes)).toBe(words);
});
