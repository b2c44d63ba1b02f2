/**
 * `npm run faults -- --seed N [--count C] [--size short|full] [--plan] [--citus]`: runs the faults of seed N, and of the C - 1 seeds that follow.
 * Without a seed one is chosen. With --citus the database is a distributed one, and each of its servers is killed in turn. Prints the plan first,
 * then what happens, then the verdict; ends with status 1 when anything was wrong.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { describePlan, makePlan, planSizes } from "./plan.ts";
import { runFaults } from "./run-faults.ts";

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    count: { type: "string", default: "1" },
    size: { type: "string", default: "full" },
    plan: { type: "boolean", default: false },
    citus: { type: "boolean", default: false },
  },
});
const [firstSeed, count] = [Number(values.seed), Number(values.count)];
const size = values.size === "full" || values.size === "short" ? planSizes[values.size] : undefined;
if (!Number.isSafeInteger(firstSeed) || firstSeed < 0 || !Number.isSafeInteger(count) || size === undefined) {
  say("--seed and --count take whole numbers, --size takes short or full");
  process.exit(2);
}
const failed: number[] = [];
for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
  const plan = makePlan(seed, size);
  for (const line of describePlan(plan)) say(line);
  if (values.plan) continue;
  say("what happens:");
  const { faults, lookCount, takenCount, counts, retriedCount, lacking, seconds } = await runFaults(plan, {
    say,
    isOnCluster: values.citus,
  });
  for (const line of lacking) say(`left out: ${line}`);
  for (const fault of faults.slice(0, 50)) say(`WRONG: ${fault}`);
  say(
    `seed ${seed}: ${faults.length === 0 ? "nothing is wrong" : `${faults.length} things are wrong`}; carriers took ${takenCount} parts; ${JSON.stringify(counts)}; ` +
      `${lookCount} looks, ${retriedCount} sends tried again; ${seconds.whole.toFixed(0)} s, ${seconds.settling.toFixed(0)} s of them settling`,
  );
  if (faults.length > 0) failed.push(seed);
}
if (failed.length > 0) {
  say(
    `Wrong with seed ${failed.join(", ")}: npm run faults -- --seed ${failed[0]} --size ${values.size}${values.citus ? " --citus" : ""} does the same again.`,
  );
  process.exit(1);
}
