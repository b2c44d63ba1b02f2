import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorTable, getFormRoutes, isTestNumber, programRoutes, programSendBody } from "@ewebal/contract";
import { describe, expect, test } from "vitest";
import { sendSamples, testNumberFacts, webhookFiles } from "../../../shared/programs/code-samples.ts";
import { GET_ADDRESS, getParts, personalFields, refusals, SEND_ADDRESS, sendFields } from "./api-facts.ts";

const folder = join(import.meta.dirname, "../../../../public/downloads");
const documentation = readFileSync(join(folder, "sms-api.md"), "utf8");

test("the calls are the contract's", () => {
  expect([programRoutes.sendMessage.method, programRoutes.sendMessage.url]).toEqual(["POST", SEND_ADDRESS]);
  const { method, url } = getFormRoutes.sendByGetForm;
  expect([method, url.replaceAll(/:(\w+)/g, "{$1}")]).toEqual(["GET", GET_ADDRESS]);
});

test("the fields are those of the call, but for the catalogs of the dashboard", () => {
  const { catalogId: _, ...fields } = programSendBody.shape;
  expect([...sendFields, ...personalFields].map(({ name }) => name).toSorted()).toEqual(Object.keys(fields).toSorted());
});

test("each part of the GET form's address is explained", () => {
  expect(getParts.map(({ name }) => `{${name}}`)).toEqual(expect.arrayContaining(GET_ADDRESS.match(/\{\w+\}/g) ?? []));
  expect(GET_ADDRESS.match(/\{\w+\}/g)).toEqual([
    "{email}",
    "{password}",
    "{message}",
    "{senderName}",
    "{phoneNo}",
    "{code}",
  ]);
});

test.each(refusals)("$code is answered with the documented status", ({ code, status }) => {
  expect(errorTable[code].status).toBe(status);
});

test.each(sendSamples)("the sample for $language says the documented call", ({ file }) => {
  const source = readFileSync(join(folder, file), "utf8").toLowerCase();
  for (const part of [SEND_ADDRESS, "Bearer ", "Idempotency-Key", ...sendFields.map(({ name }) => name)])
    expect(source).toContain(part.toLowerCase());
});

test("each number of the test range is explained, and no other", () => {
  const numbers = testNumberFacts.map(({ number }) => Number(number));
  expect(numbers.every((number) => isTestNumber(number))).toBe(true);
  expect([numbers.length, isTestNumber(Math.min(...numbers) - 1), isTestNumber(Math.max(...numbers) + 1)]).toEqual([
    11,
    false,
    false,
  ]);
});

describe("the documentation to download", () => {
  test.each([
    SEND_ADDRESS,
    GET_ADDRESS,
    ...[...sendFields, ...personalFields].map(({ text }) => text),
    ...testNumberFacts.map(({ number, text }) => `| \`${number}\` | ${text} |`),
    ...webhookFiles.map(({ file }) => file),
  ])("has %s", (text) => {
    expect(documentation).toContain(text);
  });

  test.each(refusals)("has $code with its status", ({ code, status }) => {
    expect(documentation).toMatch(new RegExp(`\\| ${status} \\| \`${code}\` \\|`));
  });
});
