/**
 * Goal: whatever comes together, nothing is lost, charged twice or taken back. Method: the faults of one seed over a whole installation;
 * `npm run faults` tries others, and longer. A failure prints the seed.
 */
import { expect, test } from "vitest";
import { makePlan, planSizes } from "./plan.ts";
import { runFaults } from "./run-faults.ts";

/** A kill of a worker and of PostgreSQL, a host without power, a clock that goes back, a full disk, and carriers that reset and refuse. */
const SEED = 1107;

test(
  "the faults of a short seeded run: nothing lost, nothing twice, the ledger exact, states only forward",
  { timeout: 600_000 },
  async () => {
    const plan = makePlan(SEED, planSizes.short);
    const { faults, lookCount, takenCount, counts, lacking, seconds } = await runFaults(plan);
    for (const reason of lacking) process.stdout.write(`left out: ${reason}\n`);
    process.stdout.write(`seed ${plan.seed}: ${seconds.whole.toFixed(0)} s, ${JSON.stringify(counts)}\n`);
    expect(faults, `npm run faults -- --seed ${plan.seed} --size short`).toEqual([]);
    // Otherwise nothing was tried here.
    expect(takenCount).toBeGreaterThan(plan.numberCount / 2);
    expect(lookCount).toBeGreaterThan(10);
  },
);
