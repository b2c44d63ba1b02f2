import { pino } from "pino";
import { expect, test } from "vitest";
import { quietOutages } from "./quiet-outages.ts";

test("a line about a lost connection is written once in ten seconds for each task and carrier; others always", () => {
  let nowMs = 0;
  const lines: { msg: string; task?: string; repeated?: number }[] = [];
  const log = pino({ hooks: quietOutages(() => nowMs) }, { write: (line) => void lines.push(JSON.parse(line)) });
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
  const child = log.child({ part: "delivery" });
  for (let turn = 0; turn < 3; turn += 1) {
    child.warn({ err: refused, task: "heartbeat" }, "a task failed");
    child.warn({ err: refused, task: "claim" }, "a task failed");
    // The library of jobs hands on objects that are no errors.
    log.error(
      { err: { code: refused.code, message: `${refused.message} (Queue: send-mail)` } },
      "the job worker met an error",
    );
    log.warn({ err: new Error("The mail server said 500") }, "a job failed");
    log.warn({ err: refused, jobId: "1" }, "a job failed");
    for (const carrier of ["one", "two"]) log.warn({ err: refused, carrier }, "a carrier is away");
    log.warn({ err: refused });
    log.warn("no facts");
  }
  const about = (msg: string): object[] => lines.filter((line) => line.msg === msg);
  expect(about("a task failed").length).toBe(2);
  expect(about("the job worker met an error").length).toBe(1);
  expect(about("a job failed").length).toBe(6);
  expect(about("no facts").length).toBe(3);
  expect(about("a carrier is away")).toMatchObject([{ carrier: "one" }, { carrier: "two" }]);
  // Without a text pino takes the error's.
  expect(about(refused.message).length).toBe(1);
  nowMs = 10_000;
  child.warn({ err: refused, task: "claim" }, "a task failed");
  expect(lines.at(-1)).toMatchObject({ msg: "a task failed", task: "claim", repeated: 2, part: "delivery" });
});
