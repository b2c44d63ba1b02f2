/** A thread that reads large bodies, so that the web server answers others meanwhile. Started by `body-reader.ts`. */
import { parentPort } from "node:worker_threads";
import type { Rates } from "@ewebal/contract";
import { useOwnIssueWords } from "../../http/issue-words.ts";
import { bodyTasks, type BodyTaskName, type BodyTaskResult } from "./body-tasks.ts";

useOwnIssueWords();
parentPort?.on("message", ({ name, input, rates }: { name: BodyTaskName; input: never; rates: Rates }) => {
  const result: BodyTaskResult<BodyTaskName> = bodyTasks[name](input, rates);
  const transfer = result.kind === "read" && "recipients" in result.value ? [result.value.recipients.valid.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(result, transfer);
});
