/** `npm run fuzz`: see `HELP`. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { readDatabaseUrl, removeProduct, startProduct, type Product } from "../testing/product.ts";
import { runFuzz, type Target } from "./run-fuzz.ts";

const HELP = `npm run fuzz -- [--seed N] [--requests N] [--url URL]

Sends generated requests to every call of an installation, valid ones and broken ones, as every role, and looks for what must not be: answers of 5xx,
answers that take over two seconds, that are not as the OpenAPI file describes them or no refusal of the one shape, another account's data, a broken
rule of the ledger, memory that grows. What is wrong is printed with a line for curl.

  --seed N       the same requests again; without it one is chosen and printed
  --requests N   how many; 10,000 unless it is given
  --url URL      an installation that runs, instead of one that is started for the run. It is written to: never give a real one. With its
                 DATABASE_URL in the environment people of every role are made in it, without only visitors ask

Ends with status 0 when nothing is wrong, 1 when something is, 2 when the options cannot be read.`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** As tests start it; addresses of this machine may be posted to, so that nothing leaves it. */
async function startTarget(): Promise<{ product: Product; target: Target }> {
  const product = await startProduct({ environment: { WEBHOOK_PRIVATE: "on", ADMIN_REGISTRATION: "open" } });
  const pidOf = { web: () => product.childPid("web"), worker: () => product.childPid("worker") };
  return { product, target: { url: product.url, databaseUrl: await readDatabaseUrl(product), pidOf } };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(randomInt(2 ** 31)) },
      requests: { type: "string", default: "10000" },
      url: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(HELP);
    return 0;
  }
  const [seed, requestCount] = [Number(values.seed), Number(values.requests)];
  if (!Number.isSafeInteger(seed) || seed < 0 || !Number.isSafeInteger(requestCount) || requestCount < 1) {
    say("--seed and --requests take whole numbers");
    return 2;
  }
  say(`seed ${seed}, ${requestCount} requests`);
  const started = values.url === undefined ? await startTarget() : undefined;
  try {
    const target = started?.target ?? { url: values.url ?? "", databaseUrl: process.env["DATABASE_URL"] };
    const { findings, callCount, succeededCount, statuses, specified, memory, seconds } = await runFuzz(target, {
      seed,
      requestCount,
      say,
    });
    say(
      `answers by status: ${JSON.stringify(statuses)}; of 5xx by code: ${JSON.stringify(specified)}; memory: ${memory.join(", ") || "not looked at"}`,
    );
    const verdict =
      findings.length === 0
        ? "nothing is wrong"
        : `${findings.length} things are wrong: ${findings.map(({ name, count }) => `${name} (${count})`).join("; ")}`;
    say(
      `Seed ${seed}: ${requestCount} requests to ${callCount} calls, of which ${succeededCount} succeeded, in ${seconds.toFixed(0)} s: ${verdict}.`,
    );
    return findings.length === 0 ? 0 : 1;
  } finally {
    if (started !== undefined) await removeProduct(started.product);
  }
}

process.exit(await main());
