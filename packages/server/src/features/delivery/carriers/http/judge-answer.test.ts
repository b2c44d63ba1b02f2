import { resolveHttpCarrier, type HttpLink, type HttpLinkFields } from "@ewebal/contract";
import { expect, test } from "vitest";
import { judgeAnswer, readRetryAfterMs } from "./judge-answer.ts";

function linkOf(fields: HttpLinkFields = {}): HttpLink {
  const base = { url: "https://a.example/", body: "to={{to}}&text={{text}}&id={{id}}" };
  const { link, faults } = resolveHttpCarrier({ ...base, ...fields });
  if (link === undefined) throw new Error(JSON.stringify(faults));
  return link;
}

const byPath = linkOf({ success: { path: "code", equals: ["ok", 7, true] }, idPath: "data.id" });
const byStatus = linkOf({
  success: { status: [200, 202] },
  errors: [
    { match: "No Credit", meaning: "retry" },
    { match: "418", meaning: "throttled" },
    { match: 503, meaning: "refused" },
    { match: { status: 200, path: "error.code", equals: 12 }, meaning: "refused" },
    { match: "5xx", meaning: "retry" },
  ],
});
const bare = linkOf();

test.for<[HttpLink, number, string, string]>([
  [byPath, 200, '{"code":"ok","data":{"id":5}}', "accepted 5"],
  [byPath, 201, '{"code":7,"data":{"id":"a"}}', "accepted a"],
  [byPath, 200, '{"code":true}', "accepted "],
  [byPath, 200, `{"code":"ok","data":{"id":"${"x".repeat(256)}"}}`, "accepted "],
  [byPath, 200, '{"code":"OK"}', "refused http:200:OK"],
  [byPath, 200, "{}", "refused http:200"],
  [byPath, 200, "[]", "refused http:200"],
  [byPath, 200, "", "unknown http:200"],
  [byPath, 200, "<html>ok</html>", "unknown http:200"],
  [byPath, 400, '{"code":"ok"}', "refused http:400:ok"],
  // An answer that repeats the text: what it says is no error of the carrier.
  [
    linkOf({ success: { path: "code", equals: "ok" }, errors: [{ match: "no credit", meaning: "retry" }] }),
    200,
    '{"code":"ok","text":"no credit"}',
    "accepted own",
  ],
  [byStatus, 200, "anything", "accepted own"],
  [byStatus, 200, "Sorry, no credit", "retry http:200"],
  [byStatus, 200, '{"error":{"code":12}}', "refused http:200"],
  [byStatus, 201, "created", "refused http:201"],
  [byStatus, 418, "", "throttled http:418"],
  [byStatus, 503, "", "refused http:503"],
  [byStatus, 500, "", "retry http:500"],
  ...(
    [
      [204, "accepted own"],
      [302, "shut http:302"],
      [400, "refused http:400"],
      [401, "shut http:401"],
      [402, "retry http:402"],
      [404, "shut http:404"],
      [408, "retry http:408"],
      [422, "refused http:422"],
      [429, "throttled http:429"],
      [500, "unknown http:500"],
      [502, "unknown http:502"],
      [503, "retry http:503"],
      [504, "unknown http:504"],
    ] as const
  ).map(([status, verdict]): [HttpLink, number, string, string] => [bare, status, "", verdict]),
])("%o answers %d %s: %s", ([link, status, text, expected]) => {
  const answer = { kind: "answered", status, text, isWhole: true, retryAfter: undefined, address: undefined } as const;
  const verdict = judgeAnswer(link, answer, "own");
  expect(`${verdict.kind} ${verdict.kind === "accepted" ? verdict.key : verdict.reason}`).toBe(expected);
});

test("only the beginning of an answer says nothing of what it holds; Retry-After is seconds, a minute at most", () => {
  const cut = {
    kind: "answered",
    status: 200,
    text: '{"code":"ok"',
    isWhole: false,
    retryAfter: undefined,
    address: undefined,
  } as const;
  expect(judgeAnswer(byPath, cut, "own").kind).toBe("unknown");
  expect(judgeAnswer(bare, cut, "own").kind).toBe("accepted");
  expect(["2", "9999", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", undefined].map(readRetryAfterMs)).toEqual([
    2_000,
    60_000,
    undefined,
    undefined,
    undefined,
  ]);
});
