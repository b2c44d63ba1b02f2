/** One run: requests of a seed against a running installation, judged as they are answered; memory and ledger at the end. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "../faults/plan.ts";
import { patience } from "../testing/product.ts";
import { listCalls, type OpenApi } from "./calls.ts";
import { curlOf, exchange, type Exchange } from "./exchange.ts";
import { judgeAnswer, nameFinding } from "./judge.ts";
import { People } from "./people.ts";
import { makeRequest, type FuzzRequest, type World } from "./requests.ts";

export type Target = {
  url: string;
  /** Without it nobody can sign in, and no ledger is read. */
  databaseUrl: string | undefined;
  /** The processes whose memory is looked at, by their names. */
  pidOf?: Readonly<Record<string, () => number | undefined>>;
};

export type Finding = { name: string; count: number; index: number; curl: string; answer: string };

export type FuzzReport = {
  findings: Finding[];
  requestCount: number;
  callCount: number;
  /** How many answers had each status; `none` for those that broke off. */
  statuses: Record<string, number>;
  /** Calls of the contract that were answered with success at least once. */
  succeededCount: number;
  /** Refusals of ours with a status of 5xx, by code: those that the specification names. */
  specified: Record<string, number>;
  memory: string[];
  seconds: number;
};

type Settings = { seed: number; requestCount: number; say?: (line: string) => void };

/** As a person's browser and a few programs together. */
const LANES = 8;
const HANG_MS_MAX = 2_000;
/** Calls that wait for somebody else's server, each with a limit of its own (`TEST_TIMEOUT_MS_MAX` of the server). */
const WAITS_FOR_OTHERS_MS: Readonly<Record<string, number>> = { "POST /api/{adminId}/test-carrier": 15_000 };
/** What took too long is asked again, alone; what is slow each time is a hang. */
const SLOW_TRIES = 3;
const IDS_KEPT = 300;
const ANSWER_SHOWN = 400;
const SAY_PARTS = 20;
const LOOKS_AT_MEMORY = 40;
/** Requests until every call was compiled, and every cache of a fixed size is full. */
const WARM_PART = 0.25;
const GROWTH_BYTES_MAX = 64 * 1024 * 1024;
const GROWTH_PART_MAX = 0.25;

export async function runFuzz(target: Target, settings: Settings): Promise<FuzzReport> {
  const started = performance.now();
  const people = new People(target.url, target.databaseUrl);
  try {
    await people.start();
    const openApi = (await (await fetch(`${target.url}/api/openapi.json`)).json()) as OpenApi;
    const run = new Run(target, settings, people, listCalls(openApi));
    await run.all();
    return { ...run.report(), seconds: (performance.now() - started) / 1_000 };
  } finally {
    await people.close();
  }
}

class Run {
  readonly #target: Target;
  readonly #settings: Settings;
  readonly #people: People;
  readonly #world: World;
  readonly #ids = new Map<string, string[]>();
  readonly #findings = new Map<string, Finding>();
  readonly #statuses: Record<string, number> = {};
  readonly #specified: Record<string, number> = {};
  readonly #succeeded = new Set<string>();
  readonly #memory = new Map<string, number[]>();
  readonly #renewing = new Map<"customer" | "admin", Promise<void>>();
  #next = 0;
  #ledger: string[] = [];

