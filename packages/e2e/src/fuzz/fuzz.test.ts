/** What the fuzzer makes, and that each of its rules notices when it is broken. `smpp-access.test.ts` has a short run over an installation. */
import { describe, expect, test } from "vitest";
import { listCalls, type FuzzedCall } from "./calls.ts";
import { curlOf, type Exchange } from "./exchange.ts";
import { judgeAnswer } from "./judge.ts";
import { CANARY, type Person } from "./people.ts";
import { makeRequest, type FuzzRequest, type World } from "./requests.ts";
import { lowest } from "./run-fuzz.ts";

const HANG_MS = 2_000;
const userId = "01a219ed-486e-77e4-a3c2-fac37b1729ea";
const owner: Person = {
  name: "owner",
  kind: "customer",
  headers: { authorization: "Bearer token" },
  ids: { userId },
  email: "owner@gmail.com",
};
const call: FuzzedCall = {
  method: "POST",
  path: "/api/{userId}/templates",
  manner: "ours",
  parameters: [{ name: "userId", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
  bodyType: "application/json",
  body: {
    type: "object",
    properties: { name: { type: "string", maxLength: 40 }, message: { type: "string" } },
    required: ["name", "message"],
  },
  answers: { "201": { type: "object", properties: { message: { type: "string" } }, required: ["message"] } },
};
const world: World = {
  calls: [call],
  peopleFor: () => [owner],
  everybody: [owner],
  findId: () => undefined,
  foreignIds: ["01a219ed-486e-77e4-a3c2-fac37b172900"],
};
const requests = Array.from({ length: 400 }, (_, index) => makeRequest(world, 7, index));

describe("requests", () => {
  test("are the same for the same seed, and others for another", () => {
    expect(makeRequest(world, 7, 33)).toEqual(requests[33]);
    expect(Array.from({ length: 20 }, (_, index) => makeRequest(world, 8, index))).not.toEqual(requests.slice(0, 20));
  });

  test("are valid ones in part, and have every kind of fault", () => {
    const valid = requests.filter(({ faults }) => faults.length === 0);
    expect(valid.length).toBeGreaterThan(100);
    for (const { body } of valid) expect(Object.keys(JSON.parse(String(body)) as object)).toEqual(["name", "message"]);
    const faults = new Set(requests.flatMap((made) => made.faults.map((fault) => fault.split(" ")[0])));
    expect(faults).toEqual(
      new Set(["another's", "as", "broken", "header", "method", "multipart", "odd", "other", "spoilt", "truncated"]),
    );
  });

  test("are written as a line that a shell takes", () => {
    const asked = { ...sound, path: "/it's", body: Buffer.from("{}") };
    expect(curlOf("http://127.0.0.1:1", asked)).toBe(
      `echo e30= | base64 -d | curl -sS -i --path-as-is -X POST 'http://127.0.0.1:1/it'\\''s' --data-binary @-`,
    );
  });
});

test("a call of the contract that nobody describes stops the run", () => {
  expect(() => listCalls({ paths: {}, components: { schemas: {} } })).toThrow(/POST \/api\/create-user/);
});

const sound: FuzzRequest = {
  index: 0,
  call,
  person: owner,
  method: "POST",
  path: `/api/${userId}/templates`,
  headers: [],
  body: undefined,
  isTruncated: false,
  faults: [],
};
const json = "application/json; charset=utf-8";

function judge(answer: Partial<Exchange> & { value?: unknown }, asked: Partial<FuzzRequest> = {}): string[] {
  const { value, ...given } = answer;
  const body = given.body ?? (value === undefined ? "" : JSON.stringify(value));
  const whole = { status: 201, type: json, headers: {}, ms: 5, error: undefined, ...given, body };
  return judgeAnswer({ ...sound, ...asked }, whole, HANG_MS);
}

describe("an answer is", () => {
  const refusal = { message: "Not found", code: "NOT_FOUND", requestId: "1" };

  test("sound when it is as described, or a refusal of the one shape", () => {
    expect(judge({ value: { message: "Made" } })).toEqual([]);
    expect(judge({ status: 404, value: refusal })).toEqual([]);
    expect(judge({ status: 550, value: { ...refusal, code: "NO_ROUTE" } })).toEqual([]);
    expect(judge({ status: 503, value: { message: "Sent", dnd: true } })).toEqual([]);
    expect(judge({ status: 404, value: { code: 20_404, message: "No", more_info: "x", status: 404 } })).toEqual([]);
    expect(judge({ type: "application/jsonl; charset=utf-8", body: '{"number":1}\n{"number":2}\n' })).toEqual([]);
  });

  test.each<[string, Partial<Exchange> & { value?: unknown }, RegExp]>([
    ["of 5xx", { status: 500, value: { ...refusal, code: "INTERNAL" } }, /answered 500 INTERNAL/],
    ["late", { value: { message: "Made" }, ms: 2_001 }, /longer than 2\.0 s/],
    ["absent", { status: undefined, error: "socket hang up" }, /no answer: socket hang up/],
    ["another's", { value: { message: `${CANARY} text` } }, /another account's data/],
    ["no JSON", { body: "{" }, /not the JSON/],
    ["not as described", { value: { words: "Made" } }, /not as described:.*message/],
    ["of a status that is not described", { status: 200, value: { message: "Made" } }, /200, which is not described/],
    ["a refusal of another shape", { status: 404, value: { error: "Not Found" } }, /no refusal of the one shape/],
    ["a refusal with a code of nobody's", { status: 404, value: { ...refusal, code: "GONE" } }, /no refusal/],
    ["a refusal as text", { status: 404, type: "text/plain", body: "Not Found" }, /refuses as text/],
    ["a stack", { status: 400, value: { ...refusal, message: "at f (a.ts:1)" } }, /shows what is inside/],
  ])("wrong when it is %s", (_, answer, wrong) => {
    expect(judge(answer).join("; ")).toMatch(wrong);
  });

  test("an administrator's to see, whoever's data it holds", () => {
    expect(judge({ value: { message: CANARY } }, { person: { ...owner, kind: "admin" } })).toEqual([]);
  });

  test("not needed by who announced more than they sent", () => {
    expect(judge({ status: undefined, error: "ended" }, { isTruncated: true })).toEqual([]);
  });
});

test("memory is judged by the least of many looks, behind a first part that warms up", () => {
  const [low, high] = [100, 300];
  expect(lowest([10, 10, low, high, high, low, high, low])).toEqual({ before: low, after: low });
  expect(lowest([10, 10, low, high, high, 400, 500, 600])).toEqual({ before: low, after: 500 });
});
