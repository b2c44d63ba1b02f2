/** One run: sends and faults of a plan over a whole installation, looked at all the time, judged at the end. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageAnswer, RecipientAnswer, UserAnswer } from "@ewebal/contract";
import { makeNumbers, orNoAnswer, send, type Answer, type ApiClient } from "../testing/api-client.ts";
import { carrierBounds, CREDITED_UNITS, Installation, SENDER_NAME } from "./installation.ts";
import type { Plan, PlannedSend } from "./plan.ts";
import { judge, type Observed, type ObservedMessage } from "./verdict.ts";
import { Watcher } from "./watcher.ts";

const LOOK_EVERY_MS = 150;
const SAY_EVERY_LOOKS = 10;
const ANSWER_WITHIN_MS = 10_000;
/** Without anything that came right meanwhile. The longest pause between two looks at a stored report is five minutes. */
const SETTLE_PAUSE_MS_MAX = 330_000;
/** How long one keyed send may be refused or left without an answer by hosts that stand. */
const ACCEPT_WITHIN_MS = 120_000;
const PAGE_ROWS = "100";
/** No answer, and refusals in words that ask to come again: the database is away, the disk is full, the key is being worked on. */
const comeAgain = new Set([0, 409, 503, 507]);

export type RunResult = {
  /** What is wrong; empty when everything held. */
  faults: string[];
  /** Answers that were compared while the run went on. */
  lookCount: number;
  takenCount: number;
  counts: Record<string, number>;
  /** Requests that had to be made again. */
  retriedCount: number;
  lacking: string[];
  seconds: { whole: number; settling: number };
};

type RunSettings = {
  /** Is told what happens, line by line. */
  say?: (line: string) => void;
  /** On a distributed database with a coordinator and two workers instead of the embedded one. */
  isOnCluster?: boolean;
};

export async function runFaults(
  plan: Plan,
  { say = () => undefined, isOnCluster = false }: RunSettings = {},
): Promise<RunResult> {
  const startedAtMs = performance.now();
  const installation = await Installation.start(plan, isOnCluster);
  try {
    const run = new FaultRun(plan, installation, say);
    await run.play();
    const settlingAtMs = performance.now();
    const { faults, counts } = await run.settle();
    if (faults.length > 0) for (const line of run.readErrors()) say(line);
    return {
      faults,
      counts,
      lookCount: run.watcher.lookCount,
      takenCount: installation.witness.takenCount,
      retriedCount: run.retriedCount,
      lacking: [...installation.lacking].map(([kind, reason]) => `${kind}: ${reason}`),
      seconds: {
        whole: (performance.now() - startedAtMs) / 1_000,
        settling: (performance.now() - settlingAtMs) / 1_000,
      },
    };
  } finally {
    await installation.remove();
  }
}

class FaultRun {
  readonly watcher = new Watcher();
  retriedCount = 0;
  readonly #plan: Plan;
  readonly #installation: Installation;
  readonly #say: (line: string) => void;
  readonly #numbers: string[];
  readonly #messageIds = new Map<string, string>();
  readonly #faults: string[] = [];
  #isOver = false;
  #asks = 0;

  constructor(plan: Plan, installation: Installation, say: (line: string) => void) {
    this.#plan = plan;
    this.#installation = installation;
    this.#say = say;
    this.#numbers = makeNumbers(plan.numberCount);
  }

