// Loaded with --import: writes down every statement that the program itself gives to PostgreSQL, one JSON text a line. What tests and
// their fixtures ask is left out. See packages/server/src/db/previous-statements.test.ts.
import { appendFileSync } from "node:fs";
import { Client, Pool } from "pg";

const path = process.env.COLLECT_STATEMENTS;
const seen = new Set();

/** The nearest caller in our own tree. A transaction only hands on what somebody else asks, and so does a line that loses answers. */
function callerOf(stack) {
  return (
    stack
      .split("\n")
      .find(
        (line) =>
          line.includes("/packages/") &&
          !line.includes("node_modules") &&
          !/\/db\/transaction\.ts|\/testing\/lose-answers\.ts/.test(line),
      ) ?? ""
  );
}

function note(text) {
  if (typeof text !== "string" || seen.has(text)) return;
  const caller = callerOf(new Error().stack ?? "");
  if (!caller.includes("/packages/server/src/") || /\.test\.ts|\/testing\//.test(caller)) return;
  seen.add(text);
  appendFileSync(path, `${JSON.stringify(text)}\n`);
}

if (path !== undefined) {
  Error.stackTraceLimit = 30;
  for (const type of [Client, Pool]) {
    const query = Reflect.get(type.prototype, "query");
    type.prototype.query = function noted(config, ...rest) {
      note(typeof config === "string" ? config : config?.text);
      return query.call(this, config, ...rest);
    };
  }
}
