import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Identity } from "@ewebal/embedded-postgres";
import type { PrepareMessage, PreparedMessage } from "./messages.ts";
import { asUser } from "./supervise-child.ts";

const prepareModule = fileURLToPath(new URL("../main/prepare-process.ts", import.meta.url));

/**
 * Runs `prepare-process.ts` to its end.
 * @param identity the user it runs as; undefined for the user of this process.
 * @returns lines for the person who started the product.
 * @throws Error with the process's own words.
 */
export async function runPrepare(message: PrepareMessage, identity: Identity | undefined): Promise<string[]> {
  const child = fork(prepareModule, {
    ...asUser(identity),
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const outcome = Promise.withResolvers<PreparedMessage>();
  child.once("message", outcome.resolve);
  child.once("error", outcome.reject);
  child.once("exit", (exitCode, signal) =>
    outcome.reject(new Error(`Preparing the database ended with ${signal ?? exitCode}`)),
  );
  child.send(message);
  const answer = await outcome.promise;
  if (answer.kind === "failed") throw new Error(answer.message);
  return answer.notes;
}