  /** Until every send is accepted, every fault is over and every host stands. */
  async play(): Promise<void> {
    const { sends, steps } = this.#plan;
    const startedAtMs = performance.now();
    const at = async (atMs: number): Promise<void> => {
      await sleep(Math.max(0, startedAtMs + atMs - performance.now()));
    };
    const watching = this.#watch();
    await Promise.all([
      ...sends.map(async (planned) => {
        await at(planned.atMs);
        await this.#send(planned);
      }),
      ...steps.map(async ({ atMs, lastsMs, fault }) => {
        await at(atMs);
        this.#say(`${((performance.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${JSON.stringify(fault)}`);
        await this.#installation.apply(fault, lastsMs);
      }),
    ]);
    for (const host of this.#installation.hosts) await host.stands();
    this.#isOver = true;
    await watching;
  }

  /** @returns what is wrong when everything has come to rest, or when nothing has come right for a while. */
  async settle(): Promise<{ faults: string[]; counts: Record<string, number> }> {
    let leastCount = Infinity;
    let betterAtMs = performance.now();
    let faults: string[] = [];
    let observed: Observed | undefined;
    this.#installation.hangUp();
    for (let looks = 0; ; looks += 1) {
      observed = (await this.#observe()) ?? observed;
      faults =
        observed === undefined
          ? ["nothing was answered at the end"]
          : [...this.#judge(observed), ...this.#unfinished()];
      if (faults.length < leastCount) {
        leastCount = faults.length;
        betterAtMs = performance.now();
      }
      if (faults.length === 0 || performance.now() > betterAtMs + SETTLE_PAUSE_MS_MAX) break;
      if (looks % SAY_EVERY_LOOKS === 0) this.#say(`settling: ${faults.length} left, such as: ${faults[0]}`);
      await sleep(500);
    }
    faults.push(...new Set([...this.#faults, ...this.watcher.faults]));
    return { faults, counts: observed === undefined ? {} : sumCounts(observed) };
  }

  /** The last lines above warnings of each host, which say why. */
  readErrors(): string[] {
    return this.#installation.hosts.flatMap(({ output }, index) =>
      output
        .filter((line) => /"level":"(?:error|fatal)"|^(?!\{)/.test(line))
        .slice(-40)
        .map((line) => `host ${index}: ${line.slice(0, 600)}`),
    );
  }

  #unfinished(): string[] {
    return this.#installation.carriers.every(({ isDone }) => isDone) ? [] : ["a carrier has reports left"];
  }

  #judge(observed: Observed): string[] {
    const { steps } = this.#plan;
    const quiet = new Set(["foreign reports", "foreign answers", "mail server is dead", "slow clients", "kill web"]);
    const crashes = steps.filter(({ fault }) => !quiet.has(fault.kind)).length;
    const { binds, window } = carrierBounds;
    return judge(observed, {
      plan: this.#plan,
      numbers: this.#numbers,
      witness: this.#installation.witness,
      // Two windows of each bind, each time; see docs/delivery.md.
      unheardMax: crashes * 2 * window * binds * this.#installation.carriers.length,
    });
  }

  async #send({ tag, customer, host, firstNumber, numberCount, pages }: PlannedSend): Promise<void> {
    const client = this.#installation.customers[customer] as ApiClient;
    const key = randomUUID();
    const body = {
      senderName: SENDER_NAME,
      // The tag again and again, so that every part of a long message has it.
      message: `${tag} `.repeat(Math.ceil(pages === 1 ? 3 : (160 * (pages - 1) + 40) / (tag.length + 1))).trim(),
      phoneNo: this.#numbers.slice(firstNumber, firstNumber + numberCount).join(","),
      code: "234",
    };
    let waitedMs = 0;
    for (let tries = 0; waitedMs < ACCEPT_WITHIN_MS; tries += 1) {
      const askedAtMs = performance.now();
      const { status, body: answered } = await this.#ask(client, async (at) => await send(at, body, key), host + tries);
      if (status === 200) {
        this.#messageIds.set(tag, answered?.data._id ?? "");
        return;
      }
      if (!comeAgain.has(status)) {
        this.#faults.push(`the send of ${tag} was answered with ${status} ${JSON.stringify(answered)}`);
      }
      this.retriedCount += 1;
      await sleep(200);
      // How long a host takes to start is the machine's affair, and nobody else's database answers meanwhile.
      if (this.#installation.hosts.every(({ isStanding }) => isStanding)) waitedMs += performance.now() - askedAtMs;
    }
    this.#faults.push(`no host took ${tag} within ${ACCEPT_WITHIN_MS / 1_000} s`);
  }

  /** @returns status 0 when no answer came in time. */
  async #ask<T>(
    client: ApiClient,
    call: (client: ApiClient) => Promise<Answer<T>>,
    host = this.#asks++,
  ): Promise<{ status: number; body?: T }> {
    const { hosts } = this.#installation;
    const answer = orNoAnswer(call(client.at(hosts[host % hosts.length]?.url ?? "")));
    return (await Promise.race([answer, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })])) ?? { status: 0 };
  }

  async #watch(): Promise<void> {
    let looks = 0;
    while (!this.#isOver) {
      const tags = [...this.#messageIds.keys()];
      const tag = tags[looks % Math.max(1, tags.length)];
      looks += 1;
      if (tag !== undefined) {
        await this.#observeMessage(tag);
        // Again at once at the other host: what one has said, another must not take back.
        await this.#readCounts(tag);
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #readCounts(tag: string): Promise<MessageAnswer | undefined> {
    const client = this.#clientOf(tag);
    const path = `/api/${client.actorId}/${this.#messageIds.get(tag)}/view-one-sms`;
    const { status, body } = await this.#ask(client, async (at) => await at.call<{ data: MessageAnswer }>("GET", path));
    if (status !== 200 || body === undefined) {
      this.#noteRefusal(status, path);
      return undefined;
    }
    this.watcher.seeCounts(tag, body.data.counts);
    return body.data;
  }

  async #observeMessage(tag: string): Promise<ObservedMessage | undefined> {
    const client = this.#clientOf(tag);
    const messageId = this.#messageIds.get(tag);
    const recipients: RecipientAnswer[] = [];
    let after: string | null = "";
    while (after !== null) {
      const path: string = `/api/${client.actorId}/${messageId}/recipients?limit=${PAGE_ROWS}${after === "" ? "" : `&after=${encodeURIComponent(after)}`}`;
      const { status, body } = await this.#ask(
        client,
        async (at) => await at.call<{ data: RecipientAnswer[]; next: string | null }>("GET", path),
      );
      if (status !== 200 || body === undefined) {
        this.#noteRefusal(status, path);
        return undefined;
      }
      this.watcher.seeRecipients(tag, body.data);
      recipients.push(...body.data);
      after = body.next;
    }
    const message = await this.#readCounts(tag);
    if (message === undefined) return undefined;
    const { state, counts, price, units } = message;
    return { tag, state, counts, price, units: units ?? { charged: 0, reserved: 0, returned: 0 }, recipients };
  }

  /** @returns undefined when anything was not answered. */
  async #observe(): Promise<Observed | undefined> {
    const { customers, admin, mail, promisedMails } = this.#installation;
    const observed: Observed = { customers: [], ledger: [], missingMails: [] };
    for (const [index, client] of customers.entries()) {
      const messages: ObservedMessage[] = [];
      for (const { tag } of this.#plan.sends.filter(({ customer }) => customer === index)) {
        if (!this.#messageIds.has(tag)) continue;
        const message = await this.#observeMessage(tag);
        if (message === undefined) return undefined;
        messages.push(message);
      }
      const extra = await this.#findExtra(client, messages);
      const { status, body } = await this.#ask(
        client,
        async (at) => await at.call<{ data: UserAnswer }>("GET", `/api/${client.actorId}/view-one-user`),
      );
      if (status !== 200 || body === undefined || extra === undefined) return undefined;
      messages.push(...extra);
      observed.customers.push({ creditedUnits: CREDITED_UNITS, availableUnits: body.data.units, messages });
    }
    if (admin === undefined) return undefined;
    const ready = await this.#ask(
      admin,
      async (at) => await at.call<{ details: { ledger: Observed["ledger"] } }>("GET", "/readyz"),
    );
    if (ready.status !== 200 || ready.body === undefined) return undefined;
    observed.ledger = ready.body.details.ledger;
    observed.missingMails = promisedMails.filter((address) => mail.find(address, /(verify-user)/) === undefined);
    return observed;
  }

  /** Messages in the customer's history that were not answered to us: a key that was taken twice. */
  async #findExtra(client: ApiClient, known: readonly ObservedMessage[]): Promise<ObservedMessage[] | undefined> {
    const { status, body } = await this.#ask(
      client,
      async (at) =>
        await at.call<{ data: MessageAnswer[] }>(
          "GET",
          `/api/${client.actorId}/populate-sms-history?limit=${PAGE_ROWS}`,
        ),
    );
    if (status !== 200 || body === undefined) return undefined;
    const knownIds = new Set(this.#messageIds.values());
    const extra = body.data.filter(({ _id }) => !knownIds.has(_id));
    if (body.data.length - extra.length !== known.length) return undefined;
    return extra.map(({ message, state, counts, price, units }) => ({
      tag: message.split(" ")[0] ?? "",
      state,
      counts,
      price,
      units: units ?? { charged: 0, reserved: 0, returned: 0 },
      recipients: [],
    }));
  }

  #clientOf(tag: string): ApiClient {
    const planned = this.#plan.sends.find((candidate) => candidate.tag === tag);
    return this.#installation.customers[planned?.customer ?? 0] as ApiClient;
  }

  #noteRefusal(status: number, path: string): void {
    if (!comeAgain.has(status))
      this.#faults.push(`${path.replaceAll(/[0-9a-f-]{36}/g, ":id")} was answered with ${status}`);
  }
}

function sumCounts({ customers }: Observed): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { messages } of customers) {
    for (const { counts } of messages)
      for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + (count ?? 0);
  }
  return sums;
}
