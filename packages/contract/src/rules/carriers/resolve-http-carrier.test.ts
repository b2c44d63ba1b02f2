import { describe, expect, test } from "vitest";
import type { HttpLinkFields } from "../../schemas/admin/http-carriers.ts";
import { httpPresets } from "./http-presets.ts";
import { cutTemplate, fillTemplate, fixTemplate } from "./http-template.ts";
import { resolveHttpCarrier } from "./resolve-http-carrier.ts";
import { parseValuePath, readCarrierJson, readText } from "./value-path.ts";

const good = {
  url: "https://api.provider.example/messages",
  headers: { Authorization: "Bearer {{key}}", "Idempotency-Key": "{{id}}" },
  secrets: { key: 'k"1' },
  body: '{"to":"{{to}}","text":"{{ text }}"}',
  success: { status: 200, path: "status", equals: "ok" },
  idPath: "id",
  errors: [{ match: "5xx", meaning: "retry" }],
  report: { path: "report-secret", idPath: "id", statePath: "state", states: { DELIVRD: "delivered" } },
} satisfies HttpLinkFields;

describe("a definition", () => {
  test.for<[string, HttpLinkFields]>([
    ["url", { ...good, url: undefined }],
    ["url", { ...good, url: "ftp://api.provider.example/" }],
    ["url", { ...good, url: "https://user:password@api.provider.example/" }],
    ["url", { ...good, url: "https://api.provider.example/a b" }],
    ["url", { ...good, url: "https://{{to}}.provider.example/" }],
    ["url", { ...good, url: "https://api.provider.example{{to}}/" }],
    ["url", { ...good, url: "https://api.provider.example/#{{to}}" }],
    ["url", { ...good, method: "GET", body: undefined }],
    ["body", { ...good, method: "GET", url: "https://a.example/?to={{to}}&text={{text}}" }],
    ["body", { ...good, body: undefined }],
    ["body", { ...good, body: '{"text":"{{text}}"}' }],
    ["body", { ...good, body: '{"to":"{{to}}"}' }],
    ["body", { ...good, body: '{"to":"{{to}}","text":{{text}}}' }],
    ["body", { ...good, body: '{"to":"{{to}}","text":"{{text}}"' }],
    ["headers", { ...good, headers: { "Content-Length": "5", Authorization: "{{key}}" } }],
    ["headers", { ...good, headers: { "Content-Type": "text/plain" } }],
    ["headers", { ...good, headers: { "X-Text": "{{text}}" } }],
    ["secrets", { ...good, secrets: {} }],
    ["secrets", { ...good, secrets: { key: "a\r\nHost: evil" } }],
    ["success", { ...good, success: { equals: "ok" } }],
    ["success.path", { ...good, success: { path: "a..b" } }],
    ["success.path", { ...good, success: { path: "results.*.id" } }],
    ["idPath", { ...good, idPath: "" }],
    ["idPath", { ...good, idPath: undefined, headers: {} }],
    ["errors.0.match", { ...good, errors: [{ match: {}, meaning: "retry" }] }],
    ["report.idPath", { ...good, report: { ...good.report, idPath: undefined } }],
    ["report.statePath", { ...good, report: { ...good.report, statePath: undefined } }],
    ["report.statePath", { ...good, report: { ...good.report, idPath: "results.*.id" } }],
    ["report.idPath", { ...good, report: { ...good.report, idPath: "a.*.b.*.c" } }],
    ["report.states", { ...good, report: { ...good.report, states: {} } }],
    ["report.states", { ...good, report: { ...good.report, states: { DELIVRD: "arrived" } } }],
    ["url", { preset: "infobip", secrets: { apiKey: "k" } }],
    ["secrets", { preset: "africastalking", secrets: { apiKey: "k" } }],
  ])("is refused at %s: %j", ([field, wrong]) => {
    const { link, faults } = resolveHttpCarrier(wrong);
    expect(link).toBeUndefined();
    expect(faults.map((fault) => fault.field)).toContain(field);
    for (const { text } of faults) expect(text).toMatch(/\S/);
  });

  test("that is whole has its secrets in place, escaped for where they stand", () => {
    const { link } = resolveHttpCarrier({ ...good, body: '{"key":"{{key}}","to":"{{to}}","text":"{{text}}"}' });
    expect(link?.body?.template.literals[0]).toBe('{"key":"k\\"1","to":"');
    expect(link?.headers[0]?.value.literals).toEqual(['Bearer k"1']);
    expect(link?.report?.meanings.get("delivrd")).toBe("delivered");
    const turned = { ...good, report: { ...good.report, states: { delivered: ["DELIVRD", "OK"], failed: "UNDELIV" } } };
    expect([...(resolveHttpCarrier(turned).link?.report?.meanings ?? [])]).toEqual([
      ["delivrd", "delivered"],
      ["ok", "delivered"],
      ["undeliv", "failed"],
    ]);
  });

  test("by preset needs the account's own alone, and what is given wins", () => {
    for (const preset of ["termii", "africastalking", "infobip"] as const) {
      const { link, faults } = resolveHttpCarrier({
        preset,
        url: "http://127.0.0.1:9",
        secrets: { apiKey: "k", username: "u" },
        report: { path: "report-secret" },
      });
      expect(faults).toEqual([]);
      expect(link?.url.literals.join("")).toBe(`http://127.0.0.1:9${httpPresets[preset].path}`);
      expect(link?.report?.secret).toBe("report-secret");
    }
    const own = resolveHttpCarrier({
      preset: "infobip",
      url: "https://x.example/v9",
      headers: { authorization: "App z" },
    });
    expect(own.link?.url.literals).toEqual(["https://x.example/v9"]);
    expect(own.link?.headers.filter(({ name }) => /^authorization$/i.test(name))).toHaveLength(1);
  });
});