  constructor(target: Target, settings: Settings, people: People, calls: World["calls"]) {
    this.#target = target;
    this.#settings = settings;
    this.#people = people;
    this.#world = {
      calls,
      peopleFor: (call) => people.for(call),
      get everybody() {
        return people.everybody;
      },
      findId: (name, random) => this.#findId(name, random),
      foreignIds: people.foreignIds,
    };
  }

  async all(): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, async () => await this.#lane()));
    await Promise.allSettled(this.#renewing.values());
    const broken = await this.#people.countLedgerViolations();
    this.#ledger = Object.entries(broken).map(([name, count]) => `the ledger's rule ${name} is broken ${count} times`);
  }

  report(): Omit<FuzzReport, "seconds"> {
    const { seed, requestCount } = this.#settings;
    const whole = [...this.#ledger, ...this.#judgeMemory()];
    return {
      findings: [
        ...this.#findings.values(),
        ...whole.map((name) => ({
          name,
          count: 1,
          index: requestCount,
          curl: `npm run fuzz -- --seed ${seed} --requests ${requestCount}`,
          answer: "",
        })),
      ],
      requestCount,
      callCount: this.#world.calls.length,
      statuses: this.#statuses,
      succeededCount: this.#succeeded.size,
      specified: this.#specified,
      memory: [...this.#memory].map(([name, bytes]) => {
        const { before, after } = lowest(bytes);
        return `${name} ${megabytes(before)} -> ${megabytes(after)} MB`;
      }),
    };
  }

  async #lane(): Promise<void> {
    const { seed, requestCount, say } = this.#settings;
    while (this.#next < requestCount) {
      const index = this.#next++;
      if (index % Math.ceil(requestCount / LOOKS_AT_MEMORY) === 0) this.#lookAtMemory();
      if (index % Math.ceil(requestCount / SAY_PARTS) === 0 && index > 0)
        say?.(`${index} of ${requestCount} requests, ${this.#findings.size} findings`);
      const asked = makeRequest(this.#world, seed, index);
      this.#look(asked, await this.#ask(asked));
    }
  }

  async #ask(asked: FuzzRequest): Promise<Exchange> {
    let answer = await exchange(this.#target.url, asked);
    for (let tries = 1; tries < SLOW_TRIES && answer.ms > hangMsOf(asked); tries += 1)
      answer = await exchange(this.#target.url, asked);
    // Node closes a connection that was idle just when the next request is written to it.
    if (answer.status === undefined && answer.error !== "upgraded" && !asked.isTruncated) {
      await sleep(100);
      answer = await exchange(this.#target.url, asked);
    }
    return answer;
  }

  #look(asked: FuzzRequest, answer: Exchange): void {
    const { status, body } = answer;
    const known = String(status ?? "none");
    this.#statuses[known] = (this.#statuses[known] ?? 0) + 1;
    if (status !== undefined && status >= 500) {
      const code = /"code":"(\w+)"/.exec(body)?.[1] ?? known;
      this.#specified[code] = (this.#specified[code] ?? 0) + 1;
    }
    for (const wrong of judgeAnswer(asked, answer, hangMsOf(asked))) this.#note(asked, answer, wrong);
    if (status !== undefined && status < 300 && asked.method === asked.call.method) {
      this.#succeeded.add(`${asked.call.method} ${asked.call.path}`);
      this.#keepIds(asked, body);
    }
    this.#renewWhoLeft(asked, answer);
  }

  #note(asked: FuzzRequest, { status, body }: Exchange, wrong: string): void {
    const name = nameFinding(asked.call, wrong);
    const known = this.#findings.get(name);
    if (known !== undefined) return void (known.count += 1);
    const curl = curlOf(this.#target.url, asked);
    const who = `${asked.person?.name ?? "nobody"}; ${asked.faults.join(", ")}`;
    const answerShown = `${status ?? "none"} (${who}) ${body.slice(0, ANSWER_SHOWN)}`;
    this.#findings.set(name, { name, count: 1, index: asked.index, curl, answer: answerShown });
    this.#settings.say?.(`WRONG: ${name}\n  ${answerShown}\n  ${curl}`);
  }

  /** Whoever signed out, was blocked or closed their account is replaced, or the rest of the run would try nothing but refusals. */
  #renewWhoLeft({ person, call }: FuzzRequest, { status, body }: Exchange): void {
    if (person === undefined || person.kind === "visitor" || call.manner === "page") return;
    if (status !== 401 && !/"code":"(?:BLOCKED|APPROVAL_REQUIRED)"/.test(body)) return;
    if (!/"code":(?:"AUTH_REQUIRED"|"BLOCKED"|"APPROVAL_REQUIRED"|20003|20005)/.test(body)) return;
    const isOwnCall = person.kind === "admin" ? call.path.includes("adminId") : !call.path.includes("adminId");
    if (!isOwnCall || !this.#people.everybody.includes(person)) return;
    const side = person.kind === "admin" ? "admin" : "customer";
    if (this.#renewing.has(side)) return;
    const renewed = this.#people.renew(side).finally(() => void this.#renewing.delete(side));
    this.#renewing.set(side, renewed);
  }

  /** Ids that answers name, by the last word of the call's path: those of templates are tried where a template is meant. */
  #keepIds({ call }: FuzzRequest, body: string): void {
    for (const [, id = ""] of body.slice(0, 20_000).matchAll(/"(?:_id|\w+I[dD]|sid|next|reference)":"([^"]{8,80})"/g)) {
      const kept = this.#ids.get(call.path) ?? [];
      kept.push(id);
      this.#ids.set(call.path, kept.slice(-IDS_KEPT));
    }
  }

  #findId(name: string, random: SeededRandom): string | undefined {
    const stem = name.replace(/I[dD]$/, "").toLowerCase();
    const stems = stem === "message" ? ["message", "sms"] : [stem];
    const paths = [...this.#ids.keys()].filter((path) => stems.some((word) => path.toLowerCase().includes(word)));
    const path = random.pick(paths.length === 0 ? [...this.#ids.keys()] : paths) as string | undefined;
    return path === undefined ? undefined : random.pick(this.#ids.get(path) ?? []);
  }

  #lookAtMemory(): void {
    for (const [name, pidOf] of Object.entries(this.#target.pidOf ?? {})) {
      const bytes = readResidentBytes(pidOf());
      this.#memory.set(name, [...(this.#memory.get(name) ?? []), bytes]);
    }
  }

  #judgeMemory(): string[] {
    return [...this.#memory].flatMap(([name, bytes]) => {
      const { before, after } = lowest(bytes);
      const isFlat = after - before <= Math.max(GROWTH_BYTES_MAX, before * GROWTH_PART_MAX);
      return isFlat ? [] : [`the memory of ${name} grows: ${megabytes(before)} to ${megabytes(after)} MB`];
    });
  }
}

function hangMsOf({ call }: FuzzRequest): number {
  return (HANG_MS_MAX + (WAITS_FOR_OTHERS_MS[`${call.method} ${call.path}`] ?? 0)) * patience();
}

/** Between two collections memory goes up and down; what a process holds is the least of many looks. */
export function lowest(bytes: readonly number[]): { before: number; after: number } {
  const warm = Math.floor(bytes.length * WARM_PART);
  const quarter = Math.max(1, Math.floor(bytes.length / 4));
  return { before: Math.min(...bytes.slice(warm, warm + quarter)), after: Math.min(...bytes.slice(-quarter)) };
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);

/** 0 for a process that has ended. Linux only. */
function readResidentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
