/** Another customer, in a thread of its own and from an address of its own: how long the product lets them wait. */
import { Agent, request } from "node:http";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { performance } from "node:perf_hooks";

/** One question, asked again and again. */
export type Question = { method: "GET" | "POST"; path: string; body?: unknown; status: number };

type Asked = { url: string; from: string; questions: Question[] };
export type Waits = { p50Ms: number; p99Ms: number; maxMs: number; count: number; wrong: string[] };

/** Asks until it is told to stop. */
export function measureOthers(asked: Asked): { stop: () => Promise<Waits> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: asked });
  return {
    stop: async () => {
      const waits = new Promise<Waits>((resolve, reject) => void worker.once("message", resolve).once("error", reject));
      worker.postMessage("stop", []);
      const measured = await waits;
      await worker.terminate();
      return measured;
    },
  };
}

/** One at a time, as a person's pages ask. */
const EVERY_MS = 10;

async function ask({ url, from, questions }: Asked, isStopped: () => boolean): Promise<Waits> {
  const agent = new Agent({ keepAlive: true, localAddress: from });
  const waitsMs: number[] = [];
  const wrong: string[] = [];
  for (let round = 0; !isStopped(); round += 1) {
    const question = questions[round % questions.length];
    if (question === undefined) break;
    const startedAtMs = performance.now();
    const status = await answerTo(`${url}${question.path}`, question, agent);
    waitsMs.push(performance.now() - startedAtMs);
    if (status !== question.status) wrong.push(`${question.path}: ${status}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  agent.destroy();
  const sorted = waitsMs.toSorted((one, other) => one - other);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), count: sorted.length, wrong };
}

async function answerTo(address: string, { method, body }: Question, agent: Agent): Promise<number> {
  return await new Promise((resolve, reject) => {
    const asked = request(
      address,
      { method, agent, headers: body === undefined ? {} : { "content-type": "application/json" } },
      (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

if (parentPort !== null && workerData !== undefined) {
  const port = parentPort;
  let isStopped = false;
  port.once("message", () => (isStopped = true));
  port.postMessage(await ask(workerData as Asked, () => isStopped));
}