// Goal: nothing that a customer types leaves its place. Method: each form's own reader reads back what was typed.
test.for([
  `O'Brien "& sons" <b>\\n\n\r\t=%25 {{to}} {{id}} ]]> --`,
  "ẹ̀kọ́ ₦500 😀 \u2028",
  "a&to=2348030000009&text=x",
  '","to":"2348030000009',
])("%j comes through every form as it is", (text) => {
  const values = { to: "2348030000001", from: "Ewebal", text, id: "i-0" };
  const json = fillTemplate(cutTemplate('{"to":"{{to}}","text":"{{text}}"}'), "json", values);
  expect(JSON.parse(json)).toEqual({ to: values.to, text });
  const form = fillTemplate(cutTemplate("to={{to}}&text={{text}}"), "form", values);
  expect([...new URLSearchParams(form)]).toEqual([
    ["to", values.to],
    ["text", text],
  ]);
  const address = new URL(fillTemplate(cutTemplate("http://a.example/{{to}}?text={{text}}"), "address", values));
  expect([address.pathname, address.searchParams.get("text")]).toEqual([`/${values.to}`, text]);
  const xml = fillTemplate(cutTemplate("<m to='{{to}}'>{{text}}</m>"), "xml", values);
  expect(xml.match(/[<>]/g)).toHaveLength(4);
  // A secret that looks like a place is none.
  const fixed = fixTemplate(cutTemplate("{{key}} {{text}}"), "header", { key: "{{text}}" });
  expect(fillTemplate(fixed, "header", values)).toBe(`{{text}} ${text}`);
});

test("paths lead where they say and nowhere else, and long numbers keep their digits", () => {
  expect(["a.0.b", "a[0].b", "$.a.0.b"].map(parseValuePath)).toEqual(Array.from({ length: 3 }, () => ["a", "0", "b"]));
  expect(["", "a..b", "a b", "a.", "*x", "[", "a.b.".repeat(20)].map(parseValuePath)).toEqual(Array(7).fill(undefined));
  const json = readCarrierJson(
    '{"id":3017544054459083819856413,"small":7,"rate":12345678901234567.5,"list":[{"x":" y "}]}',
  );
  expect(readText(json, ["id"])).toBe("3017544054459083819856413");
  expect([readText(json, ["small"]), readText(json, ["list", "0", "x"])]).toEqual(["7", "y"]);
  for (const path of [["__proto__"], ["constructor", "name"], ["list", "length"], ["list", "9"]])
    expect(readText(readCarrierJson('{"list":[]}'), path)).toBe(path[1] === "length" ? "0" : undefined);
});
