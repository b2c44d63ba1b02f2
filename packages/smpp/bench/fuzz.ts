/** Feeds both sides of SMPP with changed PDUs: `node packages/smpp/bench/fuzz.ts [inputs] [seed]`. Needs node --expose-gc for exact memory. */
import { feedSessions } from "../src/testing/hostile-peer.ts";

const INPUTS_A_ROUND = 1_000_000;

const inputCount = Number(process.argv[2] ?? 10_000_000);
const seed = Number(process.argv[3] ?? 1);
const megabytes = (): number => {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1_048_576);
};

const startedAt = performance.now();
let done = 0;
let round = 0;
while (done < inputCount) {
  const result = await feedSessions(Math.min(INPUTS_A_ROUND, inputCount - done), seed + round);
  if (result.outcomes !== result.submitsTaken) {
    throw new Error(`seed ${seed + round}: ${result.submitsTaken} submits and ${result.outcomes} outcomes`);
  }
  done += result.inputs;
  round += 1;
  const perSecond = Math.round((done / (performance.now() - startedAt)) * 1_000);
  process.stdout.write(`${done} inputs, ${result.sessions} sessions replaced, ${perSecond}/s, ${megabytes()} MB\n`);
}
